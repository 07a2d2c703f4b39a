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
        <source>requests at once; fixed by you</source>
        <translation>同时请求数；由您固定</translation>
    </message>
    <message>
        <source>requests at once</source>
        <translation>同时请求数</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>in flight</source>
        <translation>在途</translation>
    </message>
    <message>
        <source>ceiling</source>
        <translation>最高上限</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>另有 %Ln 项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RateMeter</name>
    <message>
        <source>{0}; limit not told</source>
        <translation>{0}；上限未知</translation>
    </message>
    <message>
        <source>{0} of {1} learned</source>
        <translation>{0} / {1} 推算</translation>
    </message>
    <message>
        <source>{0} of {1} told</source>
        <translation>{0} / {1} 告知</translation>
    </message>
</context>
</TS>
