<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>FailuresPanel</name>
    <message>
        <source>Failed requests by kind</source>
        <translation>失败请求（按种类）</translation>
    </message>
    <message>
        <source>per 10 s</source>
        <translation>每 10 秒</translation>
    </message>
    <message>
        <source>Failed requests over time</source>
        <translation>失败请求随时间的变化</translation>
    </message>
    <message numerus="yes">
        <source>%Ln other kind(s)</source>
        <translation>
            <numerusform>其他 %Ln 种</numerusform>
        </translation>
    </message>
    <message>
        <source>“{0}”</source>
        <translation>“{0}”</translation>
    </message>
    <message>
        <source>None so far</source>
        <translation>目前没有</translation>
    </message>
    <message>
        <source>Last: “{0}”</source>
        <translation>最近：“{0}”</translation>
    </message>
</context>
<context>
    <name>LatencyPanel</name>
    <message>
        <source>Latency of successes</source>
        <translation>成功请求的延迟</translation>
    </message>
    <message>
        <source>seconds, over 60 s</source>
        <translation>秒，近 60 秒</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首字</translation>
    </message>
    <message>
        <source>Latency over time</source>
        <translation>延迟随时间的变化</translation>
    </message>
    <message>
        <source>wait in our own queue {0}, not included</source>
        <translation>本机排队 {0}，未计入</translation>
    </message>
</context>
</TS>
