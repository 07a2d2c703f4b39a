<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>TriedPanel</name>
    <message>
        <source>Rows tried</source>
        <translation>试跑的行</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>有变化</translation>
    </message>
    <message>
        <source>Label differs</source>
        <translation>与标签不符</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s), each twice</source>
        <translation>
            <numerusform>%Ln 行，每行两次</numerusform>
        </translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>还没有</translation>
    </message>
</context>
</TS>
