<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>FirstJob</name>
    <message>
        <source>The answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Read the text and say in one sentence of at most 20 words what it is about. If the text does not say, answer “unknown”.</source>
        <translation>阅读文本，用一句不超过 30 字的话说明它讲的是什么。如果文本没有说明，请回答“未知”。</translation>
    </message>
</context>
</TS>
