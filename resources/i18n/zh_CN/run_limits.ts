<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>LimitsBox</name>
    <message>
        <source>Limits of this run</source>
        <translation>此运行的上限</translation>
    </message>
    <message>
        <source>By itself, up to</source>
        <translation>自动，最高</translation>
    </message>
    <message>
        <source>Fixed at</source>
        <translation>固定为</translation>
    </message>
    <message>
        <source>Most requests at once</source>
        <translation>同时请求数的最高上限</translation>
    </message>
    <message>
        <source>Fixed number of requests at once</source>
        <translation>固定的同时请求数</translation>
    </message>
    <message>
        <source>Requests per minute</source>
        <translation>每分钟请求数</translation>
    </message>
    <message>
        <source>Tokens per minute</source>
        <translation>每分钟词元数</translation>
    </message>
    <message>
        <source>not told</source>
        <translation>未告知</translation>
    </message>
    <message>
        <source>Requests at once</source>
        <translation>同时请求数</translation>
    </message>
    <message>
        <source>What the service permits</source>
        <translation>服务允许的用量</translation>
    </message>
    <message>
        <source>For this run, at once and until the project is closed; the saved job stays as it is.</source>
        <translation>立即对此运行生效，直到项目关闭；保存的任务定义不变。</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
</context>
<context>
    <name>LimitsButton</name>
    <message>
        <source>The run is not under way.</source>
        <translation>运行未在进行。</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Fixed at {0}</source>
        <translation>固定为 {0}</translation>
    </message>
    <message>
        <source>Ceiling {0}</source>
        <translation>并发上限 {0}</translation>
    </message>
</context>
</TS>
