<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AnswerSection</name>
    <message>
        <source>The answer is</source>
        <translation>回答的形式</translation>
    </message>
    <message>
        <source>fields</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>plain text</source>
        <translation>纯文本</translation>
    </message>
    <message>
        <source>a JSON Schema</source>
        <translation>JSON Schema</translation>
    </message>
    <message>
        <source>Add field</source>
        <translation>添加字段</translation>
    </message>
    <message>
        <source>Field to compare with the label</source>
        <translation>与标签比较的字段</translation>
    </message>
    <message>
        <source>The prompt sends the label column “{0}”, so the model sees the right answer.</source>
        <translation>提示词会发送标签列“{0}”，模型会看到正确答案。</translation>
    </message>
    <message>
        <source>The label column is “{0}”.</source>
        <translation>标签列是“{0}”。</translation>
    </message>
    <message>
        <source>No label column chosen, so nothing is compared. Choose one on the Data page.</source>
        <translation>未选择标签列，因此不作比较。请在“数据”页选择。</translation>
    </message>
    <message>
        <source>field</source>
        <translation>field</translation>
    </message>
    <message>
        <source>The answer has no field. Add one.</source>
        <translation>回答还没有字段。请添加一个。</translation>
    </message>
    <message>
        <source>The JSON Schema cannot be read: {0}.</source>
        <translation>无法读取 JSON Schema：{0}。</translation>
    </message>
    <message>
        <source>The JSON Schema must be an object, in braces.</source>
        <translation>JSON Schema 必须是用花括号括起的对象。</translation>
    </message>
    <message>
        <source>Whatever the model writes is the answer; only blanks are found.</source>
        <translation>模型写什么，回答就是什么；只能查出空白回答。</translation>
    </message>
    <message>
        <source>This schema says more than the fields can show, so it stays JSON.</source>
        <translation>此 Schema 的内容超出字段所能表示的范围，因此保留为 JSON。</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>不比较</translation>
    </message>
    <message>
        <source>JSON Schema of the answer</source>
        <translation>回答的 JSON Schema</translation>
    </message>
    <message>
        <source>Compare with the label</source>
        <translation>与标签比较</translation>
    </message>
</context>
</TS>
