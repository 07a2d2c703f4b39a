<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>RunsModel</name>
    <message>
        <source>prompt v{0}</source>
        <translation>提示词 v{0}</translation>
    </message>
    <message>
        <source>preview</source>
        <translation>试跑</translation>
    </message>
    <message>
        <source>pilot</source>
        <translation>先导运行</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} skipped</source>
        <translation>跳过 {0} 行</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>待复核</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Accepted/min</source>
        <translation>采纳/分钟</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation>还需 {0}</translation>
    </message>
    <message>
        <source>{0} · paused by itself</source>
        <translation>{0} · 自动暂停</translation>
    </message>
    <message>
        <source>{0} · paused by you</source>
        <translation>{0} · 已由您暂停</translation>
    </message>
    <message>
        <source>{0} · stopped by you</source>
        <translation>{0} · 已由您停止</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>尚未开始</translation>
    </message>
</context>
</TS>
