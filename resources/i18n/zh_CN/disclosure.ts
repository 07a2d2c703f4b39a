<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>DisclosureDialog</name>
    <message>
        <source>Before anything is sent</source>
        <translation>发送之前</translation>
    </message>
    <message>
        <source>Send rows to {0}?</source>
        <translation>把数据行发送到 {0}？</translation>
    </message>
    <message>
        <source>Send them</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Do not send</source>
        <translation>不发送</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between items of a list</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>none: only your own texts</source>
        <translation>无：只发送您自己写的文字</translation>
    </message>
    <message>
        <source>Service</source>
        <translation>服务</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Columns sent</source>
        <translation>发送的列</translation>
    </message>
    <message>
        <source>Masked</source>
        <translation>已遮盖</translation>
    </message>
    <message>
        <source>Row ids</source>
        <translation>行 ID</translation>
    </message>
    <message>
        <source>The address begins with http: everybody on the way can read what is sent, the key too. Use https unless this network is your own.</source>
        <translation>地址以 http 开头：途中任何人都能读到所发送的内容和密钥。除非是您自己的网络，否则请使用 https。</translation>
    </message>
    <message>
        <source>nothing: the texts go as they are</source>
        <translation>无：文本原样发送</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>{0}: {1}</source>
        <comment>a column and what is masked in it</comment>
        <translation>{0}：{1}</translation>
    </message>
    <message>
        <source>not sent: a number of the project stands for each row</source>
        <translation>不发送：每行以项目内的一个编号代替</translation>
    </message>
    <message>
        <source>sent with each row, so that its answer can be matched</source>
        <translation>随每行发送，以便对应回答</translation>
    </message>
    <message>
        <source>not sent</source>
        <translation>不发送</translation>
    </message>
    <message>
        <source>e-mail addresses</source>
        <translation>电子邮箱</translation>
    </message>
    <message>
        <source>telephone numbers</source>
        <translation>电话号码</translation>
    </message>
    <message>
        <source>bank cards</source>
        <translation>银行卡号</translation>
    </message>
    <message>
        <source>bank accounts</source>
        <translation>银行账号（IBAN）</translation>
    </message>
    <message>
        <source>Chinese resident ids</source>
        <translation>居民身份证号</translation>
    </message>
    <message>
        <source>IP addresses</source>
        <translation>IP 地址</translation>
    </message>
    <message>
        <source>web addresses</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>You are asked once for this project and service, and again only if more columns or fewer masks are to be sent. No other column leaves this computer.</source>
        <translation>每个项目和服务只询问一次；只有要发送更多的列或更少的遮盖时才会再次询问。其他列不会离开本机。</translation>
    </message>
    <message>
        <source>The request of row {0}, word for word:</source>
        <translation>第 {0} 行的请求，逐字如下：</translation>
    </message>
    <message>
        <source>The prompt of the first row cannot be made; the run will say why.</source>
        <translation>无法生成第一行的提示词；运行时会说明原因。</translation>
    </message>
    <message>
        <source>None of the first rows would be sent, so there is none to show.</source>
        <translation>前面的行都不会发送，因此没有可显示的内容。</translation>
    </message>
</context>
</TS>
