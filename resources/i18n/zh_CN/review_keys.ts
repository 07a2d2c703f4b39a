<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>KeysPopover</name>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Accept the answer</source>
        <translation>采纳回答</translation>
    </message>
    <message>
        <source>Edit the answer</source>
        <translation>修改回答</translation>
    </message>
    <message>
        <source>Reject it, with a note</source>
        <translation>驳回，可写备注</translation>
    </message>
    <message>
        <source>Try again, with a note for the model</source>
        <translation>重试，可给模型写备注</translation>
    </message>
    <message>
        <source>Later: to the end of the queue</source>
        <translation>稍后：移到队尾</translation>
    </message>
    <message>
        <source>Undo the last step, any number of times</source>
        <translation>撤销上一步，次数不限</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一条</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一条</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Scroll the source</source>
        <translation>滚动原文</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message>
        <source>Accept what was edited</source>
        <translation>采纳修改后的回答</translation>
    </message>
    <message>
        <source>Leave editing, a note or the search</source>
        <translation>退出修改、备注或搜索</translation>
    </message>
</context>
</TS>
