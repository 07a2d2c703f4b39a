<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ColumnsSection</name>
    <message>
        <source>Id column</source>
        <translation>编号列</translation>
    </message>
    <message>
        <source>Label column</source>
        <translation>标签列</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Row number</source>
        <translation>行号</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>over {0} values</source>
        <translation>超过 {0} 个取值</translation>
    </message>
    <message numerus="yes">
        <source>%Ln value(s)</source>
        <translation>
            <numerusform>%Ln 个取值</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln blank</source>
        <translation>
            <numerusform>%Ln 个空白</numerusform>
        </translation>
    </message>
    <message>
        <source>Text to send</source>
        <translation>发送文本</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>保留</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more column(s)</source>
        <translation>
            <numerusform>还有 %Ln 列</numerusform>
        </translation>
    </message>
</context>
</TS>
