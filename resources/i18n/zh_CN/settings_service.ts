<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>ServiceForm</name>
        <message>
            <source>Save</source>
            <translation>保存</translation>
        </message>
        <message>
            <source>Test</source>
            <translation>测试</translation>
        </message>
        <message>
            <source>Forget the key</source>
            <translation>删除密钥</translation>
        </message>
        <message>
            <source>Remove</source>
            <translation>移除</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>OpenAI-compatible service</source>
            <translation>兼容 OpenAI 的服务</translation>
        </message>
        <message>
            <source>Give the service a name.</source>
            <translation>请给服务取一个名称。</translation>
        </message>
        <message>
            <source>Another service has this name; give this one another.</source>
            <translation>已有同名服务；请另取一个名称。</translation>
        </message>
        <message>
            <source>Write the address of the service, such as https://host/v1.</source>
            <translation>请填写服务的地址，例如 https://host/v1。</translation>
        </message>
        <message>
            <source>Write the name under which the service knows the model.</source>
            <translation>请填写服务所用的模型名称。</translation>
        </message>
        <message>
            <source>Write the API version like 2024-10-21, or leave it empty.</source>
            <translation>请按 2024-10-21 的格式填写 API 版本，或留空。</translation>
        </message>
        <message>
            <source>“Or from the variable” takes the name of an environment variable, not a key. Put the key into the field above it.</source>
            <translation>“或取自变量”应填环境变量的名称，而不是密钥。请把密钥填入上面的字段。</translation>
        </message>
        <message>
            <source>Saved.</source>
            <translation>已保存。</translation>
        </message>
        <message>
            <source>Asking {0}…</source>
            <translation>正在询问 {0}…</translation>
        </message>
        <message>
            <source>A test is under way.</source>
            <translation>正在测试。</translation>
        </message>
        <message>
            <source>The key is taken from this variable, and nowhere else.</source>
            <translation>密钥只取自此变量。</translation>
        </message>
        <message>
            <source>Such a server takes no key; if yours does, name a variable.</source>
            <translation>此类服务器不需要密钥；如果您的需要，请填写变量名称。</translation>
        </message>
        <message>
            <source>A key is stored for {0}.</source>
            <translation>已保存 {0} 的密钥。</translation>
        </message>
        <message>
            <source>No key is stored for {0}; the variable {1} is tried, too.</source>
            <translation>未保存 {0} 的密钥；也会尝试变量 {1}。</translation>
        </message>
        <message>
            <source>No key is stored for {0}.</source>
            <translation>未保存 {0} 的密钥。</translation>
        </message>
        <message>
            <source>stored; type to replace it</source>
            <translation>已保存；输入即可替换</translation>
        </message>
        <message>
            <source>not stored</source>
            <translation>未保存</translation>
        </message>
        <message>
            <source>the deployment's name</source>
            <translation>部署的名称</translation>
        </message>
        <message>
            <source>Service</source>
            <translation>服务</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名称</translation>
        </message>
        <message>
            <source>Address</source>
            <translation>地址</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>API version</source>
            <translation>API 版本</translation>
        </message>
        <message>
            <source>Key</source>
            <translation>密钥</translation>
        </message>
        <message>
            <source>Or from the variable</source>
            <translation>或取自变量</translation>
        </message>
        <message>
            <source>as the service calls it</source>
            <translation>服务所用的名称</translation>
        </message>
        <message>
            <source>Get a key</source>
            <translation>获取密钥</translation>
        </message>
        <message>
            <source>Use it until Batchdesk is closed</source>
            <translation>仅在本次使用中保留</translation>
        </message>
        <message>
            <source>The key is used until Batchdesk is closed, then it is gone.</source>
            <translation>密钥在关闭 Batchdesk 之前有效，之后即被清除。</translation>
        </message>
        <message>
            <source>empty for the v1 API</source>
            <translation>使用 v1 API 时留空</translation>
        </message>
        <message>
            <source>name of an environment variable</source>
            <translation>环境变量的名称</translation>
        </message>
    </context>
</TS>
