<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ChecksSection</name>
    <message>
        <source>Low confidence goes to review</source>
        <translation>置信度低时转入复核</translation>
    </message>
    <message>
        <source>Confidence is</source>
        <translation>置信度取自</translation>
    </message>
    <message>
        <source>probability of the answer</source>
        <translation>回答的概率</translation>
    </message>
    <message>
        <source>a number in the answer</source>
        <translation>回答中的数字</translation>
    </message>
    <message>
        <source>agreement of several answers</source>
        <translation>多次回答的一致程度</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>At least</source>
        <translation>至少</translation>
    </message>
    <message>
        <source>the compared one</source>
        <translation>与标签比较的字段</translation>
    </message>
    <message>
        <source>Confidence: choose the field in which the model gives it.</source>
        <translation>置信度：请选择模型给出置信度的字段。</translation>
    </message>
    <message>
        <source>{0} must be one of: {1}</source>
        <translation>{0} 必须是以下之一：{1}</translation>
    </message>
    <message>
        <source>must not be blank: {0}</source>
        <translation>不得为空：{0}</translation>
    </message>
    <message>
        <source>confidence of {0} at least {1}</source>
        <translation>{0} 的置信度至少为 {1}</translation>
    </message>
    <message>
        <source>Remove this check</source>
        <translation>移除此检查</translation>
    </message>
    <message>
        <source>Only services that give probabilities; else it stays unknown.</source>
        <translation>仅适用于会给出概率的服务；否则置信度未知。</translation>
    </message>
    <message>
        <source>The model judges itself in this field, from 0 to 1.</source>
        <translation>模型在此字段中自我评估，从 0 到 1。</translation>
    </message>
    <message>
        <source>Set “Answers per row” to 2 or more, under More.</source>
        <translation>请在“更多”中把“每行回答数”设为 2 或更大。</translation>
    </message>
</context>
</TS>
