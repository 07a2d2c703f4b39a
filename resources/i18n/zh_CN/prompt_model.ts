<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ModelSection</name>
    <message>
        <source>Who answers</source>
        <translation>由谁回答</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Set up a service…</source>
        <translation>设置服务…</translation>
    </message>
    <message>
        <source>Model: write the name under which the service knows the model.</source>
        <translation>模型：请填写服务所用的模型名称。</translation>
    </message>
    <message>
        <source>Built-in local model</source>
        <translation>内置本地模型</translation>
    </message>
    <message>
        <source>Practice server (not a model)</source>
        <translation>练习服务器（不是模型）</translation>
    </message>
    <message>
        <source>OpenAI-compatible service</source>
        <translation>兼容 OpenAI 的服务</translation>
    </message>
    <message>
        <source>{0} (of this prompt)</source>
        <translation>{0}（仅此提示词）</translation>
    </message>
    <message>
        <source>On this computer, without key and network. Very small: it errs often.</source>
        <translation>在本机运行，无需密钥和网络。模型很小，经常出错。</translation>
    </message>
    <message>
        <source>What “As sent” shows goes to {0}.</source>
        <translation>“实际发送”中显示的内容会发给 {0}。</translation>
    </message>
    <message>
        <source>its own</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Tokens at most</source>
        <translation>最多词元</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>by itself</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Requests at once</source>
        <translation>同时请求数</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <source>Answers per row</source>
        <translation>每行回答数</translation>
    </message>
    <message>
        <source>not told</source>
        <translation>未告知</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Requests a minute</source>
        <translation>每分钟请求数</translation>
    </message>
    <message>
        <source>Tokens a minute</source>
        <translation>每分钟词元数</translation>
    </message>
    <message>
        <source>Tries per row</source>
        <translation>每行尝试次数</translation>
    </message>
    <message>
        <source>Connecting, s</source>
        <translation>建立连接（秒）</translation>
    </message>
    <message>
        <source>Silence, s</source>
        <translation>无响应（秒）</translation>
    </message>
    <message>
        <source>One request, s</source>
        <translation>单次请求（秒）</translation>
    </message>
    <message>
        <source>One row in all, s</source>
        <translation>单行总计（秒）</translation>
    </message>
    <message>
        <source>How it is asked</source>
        <translation>提问方式</translation>
    </message>
</context>
</TS>
