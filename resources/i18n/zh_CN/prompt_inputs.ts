<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>NumberLine</name>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>{0} from {1} to {2}</source>
        <translation>{1} 到 {2} 的{0}</translation>
    </message>
    <message>
        <source>{0} above {1}</source>
        <translation>大于 {1} 的{0}</translation>
    </message>
    <message>
        <source>{0} from {1} on</source>
        <translation>不小于 {1} 的{0}</translation>
    </message>
    <message>
        <source>{0}: it takes {1}.</source>
        <translation>{0}：应填{1}。</translation>
    </message>
    <message>
        <source>{0}: it takes {1}, or nothing.</source>
        <translation>{0}：应填{1}，或留空。</translation>
    </message>
</context>
</TS>
