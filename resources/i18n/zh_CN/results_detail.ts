<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>DetailPane</name>
    <message>
        <source>Close the details</source>
        <translation>关闭详情</translation>
    </message>
    <message>
        <source>Close the details (Esc)</source>
        <translation>关闭详情（Esc）</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>Details of the row</source>
        <translation>行的详情</translation>
    </message>
    <message>
        <source>By a reviewer: {0}</source>
        <translation>复核：{0}</translation>
    </message>
    <message>
        <source>The row has no cells.</source>
        <translation>这一行没有单元格。</translation>
    </message>
    <message>
        <source>There is no answer.</source>
        <translation>没有答案。</translation>
    </message>
    <message>
        <source>This answer does not stand; it is not exported.</source>
        <translation>此答案不算数，不会导出。</translation>
    </message>
    <message>
        <source>The answer had to be repaired to be read.</source>
        <translation>答案经过修复才能读取。</translation>
    </message>
    <message>
        <source>Confidence: {0}</source>
        <translation>置信度：{0}</translation>
    </message>
    <message>
        <source>The attempts are being read.</source>
        <translation>正在读取尝试记录。</translation>
    </message>
    <message>
        <source>Nothing was sent for this row.</source>
        <translation>这一行没有发送过请求。</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>已回答</translation>
    </message>
    <message>
        <source>Try {0}</source>
        <translation>第 {0} 次</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>Nothing is kept of it.</source>
        <translation>没有保留内容。</translation>
    </message>
</context>
</TS>
