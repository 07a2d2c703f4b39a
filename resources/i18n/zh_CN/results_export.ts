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
        <source>Excel workbook (*.xlsx)</source>
        <translation>Excel 工作簿 (*.xlsx)</translation>
    </message>
    <message>
        <source>JSON Lines (*.jsonl)</source>
        <translation>JSON Lines (*.jsonl)</translation>
    </message>
    <message>
        <source>Parquet (*.parquet)</source>
        <translation>Parquet (*.parquet)</translation>
    </message>
    <message>
        <source>SQLite database (*.sqlite)</source>
        <translation>SQLite 数据库 (*.sqlite)</translation>
    </message>
    <message>
        <source>Copy of the workbook, with the answers (*{0})</source>
        <translation>原工作簿的副本，附上回答 (*{0})</translation>
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
