<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>SourceText</name>
    <message>
        <source>… and {0} more characters that are not shown here</source>
        <translation>……另有 {0} 个字符未在此显示</translation>
    </message>
</context>
</TS>
