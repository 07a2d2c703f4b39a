<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>RowsBar</name>
    <message>
        <source>Only rows where</source>
        <translation>仅限满足条件的行</translation>
    </message>
    <message>
        <source>all rows</source>
        <translation>所有行</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) in all</source>
        <translation>
            <numerusform>共 %Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Not counted: {0}</source>
        <translation>未计数：{0}</translation>
    </message>
    <message>
        <source>{0} of {1} rows are sent.</source>
        <translation>发送 {0} 行，共 {1} 行。</translation>
    </message>
</context>
</TS>
