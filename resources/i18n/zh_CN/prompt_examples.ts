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
        <source>From labels</source>
        <translation>从标签生成</translation>
    </message>
    <message>
        <source>Show the model a few rows with the right answer.</source>
        <translation>给模型看几行带有正确回答的例子。</translation>
    </message>
    <message>
        <source>One row for each value of “{0}”, with the right answer. Leave these rows out of the run if you want to count how often the model is right.</source>
        <translation>“{0}”的每个取值取一行，附上正确答案。若要统计模型的正确率，请在运行时排除这些行。</translation>
    </message>
    <message>
        <source>They are all there already.</source>
        <translation>这些示例都已存在。</translation>
    </message>
</context>
</TS>
