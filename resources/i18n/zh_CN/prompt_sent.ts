<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>SentPanel</name>
    <message>
        <source>As sent</source>
        <translation>实际发送</translation>
    </message>
    <message>
        <source>Row number</source>
        <translation>行号</translation>
    </message>
    <message>
        <source>Batchdesk adds “row_key”: the answer must repeat it, so that no answer is taken for another row's.</source>
        <translation>“row_key”由 Batchdesk 添加：回答必须重复它，以免把一行的回答当成另一行的。</translation>
    </message>
    <message>
        <source>System text</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <source>This row</source>
        <translation>本行</translation>
    </message>
    <message>
        <source>Example {0}, the answer</source>
        <translation>示例 {0} 的回答</translation>
    </message>
    <message>
        <source>Example {0}</source>
        <translation>示例 {0}</translation>
    </message>
    <message>
        <source>of {0} · {1}</source>
        <translation>/ {0} · {1}</translation>
    </message>
    <message>
        <source>This is the first row.</source>
        <translation>这是第一行。</translation>
    </message>
    <message>
        <source>This is the last row.</source>
        <translation>这是最后一行。</translation>
    </message>
    <message>
        <source>Row before</source>
        <translation>上一行</translation>
    </message>
    <message>
        <source>Row after</source>
        <translation>下一行</translation>
    </message>
</context>
</TS>
