<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>NetworkSection</name>
        <message>
            <source>As this computer is set up</source>
            <translation>与本机设置一致</translation>
        </message>
        <message>
            <source>None</source>
            <translation>不使用</translation>
        </message>
        <message>
            <source>This one:</source>
            <translation>使用这个：</translation>
        </message>
        <message>
            <source>Address of the proxy</source>
            <translation>代理地址</translation>
        </message>
        <message>
            <source>none</source>
            <translation>无</translation>
        </message>
        <message>
            <source>Choose…</source>
            <translation>选择…</translation>
        </message>
        <message>
            <source>Remove</source>
            <translation>移除</translation>
        </message>
        <message>
            <source>File of trusted certificates</source>
            <translation>受信任证书文件</translation>
        </message>
        <message>
            <source>Certificates ({0})</source>
            <translation>证书 ({0})</translation>
        </message>
        <message>
            <source>All files ({0})</source>
            <translation>所有文件 ({0})</translation>
        </message>
        <message>
            <source>Proxy</source>
            <translation>代理</translation>
        </message>
        <message>
            <source>Certificates</source>
            <translation>证书</translation>
        </message>
        <message>
            <source>A company's own authority can be trusted beside this computer's. Certificates are always checked; servers on this computer are asked without a proxy.</source>
            <translation>除本机信任的机构外，还可以信任公司自己的证书机构。证书始终会被校验；访问本机上的服务时不经过代理。</translation>
        </message>
    </context>
</TS>
