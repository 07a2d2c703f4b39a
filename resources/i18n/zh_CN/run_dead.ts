<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>DeadPanel</name>
    <message>
        <source>Failed rows</source>
        <translation>失败的行</translation>
    </message>
    <message>
        <source>Resume the run</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>No row has failed.</source>
        <translation>没有失败的行。</translation>
    </message>
    <message numerus="yes">
        <source>Ask all %Ln again</source>
        <translation>
            <numerusform>重新提问全部 %Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Kinds of failure</source>
        <translation>失败种类</translation>
    </message>
    <message numerus="yes">
        <source>Ask %Ln selected again</source>
        <translation>
            <numerusform>重新提问所选 %Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose a row first.</source>
        <translation>请先选择一行。</translation>
    </message>
    <message>
        <source>Rows are being put back.</source>
        <translation>正在放回这些行。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) will be asked again.</source>
        <translation>
            <numerusform>%Ln 行将重新提问。</numerusform>
        </translation>
    </message>
    <message>
        <source>The run sends them now.</source>
        <translation>运行现在就会发送它们。</translation>
    </message>
    <message>
        <source>They wait until the run is resumed.</source>
        <translation>它们会等到运行继续。</translation>
    </message>
    <message>
        <source>Export the failed rows</source>
        <translation>导出失败的行</translation>
    </message>
    <message>
        <source>CSV, for spreadsheets (*.csv)</source>
        <translation>CSV，用于电子表格 (*.csv)</translation>
    </message>
    <message>
        <source>TSV, tab between cells (*.tsv)</source>
        <translation>TSV，以制表符分隔 (*.tsv)</translation>
    </message>
    <message>
        <source>JSON Lines (*.jsonl)</source>
        <translation>JSON Lines (*.jsonl)</translation>
    </message>
    <message>
        <source>Failed rows are being written.</source>
        <translation>正在写出失败的行。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln failed row(s) are in {0}</source>
        <translation>
            <numerusform>%Ln 个失败的行已写入 {0}</numerusform>
        </translation>
    </message>
    <message>
        <source>The failed rows were not exported</source>
        <translation>失败的行没有导出</translation>
    </message>
</context>
</TS>
