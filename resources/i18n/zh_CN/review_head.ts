<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ReviewTools</name>
    <message>
        <source>Name that decisions are signed with; may be empty</source>
        <translation>决定所署的名字，可留空</translation>
    </message>
    <message>
        <source>Reviewer</source>
        <translation>复核人</translation>
    </message>
    <message>
        <source>Resume: {0} to send</source>
        <translation>继续运行：{0} 条待发送</translation>
    </message>
    <message>
        <source>{0} to review</source>
        <translation>{0} 条待复核</translation>
    </message>
    <message>
        <source>{0} · about {1} at your pace ({2} each)</source>
        <translation>{0} · 按您的速度约 {1}（每条 {2}）</translation>
    </message>
</context>
</TS>
