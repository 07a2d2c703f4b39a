<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>HintLine</name>
    <message>
        <source>Fix</source>
        <translation>修正</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Fix: {0}</source>
        <translation>修正：{0}</translation>
    </message>
    <message>
        <source>Show: {0}</source>
        <translation>显示：{0}</translation>
    </message>
    <message>
        <source>Doubtful</source>
        <translation>存疑</translation>
    </message>
</context>
<context>
    <name>HintsPanel</name>
    <message>
        <source>Prompt check</source>
        <translation>提示词检查</translation>
    </message>
    <message>
        <source>Nothing to improve was found.</source>
        <translation>没有发现需要改进之处。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln hint(s)</source>
        <translation>
            <numerusform>%Ln 条提示</numerusform>
        </translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>This cannot be fixed by itself: {0}</source>
        <translation>无法自动修正：{0}</translation>
    </message>
</context>
</TS>
