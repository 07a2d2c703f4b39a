<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>FaultLine</name>
    <message>
        <source>Remove the fault: {0}</source>
        <translation>移除故障：{0}</translation>
    </message>
</context>
<context>
    <name>PracticeSection</name>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>The practice server answers after</source>
        <translation>练习服务器的回答用时</translation>
    </message>
    <message>
        <source>The practice server allows requests a minute</source>
        <translation>练习服务器每分钟允许的请求数</translation>
    </message>
    <message>
        <source>The practice server allows tokens a minute</source>
        <translation>练习服务器每分钟允许的词元数</translation>
    </message>
    <message>
        <source>The practice server&apos;s own seed</source>
        <translation>练习服务器自己的随机种子</translation>
    </message>
    <message>
        <source>Add a fault</source>
        <translation>添加故障</translation>
    </message>
    <message>
        <source>too many requests (429)</source>
        <translation>请求过多（429）</translation>
    </message>
    <message>
        <source>service error (500)</source>
        <translation>服务错误（500）</translation>
    </message>
    <message>
        <source>overloaded (503)</source>
        <translation>服务过载（503）</translation>
    </message>
    <message>
        <source>connection broken</source>
        <translation>连接中断</translation>
    </message>
    <message>
        <source>no answer at all</source>
        <translation>完全没有回答</translation>
    </message>
    <message>
        <source>answer cut off, and says so</source>
        <translation>回答被截断（有说明）</translation>
    </message>
    <message>
        <source>answer not readable</source>
        <translation>回答不可读</translation>
    </message>
    <message>
        <source>empty answer</source>
        <translation>空回答</translation>
    </message>
    <message>
        <source>a field missing</source>
        <translation>缺少字段</translation>
    </message>
    <message>
        <source>answer for another row</source>
        <translation>答非本行</translation>
    </message>
    <message>
        <source>two answers in one</source>
        <translation>一次两个回答</translation>
    </message>
    <message>
        <source>answer cut off in silence</source>
        <translation>回答被截断（无说明）</translation>
    </message>
    <message>
        <source>a web page instead</source>
        <translation>返回网页</translation>
    </message>
    <message>
        <source>ten times slower</source>
        <translation>慢十倍</translation>
    </message>
    <message>
        <source>Add a fault…</source>
        <translation>添加故障…</translation>
    </message>
    <message>
        <source>It answers after, s</source>
        <translation>它的回答用时（秒）</translation>
    </message>
    <message>
        <source>It allows requests a minute</source>
        <translation>它每分钟允许的请求数</translation>
    </message>
    <message>
        <source>It allows tokens a minute</source>
        <translation>它每分钟允许的词元数</translation>
    </message>
    <message>
        <source>Its own seed</source>
        <translation>它自己的随机种子</translation>
    </message>
    <message>
        <source>Not a model: it finds words by patterns, and plays the faults you choose, so that you can see how a run copes. It needs no key and no network.</source>
        <translation>不是模型：它按规则找词，并模拟您选择的故障，让您看到运行如何应对。无需密钥和网络。</translation>
    </message>
</context>
</TS>
