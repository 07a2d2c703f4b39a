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
        <source>Show failed rows of this kind</source>
        <translation>只显示此类失败的行</translation>
    </message>
    <message>
        <source>Ask this row again</source>
        <translation>重新提问此行</translation>
    </message>
    <message>
        <source>Resume the run</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>No row has failed.</source>
        <translation>没有失败的行。</translation>
    </message>
    <message>
        <source>All tries with raw request and response</source>
        <translation>每次尝试的原始请求与响应</translation>
    </message>
    <message>
        <source>All kinds ({0})</source>
        <translation>全部种类（{0}）</translation>
    </message>
    <message>
        <source>{0}: {1}</source>
        <translation>{0}：{1}</translation>
    </message>
    <message>
        <source>Try {0}</source>
        <translation>第 {0} 次</translation>
    </message>
    <message>
        <source>(nothing)</source>
        <translation>（无）</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>响应</translation>
    </message>
    <message numerus="yes">
        <source>Ask all %Ln again</source>
        <translation>
            <numerusform>重新提问全部 %Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Pause the run first; rows are put back while it rests.</source>
        <translation>请先暂停运行；只有在暂停时才能放回这些行。</translation>
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
        <source>They wait until the run is resumed.</source>
        <translation>它们会等到运行继续。</translation>
    </message>
</context>
</TS>
