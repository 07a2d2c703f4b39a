<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>QualityPanel</name>
    <message>
        <source>Where it goes wrong</source>
        <translation>错在哪里</translation>
    </message>
    <message>
        <source>your label</source>
        <translation>您的标签</translation>
    </message>
    <message>
        <source>the model answered</source>
        <translation>模型的答案</translation>
    </message>
    <message>
        <source>found</source>
        <translation>召回率</translation>
    </message>
    <message>
        <source>right</source>
        <translation>精确率</translation>
    </message>
    <message>
        <source>{0} labelled answers; a cell opens its rows</source>
        <translation>{0} 个有标签的答案；点击一格查看对应的行</translation>
    </message>
    <message>
        <source>the {0} most frequent of {1} values; a cell opens its rows</source>
        <translation>{1} 个值中最常见的 {0} 个；点击一格查看对应的行</translation>
    </message>
    <message>
        <source>To see how often answers are right, choose a Label column.</source>
        <translation>要查看答案的准确率，请选择标签列。</translation>
    </message>
    <message>
        <source>The next run over the table is then compared with it.</source>
        <translation>此后对该表格的运行会与标签列比较。</translation>
    </message>
    <message>
        <source>Go to Data</source>
        <translation>转到“数据”</translation>
    </message>
    <message>
        <source>To compare answers with the labels, choose which field is compared.</source>
        <translation>要将答案与标签比较，请选择要比较的字段。</translation>
    </message>
    <message>
        <source>Go to Prompt</source>
        <translation>转到“提示词”</translation>
    </message>
    <message>
        <source>No row with a label is answered yet.</source>
        <translation>有标签的行还没有得到答案。</translation>
    </message>
    <message>
        <source>Labels are in the column “{0}”.</source>
        <translation>标签在“{0}”列。</translation>
    </message>
</context>
</TS>
