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
        <source>Read the text and answer in one short sentence: what is it about?</source>
        <translation>阅读文本，用一句简短的话回答：它讲的是什么？</translation>
    </message>
</context>
</TS>
