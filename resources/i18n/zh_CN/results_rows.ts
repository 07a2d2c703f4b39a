<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>RowsPanel</name>
    <message>
        <source>Rows of the run</source>
        <translation>运行的行</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Show rows in this state</source>
        <translation>按状态显示行</translation>
    </message>
    <message>
        <source>Search rows</source>
        <translation>搜索行</translation>
    </message>
    <message>
        <source>Search in row keys and cells</source>
        <translation>在行标识和单元格中搜索</translation>
    </message>
    <message>
        <source>Show all rows</source>
        <translation>显示所有行</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>置信度</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Tries</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>复核结果</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
    <message>
        <source>No row matches.</source>
        <translation>没有符合条件的行。</translation>
    </message>
    <message>
        <source>The run has no rows.</source>
        <translation>此运行没有行。</translation>
    </message>
    <message>
        <source>label: {0}</source>
        <translation>标签：{0}</translation>
    </message>
    <message>
        <source>answer: {0}</source>
        <translation>答案：{0}</translation>
    </message>
    <message>
        <source>failed: {0}</source>
        <translation>失败：{0}</translation>
    </message>
    <message>
        <source>Remove the filter {0}</source>
        <translation>移除筛选“{0}”</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>全部行</translation>
    </message>
    <message>
        <source>Answered</source>
        <translation>已回答</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>Accepted by a reviewer</source>
        <translation>已采纳</translation>
    </message>
    <message>
        <source>In review</source>
        <translation>待复核</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>已驳回</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>Still to do</source>
        <translation>未完成</translation>
    </message>
</context>
</TS>
