<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>FlightsModel</name>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>车道</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>What it waits for</source>
        <translation>在等什么</translation>
    </message>
    <message>
        <source>Waited</source>
        <translation>已等</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>slow</source>
        <translation>慢</translation>
    </message>
    <message>
        <source>fast</source>
        <translation>快</translation>
    </message>
    <message>
        <source>being saved</source>
        <translation>正在保存</translation>
    </message>
    <message>
        <source>waiting for the answer</source>
        <translation>等待回答</translation>
    </message>
    <message>
        <source>to be sent again now ({0})</source>
        <translation>即将重新发送（{0}）</translation>
    </message>
    <message>
        <source>Retry in {0} ({1})</source>
        <translation>{0} 后重试（{1}）</translation>
    </message>
</context>
</TS>
