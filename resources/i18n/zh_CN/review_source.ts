<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>SourcePanel</name>
    <message>
        <source>Text</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>All columns</source>
        <translation>全部列</translation>
    </message>
    <message>
        <source>Source text</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>row {0} · {1} words</source>
        <translation>第 {0} 行 · {1} 词</translation>
    </message>
    <message>
        <source>row {0} · {1} characters</source>
        <translation>第 {0} 行 · {1} 字</translation>
    </message>
</context>
</TS>
