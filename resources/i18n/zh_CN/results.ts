<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ResultsPage</name>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Undo masks</source>
        <translation>还原遮盖</translation>
    </message>
    <message>
        <source>Exported answers, and the answer of a row in full, have what was masked instead of marks such as [PHONE_1].</source>
        <translation>导出的回答和单行详情中的回答显示被遮盖的原文，而不是 [PHONE_1] 这样的代号。</translation>
    </message>
    <message>
        <source>Here you see what came of a run: how many rows have an answer, how often answers are right where a label is known, and every row. A cell of the matrix or a failed kind shows its rows. Export writes all rows to a file, also while the run goes on.</source>
        <translation>这里查看运行的结果：多少行有了答案，有标签的行答对了多少，以及每一行的详情。点击矩阵中的一格或某类失败即可查看对应的行。导出会把所有行写入文件，运行进行中也可以导出。</translation>
    </message>
    <message>
        <source>Export the rows of the run…</source>
        <translation>导出运行的所有行…</translation>
    </message>
    <message>
        <source>Search the rows of the run</source>
        <translation>搜索运行的行</translation>
    </message>
    <message>
        <source>Show all rows of the run</source>
        <translation>显示运行的所有行</translation>
    </message>
    <message>
        <source>The run is being read.</source>
        <translation>正在读取运行。</translation>
    </message>
    <message>
        <source>Open a project to see what came of its runs.</source>
        <translation>打开一个项目，查看其运行的结果。</translation>
    </message>
    <message>
        <source>Go to Runs</source>
        <translation>转到“运行列表”</translation>
    </message>
    <message>
        <source>Nothing has been run yet. Write the prompt, try it, then run it.</source>
        <translation>还没有运行过。先编写提示词并试一试，再开始运行。</translation>
    </message>
    <message>
        <source>Go to Prompt</source>
        <translation>转到“提示词”</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>正在导出…</translation>
    </message>
    <message>
        <source>An export is under way.</source>
        <translation>正在导出，请稍候。</translation>
    </message>
    <message>
        <source>The run has no rows.</source>
        <translation>此运行没有行。</translation>
    </message>
    <message>
        <source>preview</source>
        <translation>试跑</translation>
    </message>
    <message>
        <source>pilot</source>
        <translation>先导运行</translation>
    </message>
    <message>
        <source>all rows</source>
        <translation>全部行</translation>
    </message>
</context>
</TS>
