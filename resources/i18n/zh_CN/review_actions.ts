<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ActionBar</name>
    <message>
        <source>Accept</source>
        <translation>采纳</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>修改</translation>
    </message>
    <message>
        <source>Reject…</source>
        <translation>驳回…</translation>
    </message>
    <message>
        <source>Try again…</source>
        <translation>重试…</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>稍后</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>全部按键</translation>
    </message>
    <message>
        <source>previous, next</source>
        <translation>上一条、下一条</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Accept anyway</source>
        <translation>仍要采纳</translation>
    </message>
    <message>
        <source>The checks found something; see the fields.</source>
        <translation>检查发现了问题，见各字段。</translation>
    </message>
    <message>
        <source>The model&apos;s answer is kept beside yours.</source>
        <translation>模型的回答会与您的一并保留。</translation>
    </message>
    <message>
        <source>Reject {0}</source>
        <translation>驳回 {0}</translation>
    </message>
    <message>
        <source>Why? May stay empty</source>
        <translation>为什么？可留空</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>驳回</translation>
    </message>
    <message>
        <source>Sent when the run is resumed</source>
        <translation>继续运行时发送</translation>
    </message>
    <message>
        <source>Try {0} again</source>
        <translation>重试 {0}</translation>
    </message>
    <message>
        <source>What the model is told. May stay empty</source>
        <translation>告诉模型的话，可留空</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Sent while the run goes on</source>
        <translation>运行期间发送</translation>
    </message>
</context>
</TS>
