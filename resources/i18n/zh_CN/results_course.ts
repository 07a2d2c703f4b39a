<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>CoursePanel</name>
    <message>
        <source>How it went</source>
        <translation>运行情况</translation>
    </message>
    <message>
        <source>{0} requests</source>
        <translation>{0} 次请求</translation>
    </message>
    <message>
        <source>{0} answers reused</source>
        <translation>复用 {0} 个答案</translation>
    </message>
    <message>
        <source>Requests without a usable answer</source>
        <translation>没有得到可用答案的请求</translation>
    </message>
    <message>
        <source>Rows that failed</source>
        <translation>失败的行</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>Rows that were not sent</source>
        <translation>未发送的行</translation>
    </message>
    <message>
        <source>{0} of them wait for review in run {1}.</source>
        <translation>其中 {0} 行在第 {1} 次运行中等待复核。</translation>
    </message>
    <message>
        <source>Every request was answered.</source>
        <translation>所有请求都得到了答案。</translation>
    </message>
    <message>
        <source>Show these rows</source>
        <translation>显示这些行</translation>
    </message>
</context>
</TS>
