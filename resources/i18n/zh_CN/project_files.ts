<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>ProjectFiles</name>
        <message>
            <source>New project</source>
            <translation>新建项目</translation>
        </message>
        <message>
            <source>Open project</source>
            <translation>打开项目</translation>
        </message>
        <message>
            <source>Save a copy</source>
            <translation>另存副本</translation>
        </message>
        <message>
            <source>Batchdesk projects (*{0})</source>
            <translation>Batchdesk 项目 (*{0})</translation>
        </message>
    </context>
</TS>
