<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>PilotPanel</name>
    <message>
        <source>Pilot</source>
        <translation>先导运行</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>查看运行</translation>
    </message>
    <message>
        <source>Run the rest</source>
        <translation>运行其余的行</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s); figures for one row</source>
        <translation>
            <numerusform>%Ln 行；按每行计</numerusform>
        </translation>
    </message>
    <message>
        <source>The pilot has not finished yet.</source>
        <translation>先导运行尚未完成。</translation>
    </message>
    <message>
        <source>The rest can go once the pilot has finished.</source>
        <translation>先导运行完成后可放行其余的行。</translation>
    </message>
    <message>
        <source>Other than in the preview, more than by chance: {0}.</source>
        <translation>与试跑相比有非偶然的差异：{0}。</translation>
    </message>
    <message>
        <source>Nothing differs from the preview by more than chance.</source>
        <translation>与试跑相比没有非偶然的差异。</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>试跑</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Tokens in</source>
        <translation>输入词元</translation>
    </message>
    <message>
        <source>Tokens out</source>
        <translation>输出词元</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
</context>
</TS>
