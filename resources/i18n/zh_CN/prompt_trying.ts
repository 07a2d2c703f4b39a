<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Trying</name>
    <message>
        <source>Try it</source>
        <translation>试答</translation>
    </message>
    <message>
        <source>The answer is under way.</source>
        <translation>回答正在路上。</translation>
    </message>
    <message>
        <source>The table has no rows.</source>
        <translation>表中没有行。</translation>
    </message>
    <message>
        <source>Sends this row once and shows what comes back. Nothing of it is kept.</source>
        <translation>把此行发送一次并显示返回内容，不保存任何结果。</translation>
    </message>
</context>
</TS>
