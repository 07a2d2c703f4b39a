<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>SettingsPage</name>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>Add a service</source>
            <translation>添加服务</translation>
        </message>
        <message>
            <source>None yet. The built-in local model and the practice server are always there and need no setting up.</source>
            <translation>尚无。内置本地模型和练习服务器始终可用，无需设置。</translation>
        </message>
        <message>
            <source>Service</source>
            <translation>服务</translation>
        </message>
        <message>
            <source>Set up the services that may answer; then choose one on the Prompt page. A key goes into this computer's keyring, never into a project or a settings file. “Test” asks the service for its models and for one word, and shows how long that took and what it tells of its limits.</source>
            <translation>在这里设置可以作答的服务，然后在“提示词”页选用。密钥存入本机的密钥环，绝不写入项目或设置文件。“测试”会向服务查询模型列表并请它回答一个词，显示用时以及它告知的限额。</translation>
        </message>
        <message>
            <source>New service</source>
            <translation>新服务</translation>
        </message>
        <message>
            <source>{0}   {1}, {2}</source>
            <translation>{0}   {1}，{2}</translation>
        </message>
        <message>
            <source>Services</source>
            <translation>服务</translation>
        </message>
        <message>
            <source>You</source>
            <translation>个人</translation>
        </message>
        <message>
            <source>Where things are kept</source>
            <translation>存放位置</translation>
        </message>
        <message>
            <source>What is sent where</source>
            <translation>发送给谁</translation>
        </message>
        <message>
            <source>Prices</source>
            <translation>价格</translation>
        </message>
        <message>
            <source>Network</source>
            <translation>网络</translation>
        </message>
    </context>
</TS>
