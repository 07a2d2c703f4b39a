<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ChoiceStrip</name>
    <message>
        <source>Number of rows</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>How they are chosen</source>
        <translation>选取方式</translation>
    </message>
    <message>
        <source>Other rows</source>
        <translation>换一批行</translation>
    </message>
    <message>
        <source>Try them</source>
        <translation>开始试跑</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>试跑</translation>
    </message>
    <message>
        <source>rows:</source>
        <translation>行：</translation>
    </message>
    <message>
        <source>each twice</source>
        <translation>每行两次</translation>
    </message>
    <message>
        <source>the first ones</source>
        <translation>最前面的行</translation>
    </message>
    <message>
        <source>by chance</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>the longest ones</source>
        <translation>最长的行</translation>
    </message>
    <message>
        <source>spread over “{0}”</source>
        <translation>按“{0}”均分</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再试一次</translation>
    </message>
    <message>
        <source>Rows are being tried.</source>
        <translation>正在试跑。</translation>
    </message>
</context>
</TS>
