<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ForecastPanel</name>
    <message>
        <source>Forecast for all rows</source>
        <translation>全部行的预测</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Try some rows; then you see here what all of them will take.</source>
        <translation>先试跑几行，这里就会显示全部行的费用和用时。</translation>
    </message>
    <message>
        <source>“Run the rest” sends only the rows that the pilot left. This makes a new run of all rows with the job as it is now; answers that the same request had are reused.</source>
        <translation>“运行其余的行”只发送先导运行剩下的行。这里则按任务现在的设置对全部行新建一次运行；相同请求已有的答案会复用。</translation>
    </message>
    <message numerus="yes">
        <source>Forecast for all %Ln row(s)</source>
        <translation>
            <numerusform>全部 %Ln 行的预测</numerusform>
        </translation>
    </message>
    <message>
        <source>Run 10 % pilot</source>
        <translation>先导运行 10%</translation>
    </message>
    <message>
        <source>Run all chosen rows</source>
        <translation>运行所有选定的行</translation>
    </message>
    <message>
        <source>Run all ({0} to send)</source>
        <translation>运行全部（发送 {0} 行）</translation>
    </message>
    <message numerus="yes">
        <source>Run all %Ln row(s)</source>
        <translation>
            <numerusform>运行全部 %Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>the price of this model is not known</source>
        <translation>不知道此模型的价格</translation>
    </message>
    <message>
        <source>{0} to {1}, 19 times in 20</source>
        <translation>{0} 到 {1}（20 次中 19 次）</translation>
    </message>
    <message>
        <source>by the limit of requests</source>
        <translation>受请求上限限制</translation>
    </message>
    <message>
        <source>by the limit of tokens</source>
        <translation>受词元上限限制</translation>
    </message>
    <message>
        <source>at the fixed number at once</source>
        <translation>按固定的并发数</translation>
    </message>
    <message>
        <source>no limit is known</source>
        <translation>不知道上限</translation>
    </message>
    <message>
        <source>{0} to {1}, {2}</source>
        <translation>{0} 到 {1}，{2}</translation>
    </message>
    <message>
        <source>{0} in, {1} out</source>
        <translation>输入 {0}，输出 {1}</translation>
    </message>
    <message>
        <source>{0} of the input</source>
        <translation>占输入的 {0}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln of them again</source>
        <translation>
            <numerusform>其中 %Ln 次为重发</numerusform>
        </translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Instructions alone</source>
        <translation>仅说明部分</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Answered already</source>
        <translation>已有回答</translation>
    </message>
    <message>
        <source>Too long for the model</source>
        <translation>超出模型长度</translation>
    </message>
    <message>
        <source>Over a minute&apos;s tokens</source>
        <translation>超过每分钟词元上限</translation>
    </message>
</context>
</TS>
