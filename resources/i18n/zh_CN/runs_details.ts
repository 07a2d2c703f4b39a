<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>DetailsPanel</name>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Accepted per minute</source>
        <translation>每分钟采纳</translation>
    </message>
    <message>
        <source>No curve yet: it takes a few seconds.</source>
        <translation>还没有曲线：需要几秒钟。</translation>
    </message>
    <message>
        <source>Check again and resume</source>
        <translation>重新检查并继续</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Paused by itself: {0}</source>
        <translation>自动暂停：{0}</translation>
    </message>
    <message>
        <source>Paused by you</source>
        <translation>已由您暂停</translation>
    </message>
    <message>
        <source>Stopped by you</source>
        <translation>已由您停止</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) wait; nothing is lost.</source>
        <translation>
            <numerusform>%Ln 行在等待；没有丢失任何内容。</numerusform>
        </translation>
    </message>
    <message>
        <source>Message: “{0}”.</source>
        <translation>消息：“{0}”。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) wait to be sent.</source>
        <translation>
            <numerusform>%Ln 行等待发送。</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} passed, {1} wait for a review, {2} failed.</source>
        <translation>{0} 行通过，{1} 行待复核，{2} 行失败。</translation>
    </message>
    <message>
        <source>{0} rejected by you.</source>
        <translation>您驳回了 {0} 行。</translation>
    </message>
    <message>
        <source>{0} skipped.</source>
        <translation>跳过 {0} 行。</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Prompt and model…</source>
        <translation>提示词和模型…</translation>
    </message>
    <message>
        <source>Passed of done {0}</source>
        <translation>完成中通过 {0}</translation>
    </message>
    <message>
        <source>Requests {0}</source>
        <translation>请求 {0}</translation>
    </message>
    <message>
        <source>Active {0}</source>
        <translation>运行时间 {0}</translation>
    </message>
    <message>
        <source>Started {0}</source>
        <translation>开始于 {0}</translation>
    </message>
</context>
</TS>
