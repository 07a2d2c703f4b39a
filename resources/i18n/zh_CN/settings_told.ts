<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>Told</name>
        <message>
            <source>JSON: held to the fields by the service</source>
            <translation>JSON：由服务保证符合字段</translation>
        </message>
        <message>
            <source>JSON: yes, but the fields are only asked for in words</source>
            <translation>JSON：支持，但字段只能用文字要求</translation>
        </message>
        <message>
            <source>JSON: only asked for in words</source>
            <translation>JSON：只能用文字要求</translation>
        </message>
        <message>
            <source>probabilities of tokens</source>
            <translation>词元概率</translation>
        </message>
        <message>
            <source>several answers at once</source>
            <translation>一次多个回答</translation>
        </message>
        <message>
            <source>a seed</source>
            <translation>随机种子</translation>
        </message>
        <message>
            <source>, </source>
            <comment>between items of a list</comment>
            <translation>、</translation>
        </message>
        <message>
            <source>without {0}</source>
            <translation>不支持{0}</translation>
        </message>
        <message>
            <source>; </source>
            <comment>between statements</comment>
            <translation>；</translation>
        </message>
        <message>
            <source>.</source>
            <comment>ends a sentence</comment>
            <translation>。</translation>
        </message>
        <message>
            <source>It answered. Choose one of its models.</source>
            <translation>服务已响应。请选择一个模型。</translation>
        </message>
        <message>
            <source>It answered after {0}: “{1}”</source>
            <translation>{0}后收到回答：“{1}”</translation>
        </message>
        <message>
            <source>It lists no models: {0}</source>
            <translation>没有列出模型：{0}</translation>
        </message>
        <message numerus="yes">
            <source>%Ln model(s): {0}</source>
            <translation>
                <numerusform>%Ln 个模型：{0}</numerusform>
            </translation>
        </message>
        <message>
            <source> …</source>
            <translation> …</translation>
        </message>
        <message>
            <source>{0} takes {1} tokens at most.</source>
            <translation>{0} 最多容纳 {1} 个词元。</translation>
        </message>
        <message>
            <source>{0} is not among them.</source>
            <translation>其中没有 {0}。</translation>
        </message>
        <message>
            <source>Limits told: {0} requests and {1} tokens a minute.</source>
            <translation>告知的限额：每分钟 {0} 个请求、{1} 个词元。</translation>
        </message>
        <message>
            <source>Limit told: {0} requests a minute.</source>
            <translation>告知的限额：每分钟 {0} 个请求。</translation>
        </message>
        <message>
            <source>Limit told: {0} tokens a minute.</source>
            <translation>告知的限额：每分钟 {0} 个词元。</translation>
        </message>
        <message>
            <source>It tells no limits; a run finds them out.</source>
            <translation>没有告知限额；运行时会自行探明。</translation>
        </message>
    </context>
</TS>
