<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>FlightsPanel</name>
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
            <numerusform>无在途请求；%Ln 行等待中</numerusform>
        </translation>
    </message>
</context>
</TS>
