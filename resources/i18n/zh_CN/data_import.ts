<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>ImportStrip</name>
        <message>
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>The file was not read</source>
            <translation>文件没有读入</translation>
        </message>
        <message>
            <source>{0} Nothing else changed.</source>
            <translation>{0} 其他内容没有变化。</translation>
        </message>
        <message>
            <source>Reading {0}</source>
            <translation>正在读取 {0}</translation>
        </message>
        <message>
            <source>{0} of {1} MB</source>
            <translation>{0} / {1} MB</translation>
        </message>
        <message>
            <source>{0} left</source>
            <translation>还需 {0}</translation>
        </message>
    </context>
</TS>
