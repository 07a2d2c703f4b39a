<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>Leaving</name>
        <message>
            <source>Pause and quit</source>
            <translation>暂停并退出</translation>
        </message>
        <message>
            <source>Keep running, minimised</source>
            <translation>最小化并继续运行</translation>
        </message>
        <message>
            <source>Pause and open the other project</source>
            <translation>暂停并打开另一个项目</translation>
        </message>
        <message>
            <source>Pause and close the project</source>
            <translation>暂停并关闭项目</translation>
        </message>
        <message>
            <source>A run is under way</source>
            <translation>运行进行中</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) under way.</source>
            <translation>
                <numerusform>%n 个运行正在进行。</numerusform>
            </translation>
        </message>
        <message>
            <source>Everything answered is saved. Paused, a run goes on where it stopped.</source>
            <translation>已有的答案都已保存。暂停后，运行会从停下的地方继续。</translation>
        </message>
        <message>
            <source>Stay</source>
            <translation>留下</translation>
        </message>
        <message>
            <source>Batchdesk closes by itself then.</source>
            <translation>随后 Batchdesk 会自动关闭。</translation>
        </message>
        <message>
            <source>Quit now</source>
            <translation>立即退出</translation>
        </message>
        <message>
            <source>The other project opens by itself then.</source>
            <translation>随后会自动打开另一个项目。</translation>
        </message>
        <message>
            <source>Open now</source>
            <translation>立即打开</translation>
        </message>
        <message>
            <source>The project closes by itself then.</source>
            <translation>随后会自动关闭项目。</translation>
        </message>
        <message>
            <source>Close now</source>
            <translation>立即关闭</translation>
        </message>
        <message>
            <source>Pausing; the requests in flight finish first</source>
            <translation>正在暂停；先等在途请求完成</translation>
        </message>
    </context>
</TS>
