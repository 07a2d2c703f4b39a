<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>MoneyWords</name>
    <message>
        <source>free</source>
        <translation>免费</translation>
    </message>
</context>
</TS>
