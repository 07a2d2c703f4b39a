<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>Agreeing</name>
        <message>
            <source>Nothing was sent.</source>
            <translation>什么都没有发送。</translation>
        </message>
    </context>
</TS>
