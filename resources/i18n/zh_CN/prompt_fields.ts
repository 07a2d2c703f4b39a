<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>FieldEditor</name>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Smallest number</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Largest number</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Characters at most</source>
        <translation>字数上限</translation>
    </message>
    <message>
        <source>Must be in the answer</source>
        <translation>回答中必须有</translation>
    </message>
    <message>
        <source>Must not be blank</source>
        <translation>不得为空</translation>
    </message>
    <message>
        <source>Remove field</source>
        <translation>移除字段</translation>
    </message>
    <message>
        <source>Field {0}: the smallest number is above the largest.</source>
        <translation>字段 {0}：最小值大于最大值。</translation>
    </message>
    <message>
        <source>A field needs a name.</source>
        <translation>字段需要名称。</translation>
    </message>
    <message>
        <source>There is a field {0} already; give this one another name.</source>
        <translation>已有字段 {0}；请另取一个名称。</translation>
    </message>
    <message>
        <source>Batchdesk uses the name {0} itself; give the field another one.</source>
        <translation>名称 {0} 由 Batchdesk 自己使用；请另取一个名称。</translation>
    </message>
    <message>
        <source>Field {0}: write the allowed values, one in each line.</source>
        <translation>字段 {0}：请写出允许的值，每行一个。</translation>
    </message>
    <message>
        <source>Field {0}: write “{1}” as word = value.</source>
        <translation>字段 {0}：请把“{1}”写成“词 = 值”。</translation>
    </message>
    <message>
        <source>Field {0}: “{1}” leads to “{2}”, which is not an allowed value.</source>
        <translation>字段 {0}：“{1}”指向“{2}”，而它不是允许的值。</translation>
    </message>
    <message>
        <source>Name of the field</source>
        <translation>字段名称</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>for the model, in a few words</source>
        <translation>用几个词说给模型听</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Smallest</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Allowed values, one in each line</source>
        <translation>允许的值，每行一个</translation>
    </message>
    <message>
        <source>Also understood, as word = value</source>
        <translation>同义写法，格式为“词 = 值”</translation>
    </message>
</context>
<context>
    <name>FieldWords</name>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>yes or no</source>
        <translation>是或否</translation>
    </message>
    <message>
        <source>one of…</source>
        <translation>多选一</translation>
    </message>
    <message numerus="yes">
        <source>one of %Ln</source>
        <translation>
            <numerusform>%Ln 选一</numerusform>
        </translation>
    </message>
    <message>
        <source>may be left out</source>
        <translation>可以省略</translation>
    </message>
</context>
</TS>
