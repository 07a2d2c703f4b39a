<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ColumnChips</name>
    <message>
        <source>Insert the column {0}</source>
        <translation>插入列 {0}</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more column(s)</source>
        <translation>
            <numerusform>另有 %Ln 列</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TextsPanel</name>
    <message>
        <source>System text</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <source>Text per row</source>
        <translation>每行文本</translation>
    </message>
    <message>
        <source>the same for every row</source>
        <translation>每一行都相同</translation>
    </message>
    <message>
        <source>with the row&apos;s columns</source>
        <translation>包含该行的列</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>插入</translation>
    </message>
</context>
</TS>
