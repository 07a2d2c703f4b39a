<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>TablePanel</name>
        <message>
            <source>Rows of the table</source>
            <translation>表格的行</translation>
        </message>
        <message>
            <source>Table</source>
            <translation>表格</translation>
        </message>
        <message>
            <source>Go to row…</source>
            <translation>跳到行…</translation>
        </message>
        <message>
            <source>Go to a row (Ctrl+G)</source>
            <translation>跳到某一行 (Ctrl+G)</translation>
        </message>
        <message>
            <source>Go to row</source>
            <translation>跳到行</translation>
        </message>
        <message>
            <source>{0} · {1}</source>
            <translation>{0} · {1}</translation>
        </message>
        <message numerus="yes">
            <source>%Ln row(s)</source>
            <translation>
                <numerusform>%Ln 行</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln column(s)</source>
            <translation>
                <numerusform>%Ln 列</numerusform>
            </translation>
        </message>
        <message>
            <source>At most {0} rows can be copied at once. Select fewer.</source>
            <translation>一次最多复制 {0} 行，请少选一些。</translation>
        </message>
        <message>
            <source>row number</source>
            <translation>行号</translation>
        </message>
        <message>
            <source>{0} · {1} rows · id: {2}</source>
            <translation>{0} · {1} 行 · 编号：{2}</translation>
        </message>
    </context>
</TS>
