<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>RowCounter</name>
    <message numerus="yes">
        <source>%Ln do(es) not match the filter</source>
        <translation>
            <numerusform>%Ln 行不满足条件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln is/are empty</source>
        <translation>
            <numerusform>%Ln 行为空</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln equal(s) another</source>
        <translation>
            <numerusform>%Ln 行与其他行相同</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln is/are too long</source>
        <translation>
            <numerusform>%Ln 行过长</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln was/were answered and did not change</source>
        <translation>
            <numerusform>%Ln 行已有回答且没有变化</numerusform>
        </translation>
    </message>
    <message>
        <source>Left out: {0}.</source>
        <translation>未发送：{0}。</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>No row would be sent. {0}</source>
        <translation>没有要发送的行。{0}</translation>
    </message>
</context>
</TS>
