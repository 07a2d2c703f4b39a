<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ResultsTiles</name>
    <message>
        <source>Answered</source>
        <translation>已回答</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>In review</source>
        <translation>待复核</translation>
    </message>
    <message>
        <source>Rejected or failed</source>
        <translation>驳回或失败</translation>
    </message>
    <message>
        <source>Rejected, failed</source>
        <translation>驳回、失败</translation>
    </message>
    <message>
        <source>Accuracy of answered</source>
        <translation>已回答的准确率</translation>
    </message>
    <message>
        <source>Right of answered</source>
        <translation>已答正确率</translation>
    </message>
    <message>
        <source>End-to-end accuracy</source>
        <translation>端到端准确率</translation>
    </message>
    <message>
        <source>Right of all</source>
        <translation>总正确率</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>requests: {0} ok</source>
        <translation>请求成功率 {0}</translation>
    </message>
    <message>
        <source>{0} pass rate</source>
        <translation>通过率 {0}</translation>
    </message>
    <message>
        <source>{0} of answered</source>
        <translation>占已回答的 {0}</translation>
    </message>
    <message>
        <source>{0} rejected, {1} failed</source>
        <translation>驳回 {0}，失败 {1}</translation>
    </message>
    <message>
        <source>no labels yet</source>
        <translation>尚无标签</translation>
    </message>
    <message>
        <source>failed = wrong</source>
        <translation>失败按答错计</translation>
    </message>
    <message>
        <source>{0} tokens</source>
        <translation>{0} 词元</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) have their answer from the pilot.</source>
        <translation>
            <numerusform>%Ln 行的答案来自先导运行。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln unchanged row(s) have theirs from an earlier run.</source>
        <translation>
            <numerusform>%Ln 行没有变化，答案来自之前的运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>The table and the export have these; “Answered” and the others do not.</source>
        <translation>表格和导出文件包含这些答案；“已回答”等数字不包含。</translation>
    </message>
    <message>
        <source>95 %: {0}–{1} %</source>
        <translation>95%：{0}–{1}%</translation>
    </message>
</context>
</TS>
