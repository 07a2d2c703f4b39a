<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AnswerPanel</name>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Answer as it came</source>
        <translation>原样回答</translation>
    </message>
    <message>
        <source>This answer failed its checks</source>
        <translation>此回答未通过检查</translation>
    </message>
    <message>
        <source>This answer names another row</source>
        <translation>此回答写的是另一行</translation>
    </message>
    <message>
        <source>There is no answer for this row.</source>
        <translation>这一行没有回答。</translation>
    </message>
    <message>
        <source>The answer is not in the asked form. As it came:</source>
        <translation>回答不符合要求的格式。原样如下：</translation>
    </message>
    <message>
        <source>{0}: “{1}”</source>
        <translation>{0}：“{1}”</translation>
    </message>
    <message>
        <source>{0} failed</source>
        <translation>{0} 项失败</translation>
    </message>
    <message>
        <source>{0} doubtful</source>
        <translation>{0} 项存疑</translation>
    </message>
    <message>
        <source>one of {0}</source>
        <translation>{0} 选 1</translation>
    </message>
</context>
<context>
    <name>ConfidenceBox</name>
    <message>
        <source>Confidence</source>
        <translation>置信度</translation>
    </message>
    <message>
        <source>Confidence {0}</source>
        <translation>置信度 {0}</translation>
    </message>
</context>
</TS>
