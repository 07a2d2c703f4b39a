<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ChunkChoice</name>
    <message>
        <source>Cut long texts</source>
        <translation>切分长文本</translation>
    </message>
    <message>
        <source>A row with a long text becomes several, one for each part.</source>
        <translation>文本过长的行会变成多行，每段一行。</translation>
    </message>
    <message>
        <source>Tokens of a part</source>
        <translation>每段词元</translation>
    </message>
    <message>
        <source>Tokens repeated</source>
        <translation>重叠词元</translation>
    </message>
    <message>
        <source>Column with long texts</source>
        <translation>长文本所在列</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>{0} of {1}: {2}</source>
        <translation>第 {0} 段，共 {1} 段：{2}</translation>
    </message>
    <message>
        <source>None of the first rows has so long a text.</source>
        <translation>前几行中没有这么长的文本。</translation>
    </message>
    <message>
        <source>Tokens are counted with {0}.</source>
        <translation>词元按 {0} 计数。</translation>
    </message>
    <message>
        <source>Tokens are estimated.</source>
        <translation>词元数为估算。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) of the file became {0}.</source>
        <translation>
            <numerusform>文件中的 %Ln 行变为 {0} 行。</numerusform>
        </translation>
    </message>
</context>
</TS>
