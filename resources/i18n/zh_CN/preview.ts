<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>PreviewPage</name>
    <message>
        <source>Preview</source>
        <translation>试跑</translation>
    </message>
    <message>
        <source>Write a prompt first; then try it here on a few rows.</source>
        <translation>请先编写提示词，再在这里用几行试跑。</translation>
    </message>
    <message>
        <source>Go to Prompt</source>
        <translation>前往提示词</translation>
    </message>
    <message>
        <source>Before all rows are sent, a few are sent twice. Three gates are counted: whether the answers fit the fields, whether the same row gets the same answer, and whether each answer names its own row. Then you see what all rows will cost and how long they will take. A pilot runs a tenth of the rows and waits until you release the rest.</source>
        <translation>发送全部行之前，先把几行各发送两次，并统计三道关卡：回答是否符合字段、同一行是否得到相同回答、每个回答是否对应自己的行。随后可看到全部行的费用和用时。先导运行会先跑十分之一的行，等您放行其余的行。</translation>
    </message>
    <message>
        <source>Try rows</source>
        <translation>试跑几行</translation>
    </message>
    <message>
        <source>{0} of {1} rows tried</source>
        <translation>已试 {0} / {1} 行</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) tried</source>
        <translation>
            <numerusform>已试 %Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>The table has no rows.</source>
        <translation>表中没有行。</translation>
    </message>
    <message>
        <source>Rows are being tried.</source>
        <translation>正在试跑。</translation>
    </message>
    <message>
        <source>{0} · version {1}</source>
        <translation>{0} · 版本 {1}</translation>
    </message>
    <message>
        <source>{0} · edited</source>
        <translation>{0} · 已修改</translation>
    </message>
    <message>
        <source>The job was changed since these rows were tried. Try them again.</source>
        <translation>试跑之后任务已修改，请再试一次。</translation>
    </message>
    <message>
        <source>“{0}” ({1} of {2})</source>
        <translation>“{0}”（{1} / {2}）</translation>
    </message>
    <message>
        <source>Not passed: {0}. You can run, but look at these rows first.</source>
        <translation>未通过：{0}。可以运行，但请先看看这些行。</translation>
    </message>
</context>
</TS>
