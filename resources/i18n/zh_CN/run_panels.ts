<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>LimitPanel</name>
    <message>
        <source>Limit and in flight</source>
        <translation>并发上限与在途请求</translation>
    </message>
    <message>
        <source>requests at once</source>
        <translation>同时请求数</translation>
    </message>
    <message>
        <source>Limit and requests in flight over time</source>
        <translation>并发上限与在途请求随时间的变化</translation>
    </message>
    <message>
        <source>Used of permitted</source>
        <translation>已用 / 允许</translation>
    </message>
    <message>
        <source>Tokens/min</source>
        <translation>词元/分钟</translation>
    </message>
    <message>
        <source>Requests/min</source>
        <translation>请求/分钟</translation>
    </message>
    <message>
        <source>limit {0}</source>
        <translation>上限 {0}</translation>
    </message>
    <message>
        <source>in flight {0}</source>
        <translation>在途 {0}</translation>
    </message>
</context>
<context>
    <name>QueuePanel</name>
    <message>
        <source>Queue depth</source>
        <translation>队列深度</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Queue depth over time</source>
        <translation>队列深度随时间的变化</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>To retry</source>
        <translation>待重试</translation>
    </message>
    <message>
        <source>In flight</source>
        <translation>在途</translation>
    </message>
    <message>
        <source>Oldest wait</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>{0} rows/min out</source>
        <translation>每分钟完成 {0} 行</translation>
    </message>
    <message>
        <source>The queue is empty</source>
        <translation>队列已空</translation>
    </message>
    <message>
        <source>Nothing moves: the run is paused</source>
        <translation>运行已暂停，队列不动</translation>
    </message>
    <message>
        <source>Nothing moves: the run is not under way</source>
        <translation>运行未在进行，队列不动</translation>
    </message>
</context>
<context>
    <name>RateMeter</name>
    <message>
        <source>{0}; limit not told</source>
        <translation>{0}；上限未知</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
</context>
</TS>
