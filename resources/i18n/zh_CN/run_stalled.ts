<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>StalledBanner</name>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>No progress for {0}, though rows wait</source>
        <translation>{0}没有进展，但仍有行在等待</translation>
    </message>
    <message>
        <source>No limit explains it: this is a fault of Batchdesk, and what its parts are doing has been written to the log. Nothing is lost. Pause and resume to go on.</source>
        <translation>没有任何上限能解释这一点：这是 Batchdesk 的故障，各部分正在做什么已写入日志。没有丢失任何内容。请暂停后再继续。</translation>
    </message>
</context>
</TS>
