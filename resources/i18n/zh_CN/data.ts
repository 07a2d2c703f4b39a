<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>DataPage</name>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Add another file…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Continue to prompt</source>
        <translation>继续到提示词</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Open a table, or drop it here.</source>
        <translation>打开一个表格，或把它拖到这里。</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Ctrl Shift O</source>
        <translation>Ctrl Shift O</translation>
    </message>
    <message>
        <source>CSV, Excel, JSON, Parquet or SQLite; Ctrl V pastes copied cells. The file itself is never changed. A folder of text, Markdown, PDF and Word files is a table with a row for each.</source>
        <translation>CSV、Excel、JSON、Parquet 或 SQLite；按 Ctrl V 粘贴复制的单元格。文件本身不会被更改。装有文本、Markdown、PDF 和 Word 文件的文件夹也是一张表，每个文件一行。</translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>The rows as they were read from the file. At the right you see how the file was read, choose the id and the label column, what is cleaned before a run, and find the lines with faults. Ctrl+C copies the selected cells, Ctrl+V pastes a table, Ctrl+G goes to a row.</source>
        <translation>这里是从文件读入的行。右侧可查看文件的读取方式，选择标识列和标签列，设置运行前的清理，并找到有问题的行。Ctrl+C 复制所选单元格，Ctrl+V 粘贴表格，Ctrl+G 转到某行。</translation>
    </message>
    <message>
        <source>Add a file…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Add a folder of documents…</source>
        <translation>添加文档文件夹…</translation>
    </message>
    <message>
        <source>Paste a table</source>
        <translation>粘贴表格</translation>
    </message>
    <message>
        <source>Ctrl V</source>
        <translation>Ctrl V</translation>
    </message>
    <message>
        <source>Go to row…</source>
        <translation>跳到行…</translation>
    </message>
    <message>
        <source>Ctrl G</source>
        <translation>Ctrl G</translation>
    </message>
    <message>
        <source>Remove this table…</source>
        <translation>移除此表格…</translation>
    </message>
    <message>
        <source>Open a table</source>
        <translation>打开表格</translation>
    </message>
    <message>
        <source>Tables ({0})</source>
        <translation>表格 ({0})</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a folder of documents</source>
        <translation>打开文档文件夹</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>读取方式</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Rows that are sent</source>
        <translation>要发送的行</translation>
    </message>
    <message>
        <source>Cleaning before a run</source>
        <translation>运行前清理</translation>
    </message>
    <message>
        <source>Wrong in the file</source>
        <translation>文件中的问题</translation>
    </message>
    <message>
        <source>Add the file again to choose another id column.</source>
        <translation>要换编号列，请重新添加文件。</translation>
    </message>
    <message>
        <source>The label is kept in the prompt, which is being made.</source>
        <translation>标签保存在提示词中，正在创建提示词。</translation>
    </message>
    <message>
        <source>The prompt sends the label column “{0}”, so the model sees the right answer.</source>
        <translation>提示词会发送标签列“{0}”，模型会看到正确答案。</translation>
    </message>
    <message>
        <source>Open a table first.</source>
        <translation>请先打开表格。</translation>
    </message>
    <message>
        <source>A file is being read.</source>
        <translation>正在读取文件。</translation>
    </message>
    <message>
        <source>Open a project first.</source>
        <translation>请先打开项目。</translation>
    </message>
    <message>
        <source>in {0}</source>
        <translation>位于 {0}</translation>
    </message>
</context>
</TS>
