<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>MaskOptions</name>
    <message>
        <source>Countries of phone numbers</source>
        <translation>电话号码所属国家</translation>
    </message>
    <message>
        <source>only numbers with + and country code</source>
        <translation>仅带 + 和国家代码的号码</translation>
    </message>
    <message>
        <source>Add own pattern</source>
        <translation>添加自定义规则</translation>
    </message>
    <message>
        <source>{0} of {1} kinds</source>
        <translation>{1} 类中的 {0} 类</translation>
    </message>
    <message numerus="yes">
        <source>%Ln own</source>
        <translation>
            <numerusform>%Ln 个自定义</numerusform>
        </translation>
    </message>
    <message>
        <source>What is masked: {0}</source>
        <translation>遮盖内容：{0}</translation>
    </message>
    <message>
        <source>Unknown country: {0}. Write two letters each, such as CN, US.</source>
        <translation>未知国家：{0}。每个国家写两个字母，例如 CN、US。</translation>
    </message>
    <message>
        <source>E-mail addresses</source>
        <translation>电子邮箱</translation>
    </message>
    <message>
        <source>Phone numbers</source>
        <translation>电话号码</translation>
    </message>
    <message>
        <source>Bank cards</source>
        <translation>银行卡</translation>
    </message>
    <message>
        <source>Bank accounts (IBAN)</source>
        <translation>银行账户（IBAN）</translation>
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
        <source>Web addresses</source>
        <translation>网址</translation>
    </message>
    <message>
        <source>Phones of</source>
        <translation>电话国家</translation>
    </message>
</context>
<context>
    <name>PatternLine</name>
    <message>
        <source>NAME</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name of the pattern, which stands in its tokens</source>
        <translation>规则的名称，会出现在代号中</translation>
    </message>
    <message>
        <source>regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Regular expression of what is masked</source>
        <translation>要遮盖内容的正则表达式</translation>
    </message>
    <message>
        <source>Remove this pattern</source>
        <translation>删除此规则</translation>
    </message>
    <message>
        <source>Give it a name of Latin letters, such as ORDER.</source>
        <translation>请用拉丁字母命名，例如 ORDER。</translation>
    </message>
    <message>
        <source>The name {0} is taken.</source>
        <translation>名称 {0} 已被使用。</translation>
    </message>
    <message>
        <source>Write what to look for, such as {0}.</source>
        <translation>请写出要查找的内容，例如 {0}。</translation>
    </message>
</context>
</TS>
