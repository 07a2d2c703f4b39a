<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>GeneralSection</name>
        <message>
            <source>Language</source>
            <translation>语言</translation>
        </message>
        <message>
            <source>Look</source>
            <translation>外观</translation>
        </message>
        <message>
            <source>Reviewer</source>
            <translation>复核人</translation>
        </message>
        <message>
            <source>Decisions in review are signed with this name, in the project file.</source>
            <translation>复核决定在项目文件中以此名称署名。</translation>
        </message>
        <message>
            <source>The language changes when Batchdesk is started again.</source>
            <translation>重新启动 Batchdesk 后，语言才会改变。</translation>
        </message>
        <message>
            <source>As the system</source>
            <translation>跟随系统</translation>
        </message>
        <message>
            <source>Light</source>
            <translation>浅色</translation>
        </message>
        <message>
            <source>Dark</source>
            <translation>深色</translation>
        </message>
        <message>
            <source>your name</source>
            <translation>您的姓名</translation>
        </message>
    </context>
    <context>
        <name>PlacesSection</name>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>New projects</source>
            <translation>新项目</translation>
        </message>
        <message>
            <source>Crash reports</source>
            <translation>崩溃报告</translation>
        </message>
        <message>
            <source>Version</source>
            <translation>版本</translation>
        </message>
        <message>
            <source>Built with</source>
            <translation>构建于</translation>
        </message>
        <message>
            <source>Change…</source>
            <translation>更改…</translation>
        </message>
        <message>
            <source>A project is one file: rows, prompts, answers and decisions. It never holds a key.</source>
            <translation>一个项目就是一个文件：行、提示词、回答和决定。其中绝不含密钥。</translation>
        </message>
        <message>
            <source>Folder for new projects</source>
            <translation>新项目的文件夹</translation>
        </message>
    </context>
    <context>
        <name>PrivacySection</name>
        <message>
            <source>In a run, what “As sent” on the Prompt page shows goes to the service chosen there, with the form of the answer: your texts, the columns they name, and the row's id. No other column is sent, and nothing to anybody else.</source>
            <translation>运行时，提示词页面“实际发送”所示的内容，连同回答的形式，会发给所选的服务：您的文本、其中提到的列，以及行的编号。其他列不会发送，也不会发给任何其他人。</translation>
        </message>
        <message>
            <source>The built-in model and the practice server send nothing over the network.</source>
            <translation>内置模型和练习服务器不通过网络发送任何内容。</translation>
        </message>
        <message>
            <source>Before rows go to another computer for the first time, you are shown what exactly is sent, and asked.</source>
            <translation>数据行首次发送到其他计算机之前，会向您显示具体发送的内容并征求同意。</translation>
        </message>
        <message>
            <source>Batchdesk sends no statistics, no crash reports, and looks for no updates.</source>
            <translation>Batchdesk 不发送统计数据，不发送崩溃报告，也不检查更新。</translation>
        </message>
    </context>
</TS>
