<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>GatesRow</name>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>answers fit the fields</source>
        <translation>回答符合字段</translation>
    </message>
    <message>
        <source>Stable</source>
        <translation>稳定</translation>
    </message>
    <message>
        <source>same answer twice</source>
        <translation>两次回答相同</translation>
    </message>
    <message>
        <source>Matched</source>
        <translation>对应</translation>
    </message>
    <message>
        <source>keys came back</source>
        <translation>行标识返回无误</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>equal to your label</source>
        <translation>与标签一致</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>尚未试跑</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>Doubtful</source>
        <translation>存疑</translation>
    </message>
    <message>
        <source>Not asked</source>
        <translation>未要求</translation>
    </message>
    <message>
        <source>Needed: all</source>
        <translation>要求：全部</translation>
    </message>
    <message>
        <source>So far</source>
        <translation>目前</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) without an answer, not counted.</source>
        <translation>
            <numerusform>%Ln 个请求没有回答，未计入。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{0} and %Ln more changed.</source>
        <translation>
            <numerusform>{0} 等有变化，另有 %Ln 行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Changed: {0}.</source>
        <translation>有变化：{0}。</translation>
    </message>
    <message>
        <source>No answer belongs to another row.</source>
        <translation>没有回答错到别的行。</translation>
    </message>
    <message>
        <source>An answer named another row; it was asked again.</source>
        <translation>有回答写成了别的行，已重新提问。</translation>
    </message>
    <message>
        <source>Answers do not name their row.</source>
        <translation>回答不写明所属的行。</translation>
    </message>
    <message>
        <source>Choose a label column on the Data page to measure it.</source>
        <translation>请在“数据”页选择标签列，以便统计。</translation>
    </message>
    <message>
        <source>No label</source>
        <translation>没有标签</translation>
    </message>
    <message>
        <source>{0}; with so few rows, {1} to {2} is possible.</source>
        <translation>{0}；行数这么少，{1} 到 {2} 都有可能。</translation>
    </message>
    <message>
        <source>n = {0}</source>
        <translation>n = {0}</translation>
    </message>
    <message>
        <source>No gate</source>
        <translation>不作关卡</translation>
    </message>
    <message>
        <source>Confidence tells nothing here.</source>
        <translation>置信度在此没有意义。</translation>
    </message>
    <message>
        <source>Unsure: {0} wrong</source>
        <translation>低置信度：{0} 错误</translation>
    </message>
</context>
</TS>
