<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ProblemsModel</name>
    <message>
        <source>cell {0}</source>
        <translation>单元格 {0}</translation>
    </message>
    <message>
        <source>line {0}</source>
        <translation>第 {0} 行</translation>
    </message>
    <message>
        <source>row {0}</source>
        <translation>第 {0} 行</translation>
    </message>
    <message>
        <source>{cells} cells instead of {expected}</source>
        <translation>有 {cells} 格，应为 {expected} 格</translation>
    </message>
    <message>
        <source>NUL characters, removed</source>
        <translation>含 NUL 字符，已去除</translation>
    </message>
    <message>
        <source>characters that do not fit the encoding</source>
        <translation>有不符合编码的字符</translation>
    </message>
    <message>
        <source>column “{name}” again, now “{column}”</source>
        <translation>列名“{name}”重复，改为“{column}”</translation>
    </message>
    <message>
        <source>column without a name, now “{column}”</source>
        <translation>列没有名称，定为“{column}”</translation>
    </message>
    <message>
        <source>id “{value}” again, now “{key}”</source>
        <translation>编号“{value}”重复，改为“{key}”</translation>
    </message>
    <message>
        <source>no id, now “{key}”</source>
        <translation>没有编号，定为“{key}”</translation>
    </message>
    <message>
        <source>not an object, left out</source>
        <translation>不是对象，未读入</translation>
    </message>
    <message>
        <source>not JSON, left out</source>
        <translation>不是 JSON，未读入</translation>
    </message>
    <message>
        <source>nested deeper than {limit} levels, left out</source>
        <translation>嵌套超过 {limit} 层，已略去</translation>
    </message>
    <message>
        <source>blank line, left out</source>
        <translation>空行，未读入</translation>
    </message>
    <message>
        <source>quote not closed over {lines} lines</source>
        <translation>引号没有闭合，跨 {lines} 行</translation>
    </message>
    <message>
        <source>column “{name}” is reserved, now “{column}”</source>
        <translation>列名“{name}”为保留名，改为“{column}”</translation>
    </message>
    <message>
        <source>above the column names, left out</source>
        <translation>在列名上方，未读入</translation>
    </message>
    <message>
        <source>an error, kept as “{value}”</source>
        <translation>错误值，保留为“{value}”</translation>
    </message>
    <message>
        <source>formula without a saved result, empty</source>
        <translation>公式没有保存结果，留空</translation>
    </message>
    <message>
        <source>cannot be read, empty</source>
        <translation>无法读取，留空</translation>
    </message>
    <message>
        <source>{bytes} bytes that are no text, shown as hexadecimal</source>
        <translation>{bytes} 字节不是文字，以十六进制显示</translation>
    </message>
    <message>
        <source>hidden sheet “{name}”, not read</source>
        <translation>隐藏的工作表“{name}”，未读入</translation>
    </message>
    <message>
        <source>“{name}” is there as well, not read</source>
        <translation>另有“{name}”，未读入</translation>
    </message>
    <message>
        <source>“{name}” cannot be read: {reason}</source>
        <translation>“{name}”无法读取：{reason}</translation>
    </message>
    <message>
        <source>“{name}” has no text, such as a scan</source>
        <translation>“{name}”没有文字，例如扫描件</translation>
    </message>
</context>
<context>
    <name>ProblemsSection</name>
    <message>
        <source>Lines with faults</source>
        <translation>有问题的行</translation>
    </message>
    <message>
        <source>Nothing: every line was read.</source>
        <translation>没有问题：每一行都已读入。</translation>
    </message>
    <message>
        <source>The row of this line cannot be told.</source>
        <translation>找不到这一行对应的数据行。</translation>
    </message>
</context>
</TS>
