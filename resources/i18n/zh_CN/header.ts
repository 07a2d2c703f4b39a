<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>Header</name>
        <message>
            <source>Find a page or a command</source>
            <translation>查找页面或命令</translation>
        </message>
        <message>
            <source>Ctrl K</source>
            <translation>Ctrl K</translation>
        </message>
        <message>
            <source>Saved</source>
            <translation>已保存</translation>
        </message>
        <message>
            <source>Open recent</source>
            <translation>最近打开</translation>
        </message>
        <message>
            <source>No project</source>
            <translation>未打开项目</translation>
        </message>
        <message>
            <source>No project is open</source>
            <translation>没有打开的项目</translation>
        </message>
        <message>
            <source>Who answers: {0}</source>
            <translation>由谁回答：{0}</translation>
        </message>
        <message numerus="yes">
            <source>Saving %n row(s)</source>
            <translation>
                <numerusform>正在保存 %n 行</numerusform>
            </translation>
        </message>
        <message>
            <source>Find</source>
            <translation>查找</translation>
        </message>
        <message>
            <source>New project…</source>
            <translation>新建项目…</translation>
        </message>
        <message>
            <source>Open project…</source>
            <translation>打开项目…</translation>
        </message>
        <message>
            <source>Save a copy…</source>
            <translation>另存副本…</translation>
        </message>
        <message>
            <source>Close project</source>
            <translation>关闭项目</translation>
        </message>
    </context>
</TS>
