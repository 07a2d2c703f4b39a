<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Exporting</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Export the rows</source>
        <translation>导出所有行</translation>
    </message>
    <message>
        <source>CSV, for spreadsheets (*.csv)</source>
        <translation>CSV，适合电子表格 (*.csv)</translation>
    </message>
    <message>
        <source>TSV, tab between cells (*.tsv)</source>
        <translation>TSV，制表符分隔 (*.tsv)</translation>
    </message>
    <message>
        <source>JSON Lines (*.jsonl)</source>
        <translation>JSON Lines (*.jsonl)</translation>
    </message>
    <message>
        <source>Writing {0} …</source>
        <translation>正在写入 {0}…</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) are in {0}</source>
        <translation>
            <numerusform>%n 行已写入 {0}</numerusform>
        </translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>The rows were not exported</source>
        <translation>未能导出</translation>
    </message>
</context>
</TS>
