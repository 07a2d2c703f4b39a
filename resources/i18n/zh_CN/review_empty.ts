<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>NothingWaits</name>
    <message>
        <source>Answers that a check finds doubtful wait here while a run goes on.</source>
        <translation>运行进行时，检查认为存疑的回答会在这里等待。</translation>
    </message>
    <message>
        <source>No run is open</source>
        <translation>没有打开的运行</translation>
    </message>
    <message>
        <source>Show all that wait</source>
        <translation>显示全部待复核</translation>
    </message>
    <message>
        <source>Nothing here fits the filters</source>
        <translation>没有符合筛选条件的内容</translation>
    </message>
    <message>
        <source>Nothing waits for you</source>
        <translation>没有等待您复核的内容</translation>
    </message>
    <message>
        <source>Answers that a check finds doubtful come here; all others passed.</source>
        <translation>检查认为存疑的回答会来到这里，其余均已通过。</translation>
    </message>
    <message>
        <source>Look at failed rows ({0})</source>
        <translation>查看失败的行（{0}）</translation>
    </message>
</context>
</TS>
