<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>DeadModel</name>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Why it failed</source>
        <translation>失败原因</translation>
    </message>
    <message>
        <source>Last message</source>
        <translation>最后的消息</translation>
    </message>
    <message>
        <source>Tries</source>
        <translation>次数</translation>
    </message>
</context>
<context>
    <name>KindsModel</name>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>all kinds</source>
        <translation>全部种类</translation>
    </message>
</context>
</TS>
