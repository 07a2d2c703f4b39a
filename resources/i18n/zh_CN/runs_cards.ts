<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>DropZone</name>
    <message>
        <source>Open your own file</source>
        <translation>打开自己的文件</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation>打开文件夹…</translation>
    </message>
</context>
<context>
    <name>RecentPanel</name>
    <message>
        <source>Recent projects</source>
        <translation>最近的项目</translation>
    </message>
    <message>
        <source>Open the project {0}</source>
        <translation>打开项目 {0}</translation>
    </message>
</context>
<context>
    <name>SampleCard</name>
    <message>
        <source>Open sample</source>
        <translation>打开示例</translation>
    </message>
    <message>
        <source>Open the sample {0}</source>
        <translation>打开示例“{0}”</translation>
    </message>
</context>
</TS>
