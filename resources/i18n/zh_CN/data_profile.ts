<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ProfilePanel</name>
    <message>
        <source>Tokens per row</source>
        <translation>每行词元</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>The rows are being measured.</source>
        <translation>正在统计。</translation>
    </message>
    <message>
        <source>The lengths of the rows show here once they are measured.</source>
        <translation>统计之后，这里显示各行的长度。</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>估算</translation>
    </message>
    <message>
        <source>the model's own encoding</source>
        <translation>按模型自己的编码</translation>
    </message>
    <message>
        <source>median {0} · 95th percentile {1} · longest {2}</source>
        <translation>中位数 {0} · 第 95 百分位 {1} · 最长 {2}</translation>
    </message>
    <message>
        <source>Go to the longest row</source>
        <translation>转到最长的行</translation>
    </message>
    <message>
        <source>slow lane from {0}</source>
        <translation>慢车道：{0} 起</translation>
    </message>
    <message>
        <source>fits up to {0}</source>
        <translation>上限 {0}</translation>
    </message>
</context>
</TS>
