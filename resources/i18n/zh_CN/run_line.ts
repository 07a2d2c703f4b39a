<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>RunLine</name>
    <message>
        <source>Check again and resume</source>
        <translation>重新检查并继续</translation>
    </message>
    <message>
        <source>Paused by itself: {0}</source>
        <translation>自动暂停：{0}</translation>
    </message>
    <message>
        <source>Paused by itself at {0}: {1}</source>
        <translation>{0} 自动暂停：{1}</translation>
    </message>
    <message>
        <source>What was said: “{0}”.</source>
        <translation>原话：“{0}”。</translation>
    </message>
    <message numerus="yes">
        <source>Nothing is lost: all answers are saved, and %Ln row(s) wait.</source>
        <translation>
            <numerusform>没有丢失任何数据：所有回答均已保存，%Ln 行在等待。</numerusform>
        </translation>
    </message>
    <message>
        <source>See results</source>
        <translation>查看结果</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Review {0}</source>
        <translation>复核 {0} 行</translation>
    </message>
    <message>
        <source>{0} {1}</source>
        <translation>{0}{1}</translation>
    </message>
    <message>
        <source>The run is being started.</source>
        <translation>正在启动运行。</translation>
    </message>
    <message>
        <source>The rows of this run are being gathered.</source>
        <translation>正在收集本次运行的行。</translation>
    </message>
    <message>
        <source>Ready to start.</source>
        <translation>可以开始。</translation>
    </message>
    <message>
        <source>Paused.</source>
        <translation>已暂停。</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Finished: every row has an outcome.</source>
        <translation>已完成：每一行都有结果。</translation>
    </message>
    <message numerus="yes">
        <source>Nothing is lost; %Ln row(s) wait for the run to go on.</source>
        <translation>
            <numerusform>没有丢失任何数据；%Ln 行等待继续运行。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) failed; see “Failed rows”.</source>
        <translation>
            <numerusform>%Ln 行失败；请查看“失败的行”。</numerusform>
        </translation>
    </message>
</context>
</TS>
