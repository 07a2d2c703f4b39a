<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>RowsModel</name>
        <message>
            <source>Id</source>
            <translation>编号</translation>
        </message>
        <message>
            <source>Label</source>
            <translation>标签</translation>
        </message>
        <message>
            <source>Text to send</source>
            <translation>发送文本</translation>
        </message>
        <message>
            <source>kept</source>
            <translation>保留</translation>
        </message>
    </context>
</TS>
