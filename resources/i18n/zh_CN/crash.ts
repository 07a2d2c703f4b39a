<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>CrashDialog</name>
    <message>
        <source>Something went wrong inside Batchdesk</source>
        <translation>Batchdesk 内部出错</translation>
    </message>
    <message>
        <source>This is a fault of Batchdesk ({0}), not of yours. Every answer and decision so far is saved, and you can go on. The report holds no rows and no keys:
{1}</source>
        <translation>这是 Batchdesk 的故障（{0}），不是您的问题。目前的所有答案和决定都已保存，您可以继续。报告中不含任何数据行和密钥：
{1}</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Show the report</source>
        <translation>显示报告</translation>
    </message>
</context>
</TS>
