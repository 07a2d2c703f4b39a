<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>QueuePanel</name>
    <message>
        <source>To review</source>
        <translation>待复核</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Search rows (/)</source>
        <translation>搜索行（/）</translation>
    </message>
    <message>
        <source>Search in row keys and cells</source>
        <translation>在行键和单元格中搜索</translation>
    </message>
    <message>
        <source>In table order</source>
        <translation>按表格顺序</translation>
    </message>
    <message>
        <source>Least confident first</source>
        <translation>置信度低的在前</translation>
    </message>
    <message>
        <source>All reasons</source>
        <translation>全部原因</translation>
    </message>
    <message>
        <source>Answers that wait for you</source>
        <translation>等待您复核的回答</translation>
    </message>
    <message>
        <source>{0} of {1} decided</source>
        <translation>已处理 {0} / {1}</translation>
    </message>
    <message>
        <source>All reasons ({0})</source>
        <translation>全部原因（{0}）</translation>
    </message>
    <message>
        <source>Failed rows</source>
        <translation>失败的行</translation>
    </message>
    <message>
        <source>{0} ({1})</source>
        <translation>{0}（{1}）</translation>
    </message>
</context>
</TS>
