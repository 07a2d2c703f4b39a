<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AttemptModel</name>
    <message>
        <source>Try</source>
        <translation>次</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>经过</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Doubtful</source>
        <translation>存疑</translation>
    </message>
    <message>
        <source>Answered</source>
        <translation>已回答</translation>
    </message>
</context>
<context>
    <name>AttemptsPane</name>
    <message>
        <source>Attempts</source>
        <translation>尝试</translation>
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
        <source>{0} tokens in all</source>
        <translation>共 {0} 词元</translation>
    </message>
    <message>
        <source>{0} by {1}</source>
        <translation>{1} {0}</translation>
    </message>
    <message>
        <source>{0}: “{1}”</source>
        <translation>{0}：“{1}”</translation>
    </message>
    <message>
        <source>Before: {0}</source>
        <translation>此前：{0}</translation>
    </message>
    <message>
        <source>Nothing is kept of it.</source>
        <translation>没有保存内容。</translation>
    </message>
</context>
</TS>
