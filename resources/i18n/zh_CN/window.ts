<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>MainWindow</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Find a page or a command</source>
        <translation>查找页面或命令</translation>
    </message>
    <message>
        <source>Nothing is called that.</source>
        <translation>没有这个名称的页面或命令。</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>试跑</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>复核</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Ctrl {0}</source>
        <translation>Ctrl {0}</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>{0} %</source>
        <translation>{0}%</translation>
    </message>
    <message>
        <source>paused by itself</source>
        <translation>自动暂停</translation>
    </message>
    <message>
        <source>open a project first</source>
        <translation>先打开项目</translation>
    </message>
    <message>
        <source>needs rows</source>
        <translation>需要数据行</translation>
    </message>
    <message>
        <source>no run yet</source>
        <translation>尚无运行</translation>
    </message>
    <message>
        <source>nothing waits</source>
        <translation>没有待复核的行</translation>
    </message>
    <message>
        <source>no answers yet</source>
        <translation>尚无答案</translation>
    </message>
    <message>
        <source>Go to {0}</source>
        <translation>转到{0}</translation>
    </message>
    <message>
        <source>New project…</source>
        <translation>新建项目…</translation>
    </message>
    <message>
        <source>Ctrl N</source>
        <translation>Ctrl N</translation>
    </message>
    <message>
        <source>Open project…</source>
        <translation>打开项目…</translation>
    </message>
    <message>
        <source>Ctrl O</source>
        <translation>Ctrl O</translation>
    </message>
    <message>
        <source>Save a copy…</source>
        <translation>另存副本…</translation>
    </message>
    <message>
        <source>Close project</source>
        <translation>关闭项目</translation>
    </message>
    <message>
        <source>Explain this page</source>
        <translation>说明本页</translation>
    </message>
    <message>
        <source>Ctrl K</source>
        <translation>Ctrl K</translation>
    </message>
    <message>
        <source>find a page or a command</source>
        <translation>查找页面或命令</translation>
    </message>
    <message>
        <source>first page, last page</source>
        <translation>第一页、最后一页</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>close this</source>
        <translation>关闭此说明</translation>
    </message>
</context>
</TS>
