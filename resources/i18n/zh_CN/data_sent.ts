<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>SentSection</name>
    <message>
        <source>Only rows where {0}</source>
        <translation>仅发送满足条件的行：{0}</translation>
    </message>
    <message>
        <source>All rows: there is no filter.</source>
        <translation>所有行：没有筛选条件。</translation>
    </message>
    <message>
        <source>Change the filter</source>
        <translation>修改筛选条件</translation>
    </message>
    <message>
        <source>Send only some of the rows</source>
        <translation>只发送部分行</translation>
    </message>
    <message>
        <source>The prompt is being made.</source>
        <translation>正在生成提示词。</translation>
    </message>
    <message>
        <source>{0} of {1} rows are sent.</source>
        <translation>{1} 行中将发送 {0} 行。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) in all</source>
        <translation>
            <numerusform>共 %Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Not counted: {0}</source>
        <translation>未统计：{0}</translation>
    </message>
</context>
</TS>
