<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ExampleBox</name>
    <message>
        <source>Example {0}</source>
        <translation>示例 {0}</translation>
    </message>
    <message>
        <source>Remove example {0}</source>
        <translation>移除示例 {0}</translation>
    </message>
    <message>
        <source>{0}: the text of the row</source>
        <translation>{0}：行的文本</translation>
    </message>
    <message>
        <source>{0}: the right answer</source>
        <translation>{0}：正确回答</translation>
    </message>
</context>
<context>
    <name>ExamplesSection</name>
    <message>
        <source>Add example</source>
        <translation>添加示例</translation>
    </message>
    <message>
        <source>Show the model a few rows with the right answer.</source>
        <translation>给模型看几行带有正确回答的例子。</translation>
    </message>
</context>
</TS>
