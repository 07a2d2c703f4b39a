<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>MainWindow</name>
    <message>
        <source>The settings could not be read ({0}) and were set aside.</source>
        <translation>无法读取设置（{0}），原文件已另存。</translation>
    </message>
</context>
</TS>
