<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>VersionWords</name>
    <message>
        <source>Version {0} · {1}</source>
        <translation>版本 {0} · {1}</translation>
    </message>
</context>
<context>
    <name>VersionsBox</name>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Green lines are in the present one, red ones only in the chosen version.</source>
        <translation>绿色行属于当前版本，红色行只在所选版本中。</translation>
    </message>
    <message>
        <source>Return to this version</source>
        <translation>返回此版本</translation>
    </message>
    <message>
        <source>The present one says the same.</source>
        <translation>与当前版本相同。</translation>
    </message>
    <message>
        <source>System text</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <source>Text per row</source>
        <translation>每行文本</translation>
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
        <source>Compare with the label</source>
        <translation>与标签比较</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Service</source>
        <translation>服务</translation>
    </message>
    <message>
        <source>Only rows where</source>
        <translation>仅限满足条件的行</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Example {0}</source>
        <translation>示例 {0}</translation>
    </message>
    <message>
        <source>Check {0}</source>
        <translation>检查 {0}</translation>
    </message>
    <message>
        <source>Answer: {0}</source>
        <translation>回答：{0}</translation>
    </message>
</context>
<context>
    <name>VersionsSection</name>
    <message>
        <source>The first version is saved when you stop typing.</source>
        <translation>停止输入后会保存第一个版本。</translation>
    </message>
    <message>
        <source>Compare versions…</source>
        <translation>比较版本…</translation>
    </message>
    <message>
        <source>What differs from the present one</source>
        <translation>与当前版本的差异</translation>
    </message>
</context>
</TS>
