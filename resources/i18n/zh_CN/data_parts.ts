<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>PartChoice</name>
    <message>
        <source>Header row</source>
        <translation>标题行</translation>
    </message>
    <message>
        <source>Nested fields as columns</source>
        <translation>嵌套字段展开为列</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Sheet</source>
        <translation>工作表</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>{0} (hidden)</source>
        <translation>{0}（隐藏）</translation>
    </message>
</context>
</TS>
