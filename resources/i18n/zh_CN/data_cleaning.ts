<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>CleaningSection</name>
    <message>
        <source>Normalise and repair text</source>
        <translation>规范并修复文本</translation>
    </message>
    <message>
        <source>Leave out empty rows</source>
        <translation>排除空行</translation>
    </message>
    <message>
        <source>Send equal rows once</source>
        <translation>相同的行只发送一次</translation>
    </message>
    <message>
        <source>Find nearly equal rows</source>
        <translation>查找近似的行</translation>
    </message>
    <message>
        <source>Mask personal data</source>
        <translation>遮盖个人信息</translation>
    </message>
    <message>
        <source>Leave out rows too long</source>
        <translation>排除过长的行</translation>
    </message>
    <message>
        <source>A run compares only the first {0} of the {1} rows.</source>
        <translation>运行时只比较前 {0} 行（共 {1} 行）。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln group(s)</source>
        <translation>
            <numerusform>%Ln 组</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln filtered out</source>
        <translation>
            <numerusform>%Ln 行不满足条件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln empty</source>
        <translation>
            <numerusform>%Ln 行为空</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln equal</source>
        <translation>
            <numerusform>%Ln 行相同</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln too long</source>
        <translation>
            <numerusform>%Ln 行过长</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) will be sent</source>
        <translation>
            <numerusform>将发送 %Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} of the first {1}</source>
        <translation>{0}（前 {1} 行中）</translation>
    </message>
    <message>
        <source>Left out: {0}</source>
        <translation>未发送：{0}</translation>
    </message>
    <message>
        <source>{0}: {1}
→ {2}</source>
        <translation>{0}：{1}
→ {2}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln group(s) of rows are nearly equal.</source>
        <translation>
            <numerusform>有 %Ln 组行近似。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StepLine</name>
    <message>
        <source>What it changed: {0}</source>
        <translation>所做的更改：{0}</translation>
    </message>
</context>
</TS>
