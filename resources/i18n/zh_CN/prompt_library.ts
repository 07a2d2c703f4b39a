<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>LibraryBox</name>
    <message>
        <source>Prompt library</source>
        <translation>提示词库</translation>
    </message>
    <message>
        <source>Texts, examples, answer and checks, kept on this computer for all projects.</source>
        <translation>文本、示例、回答和检查，保存在本机，供所有项目使用。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name for the present prompt</source>
        <translation>当前提示词的名称</translation>
    </message>
    <message>
        <source>Keep the present prompt</source>
        <translation>保存当前提示词</translation>
    </message>
    <message>
        <source>Use this prompt</source>
        <translation>使用此提示词</translation>
    </message>
    <message>
        <source>Remove this prompt from the library</source>
        <translation>从提示词库移除此提示词</translation>
    </message>
    <message>
        <source>No prompt is kept yet.</source>
        <translation>还没有保存提示词。</translation>
    </message>
    <message>
        <source>System text</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <source>Text per row</source>
        <translation>每行文本</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Give it a name first.</source>
        <translation>请先命名。</translation>
    </message>
</context>
</TS>
