<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ReviewPage</name>
    <message>
        <source>Review</source>
        <translation>复核</translation>
    </message>
    <message>
        <source>There is no answer in the asked form; edit it or try again</source>
        <translation>没有符合格式的回答，请修改或重试</translation>
    </message>
    <message>
        <source>No item is chosen</source>
        <translation>没有选中任何一条</translation>
    </message>
    <message>
        <source>Nothing was done yet</source>
        <translation>还没有可撤销的操作</translation>
    </message>
    <message>
        <source>Look at the answer, then accept it anyway</source>
        <translation>请先查看回答，再按一次即采纳</translation>
    </message>
    <message>
        <source>{0} comes later</source>
        <translation>{0} 稍后再看</translation>
    </message>
    <message>
        <source>{0} {1}</source>
        <comment>row and decision</comment>
        <translation>{0} {1}</translation>
    </message>
    <message>
        <source>{0} waits again</source>
        <translation>{0} 重新等待复核</translation>
    </message>
    <message>
        <source>There is nothing to accept yet.</source>
        <translation>还没有可采纳的内容。</translation>
    </message>
    <message>
        <source>Answers that a check finds doubtful wait here. Read the source, then accept (A), edit (E), reject (R) or try again (T). The next item follows by itself; U takes the last step back, and ? shows all keys.</source>
        <translation>检查认为存疑的回答在这里等待。阅读原文，然后采纳（A）、修改（E）、驳回（R）或重试（T）。下一条会自动出现；U 撤销上一步，? 显示全部按键。</translation>
    </message>
</context>
</TS>
