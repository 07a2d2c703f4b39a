<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Newer</name>
    <message>
        <source>Compare with a newer file…</source>
        <translation>与更新的文件比较…</translation>
    </message>
    <message>
        <source>The newer file</source>
        <translation>更新的文件</translation>
    </message>
    <message>
        <source>The files are being compared.</source>
        <translation>正在比较文件。</translation>
    </message>
    <message>
        <source>The newer file is being read in.</source>
        <translation>正在读入更新的文件。</translation>
    </message>
</context>
<context>
    <name>NewerBox</name>
    <message>
        <source>The newer file beside the table</source>
        <translation>更新的文件与当前表</translation>
    </message>
    <message>
        <source>Nothing has been written yet. Rows that did not change and were answered are not sent again; the table as it was stays in the project.</source>
        <translation>尚未写入任何内容。未变且已有回答的行不会再次发送；原来的表仍保留在项目中。</translation>
    </message>
    <message>
        <source>Read the newer file in</source>
        <translation>读入更新的文件</translation>
    </message>
    <message>
        <source>Nothing changed.</source>
        <translation>没有变化。</translation>
    </message>
    <message>
        <source>New rows</source>
        <translation>新增的行</translation>
    </message>
    <message>
        <source>Changed rows</source>
        <translation>有变化的行</translation>
    </message>
    <message>
        <source>Rows that are gone</source>
        <translation>消失的行</translation>
    </message>
    <message>
        <source>Unchanged rows</source>
        <translation>未变的行</translation>
    </message>
    <message>
        <source>Without an id column a changed row counts as one that is gone and a new one.</source>
        <translation>没有标识列时，有变化的行算作一行消失、一行新增。</translation>
    </message>
    <message>
        <source>These rows are the same in the table and in the file.</source>
        <translation>这些行在表和文件中相同。</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>另有 %Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>New columns: {0}</source>
        <translation>新增的列：{0}</translation>
    </message>
    <message>
        <source>Columns that are gone: {0}</source>
        <translation>消失的列：{0}</translation>
    </message>
    <message>
        <source>Row {0}</source>
        <translation>行 {0}</translation>
    </message>
</context>
</TS>
