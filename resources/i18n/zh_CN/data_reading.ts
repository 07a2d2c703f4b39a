<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ReadingSection</name>
    <message>
        <source>Encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Separator</source>
        <translation>分隔符</translation>
    </message>
    <message>
        <source>Read again with these options</source>
        <translation>按这些选项重新读取</translation>
    </message>
    <message>
        <source>Where this file lies is not known. Add it again to read it in another way.</source>
        <translation>不知道此文件在哪里。请重新添加文件，再以其他方式读取。</translation>
    </message>
    <message>
        <source>{0} is not there any more. Put it back, or add it again from where it is, to read it in another way.</source>
        <translation>{0} 已不在原处。请放回原处，或从现在的位置重新添加，再以其他方式读取。</translation>
    </message>
    <message>
        <source>Comma  ,</source>
        <translation>逗号  ,</translation>
    </message>
    <message>
        <source>Semicolon  ;</source>
        <translation>分号  ;</translation>
    </message>
    <message>
        <source>Tab</source>
        <translation>制表符</translation>
    </message>
    <message>
        <source>Bar  |</source>
        <translation>竖线  |</translation>
    </message>
    <message>
        <source>guessed</source>
        <translation>推测</translation>
    </message>
    <message numerus="yes">
        <source>%Ln column(s)</source>
        <translation>
            <numerusform>%Ln 列</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) looked at do not fit this encoding</source>
        <translation>
            <numerusform>查看的内容中有 %Ln 行不符合此编码</numerusform>
        </translation>
    </message>
    <message>
        <source>{0}. {1}.</source>
        <translation>{0}。{1}。</translation>
    </message>
    <message>
        <source>{0}. Not read in yet.</source>
        <translation>{0}。尚未读入。</translation>
    </message>
    <message>
        <source>If it were read as UTF-8, this row would be: {0}</source>
        <translation>若按 UTF-8 读取，这一行会是：{0}</translation>
    </message>
</context>
</TS>
