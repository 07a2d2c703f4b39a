<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>RunsPage</name>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>新建运行</translation>
    </message>
    <message>
        <source>Runs of this project</source>
        <translation>本项目的运行</translation>
    </message>
    <message>
        <source>All runs of this project. Enter or a double click opens a run; the panel below says how the selected run stands and what can be done. Without a project, begin with a sample or with your own file.</source>
        <translation>本项目的所有运行。按回车或双击打开一个运行；下方面板说明选中的运行进展如何、可以做什么。没有项目时，请从示例或自己的文件开始。</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Ctrl Shift O</source>
        <translation>Ctrl Shift O</translation>
    </message>
    <message>
        <source>Open a folder of documents…</source>
        <translation>打开文档文件夹…</translation>
    </message>
    <message>
        <source>Resume the run</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Pause the run</source>
        <translation>暂停运行</translation>
    </message>
    <message>
        <source>Open a file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Tables and projects ({0})</source>
        <translation>表格和项目 ({0})</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a folder of documents</source>
        <translation>打开文档文件夹</translation>
    </message>
    <message numerus="yes">
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln 个运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln under way</source>
        <translation>
            <numerusform>%Ln 个进行中</numerusform>
        </translation>
    </message>
</context>
</TS>
