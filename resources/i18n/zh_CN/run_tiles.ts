<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>RunTiles</name>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>待复核</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>Accepted per minute</source>
        <translation>每分钟采纳</translation>
    </message>
    <message>
        <source>Accepted/min</source>
        <translation>每分钟采纳</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>of {0} · {1}</source>
        <translation>共 {0} · {1}</translation>
    </message>
    <message>
        <source>{0} rejected</source>
        <translation>已驳回 {0}</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>未发送</translation>
    </message>
    <message>
        <source>{0} of done</source>
        <translation>占已完成 {0}</translation>
    </message>
    <message>
        <source>of {0} answered</source>
        <translation>共回答 {0}</translation>
    </message>
    <message>
        <source>on average</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>took {0}</source>
        <translation>用时 {0}</translation>
    </message>
    <message>
        <source>starts with the run</source>
        <translation>运行开始后估算</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>尚不清楚</translation>
    </message>
    <message>
        <source>at this speed</source>
        <translation>按当前速度</translation>
    </message>
    <message>
        <source>{0} to {1}</source>
        <translation>{0} 至 {1}</translation>
    </message>
</context>
</TS>
