<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>BelowPanel</name>
    <message>
        <source>Tasks in flight</source>
        <translation>在途任务</translation>
    </message>
    <message>
        <source>Where the time goes</source>
        <translation>时间去向</translation>
    </message>
    <message>
        <source>Look back</source>
        <translation>回看</translation>
    </message>
    <message>
        <source>time of all rows together</source>
        <translation>所有行的时间合计</translation>
    </message>
    <message>
        <source>drag, or point at a chart</source>
        <translation>拖动滑块，或指向图表</translation>
    </message>
</context>
<context>
    <name>Flights</name>
    <message>
        <source>Tasks in flight</source>
        <translation>在途任务</translation>
    </message>
    <message>
        <source>{0} in flight, {1} to retry</source>
        <translation>{0} 个在途，{1} 个待重试</translation>
    </message>
    <message numerus="yes">
        <source>none in flight; %Ln row(s) wait</source>
        <translation>
            <numerusform>没有在途任务；%Ln 行在等待</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LookBack</name>
    <message>
        <source>Moment of the run</source>
        <translation>运行的时刻</translation>
    </message>
    <message>
        <source>No figures were kept of this run.</source>
        <translation>此运行没有留下数据。</translation>
    </message>
    <message>
        <source>{0} done</source>
        <translation>已完成 {0}</translation>
    </message>
    <message>
        <source>{0} wait</source>
        <translation>等待 {0}</translation>
    </message>
    <message>
        <source>{0} to retry</source>
        <translation>待重试 {0}</translation>
    </message>
    <message>
        <source>{0} in flight, limit {1}</source>
        <translation>在途 {0}，上限 {1}</translation>
    </message>
    <message>
        <source>latency P50 {0}, P95 {1}</source>
        <translation>延迟 P50 {0}，P95 {1}</translation>
    </message>
    <message>
        <source>{0} failed requests so far</source>
        <translation>至此失败请求 {0}</translation>
    </message>
    <message>
        <source>held back by: {0}</source>
        <translation>受限于：{0}</translation>
    </message>
</context>
<context>
    <name>WhereTimeGoes</name>
    <message>
        <source>Where the time goes</source>
        <translation>时间去向</translation>
    </message>
    <message>
        <source>Nothing has been measured yet.</source>
        <translation>尚无测量数据。</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>准备</translation>
    </message>
    <message>
        <source>queueing</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>waiting for a limit</source>
        <translation>等待上限</translation>
    </message>
    <message>
        <source>service</source>
        <translation>服务</translation>
    </message>
    <message>
        <source>checking</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>写入</translation>
    </message>
</context>
</TS>
