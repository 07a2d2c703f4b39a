<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
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
        <source>Fast</source>
        <comment>lane</comment>
        <translation>快</translation>
    </message>
    <message>
        <source>Slow</source>
        <comment>lane</comment>
        <translation>慢</translation>
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
        <source>rows; {0} more in the project file</source>
        <translation>行；项目文件中还有 {0} 行</translation>
    </message>
    <message>
        <source>{0} rows/min in, {1} out: grows without end</source>
        <translation>每分钟进 {0} 行，出 {1} 行：队列不断变长</translation>
    </message>
    <message>
        <source>{0} rows/min in, {1} out</source>
        <translation>每分钟进 {0} 行，出 {1} 行</translation>
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
</TS>
