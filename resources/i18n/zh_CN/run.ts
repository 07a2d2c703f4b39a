<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>RunPage</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Failed rows</source>
        <translation>失败的行</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Here you watch a run and start, pause or stop it. Nothing is lost by any of these: every answer is saved at once, and a run goes on where it was. “Failed rows” shows what could not be answered, with the raw exchange, and asks again. “Ceiling” changes how hard the run pushes; “Look back” reads the figures of any moment.</source>
        <translation>在这里可以查看运行，并开始、暂停或停止它。这些操作都不会丢失任何内容：每个回答都会立即保存，运行可以从原处继续。“失败的行”列出没有得到回答的行及其原始往来，并可重新提问。“并发上限”可更改运行的力度；“回看”可读取任一时刻的数据。</translation>
    </message>
    <message>
        <source>Start or resume the run</source>
        <translation>开始或继续运行</translation>
    </message>
    <message>
        <source>Pause the run</source>
        <translation>暂停运行</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>停止运行</translation>
    </message>
    <message>
        <source>Change the limits of the run</source>
        <translation>更改此运行的上限</translation>
    </message>
    <message>
        <source>Show failed rows</source>
        <translation>显示失败的行</translation>
    </message>
    <message>
        <source>Look back</source>
        <translation>回看</translation>
    </message>
    <message>
        <source>The run is being read.</source>
        <translation>正在读取运行。</translation>
    </message>
    <message>
        <source>Open a project or a table to run a prompt over it.</source>
        <translation>请打开一个项目或表格，再用提示词处理它。</translation>
    </message>
    <message>
        <source>Go to Runs</source>
        <translation>前往运行记录</translation>
    </message>
    <message>
        <source>Choose the table whose rows are to be sent.</source>
        <translation>请选择要发送的表格。</translation>
    </message>
    <message>
        <source>Go to Data</source>
        <translation>前往数据</translation>
    </message>
    <message>
        <source>Nothing has been run yet. Write the prompt, try it, then run it.</source>
        <translation>还没有运行过。请先编写提示词并试跑，然后运行。</translation>
    </message>
    <message>
        <source>Go to Prompt</source>
        <translation>前往提示词</translation>
    </message>
    <message>
        <source>Pausing</source>
        <translation>正在暂停</translation>
    </message>
    <message numerus="yes">
        <source>preview of %Ln row(s)</source>
        <translation>
            <numerusform>试跑 %Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pilot of %Ln row(s)</source>
        <translation>
            <numerusform>先导运行 %Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>all %Ln row(s)</source>
        <translation>
            <numerusform>全部 %Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>since {0}</source>
        <translation>{0} 开始</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>The run is not under way.</source>
        <translation>运行未在进行。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) in flight are being finished.</source>
        <translation>
            <numerusform>正在等待 %Ln 个在途请求完成。</numerusform>
        </translation>
    </message>
    <message>
        <source>Sends no more requests; those in flight finish. Nothing is lost.</source>
        <translation>不再发送新请求；在途请求会完成。不会丢失数据。</translation>
    </message>
    <message>
        <source>Sends no more requests and gives up those in flight; they are sent again when the run is resumed. Nothing is lost.</source>
        <translation>不再发送新请求，并放弃在途请求；继续运行时会重新发送它们。不会丢失数据。</translation>
    </message>
    <message>
        <source>The run is paused: nothing is in flight, so there is nothing to stop.</source>
        <translation>运行已暂停：没有在途请求，无需停止。</translation>
    </message>
    <message>
        <source>The run is under way.</source>
        <translation>运行正在进行。</translation>
    </message>
    <message>
        <source>The run has finished; every row has an outcome.</source>
        <translation>运行已完成，每一行都有结果。</translation>
    </message>
    <message>
        <source>The run is being prepared.</source>
        <translation>正在准备运行。</translation>
    </message>
</context>
</TS>
