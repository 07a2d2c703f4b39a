<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>PromptPage</name>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Library…</source>
        <translation>提示词库…</translation>
    </message>
    <message>
        <source>Save version</source>
        <translation>保存版本</translation>
    </message>
    <message>
        <source>Continue to preview</source>
        <translation>前往试跑</translation>
    </message>
    <message>
        <source>Open a table first; then its columns can be put into a prompt.</source>
        <translation>请先打开表格，然后即可把其中的列放入提示词。</translation>
    </message>
    <message>
        <source>Go to Data</source>
        <translation>转到数据</translation>
    </message>
    <message>
        <source>Ctrl S</source>
        <translation>Ctrl S</translation>
    </message>
    <message>
        <source>Text per row: it is empty. Insert a column.</source>
        <translation>每行文本：内容为空。请插入一列。</translation>
    </message>
    <message>
        <source>{0}: {1}.</source>
        <translation>{0}：{1}。</translation>
    </message>
    <message>
        <source>Open a table first.</source>
        <translation>请先打开表格。</translation>
    </message>
    <message>
        <source>The table has no rows.</source>
        <translation>表格中没有行。</translation>
    </message>
    <message>
        <source>This version is saved.</source>
        <translation>此版本已保存。</translation>
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
        <source>Write what the model is told for all rows, and the text for each row; a click on a column puts it where the cursor is. “As sent” shows a real row filled in. At the left choose who answers, at the right what the answer must be. Try one row here and some on the Preview page before you run all. Changes are kept by themselves; a version is saved when you stop typing, leave the page, or start a run.</source>
        <translation>写下对所有行都适用的说明，以及每一行的文本；点击某列会把它插入光标处。“实际发送”显示填好的真实行。左侧选择由谁回答，右侧规定回答的形式。运行全部之前，先在这里试一行，再到“试跑”页试几行。更改会自动保留；停止输入、离开页面或开始运行时会保存一个版本。</translation>
    </message>
    <message>
        <source>Run all chosen rows</source>
        <translation>运行所有选定的行</translation>
    </message>
    <message numerus="yes">
        <source>Run all %Ln row(s)</source>
        <translation>
            <numerusform>运行全部 %Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Not taken yet: {0}</source>
        <translation>尚未采用：{0}</translation>
    </message>
    <message>
        <source>Changes are kept; a version is saved when you stop typing.</source>
        <translation>修改已保留；停止输入后会保存为版本。</translation>
    </message>
    <message>
        <source>Everything is saved.</source>
        <translation>全部已保存。</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
</context>
</TS>
