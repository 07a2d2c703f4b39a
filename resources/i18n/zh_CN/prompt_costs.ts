<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>CostLine</name>
    <message>
        <source>Tokens in</source>
        <translation>输入词元</translation>
    </message>
    <message>
        <source>out</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>A row</source>
        <translation>每行</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>全部行</translation>
    </message>
    <message>
        <source>{0} tokens</source>
        <translation>{0} 词元</translation>
    </message>
    <message>
        <source>{0} of the input tokens are the same for every row.</source>
        <translation>输入词元中有 {0} 个在每一行都相同。</translation>
    </message>
    <message>
        <source>This model&apos;s tokens are estimated; a row may be off by {0}.</source>
        <translation>此模型的词元数为估算；单行误差可达 {0}。</translation>
    </message>
    <message>
        <source>All rows: the mean of a sample, which may be off by {0}.</source>
        <translation>全部行：按抽样均值计算，误差可达 {0}。</translation>
    </message>
    <message>
        <source>The price of this model is not known.</source>
        <translation>不知道此模型的价格。</translation>
    </message>
</context>
</TS>
