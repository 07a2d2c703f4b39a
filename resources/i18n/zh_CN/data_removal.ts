<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>RemovalSection</name>
        <message>
            <source>Remove this table…</source>
            <translation>移除此表格…</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) were made over this table, so it stays.</source>
            <translation>
                <numerusform>已有 %n 个运行使用此表格，因此予以保留。</numerusform>
            </translation>
        </message>
        <message>
            <source>Remove a table</source>
            <translation>移除表格</translation>
        </message>
        <message numerus="yes">
            <source>%Ln row(s)</source>
            <translation>
                <numerusform>%Ln 行</numerusform>
            </translation>
        </message>
        <message>
            <source>Remove {0} with {1} from the project?</source>
            <translation>从项目中移除 {0}（{1}）？</translation>
        </message>
        <message>
            <source>No run uses it. The file itself is not touched.</source>
            <translation>没有运行使用它。文件本身不会改动。</translation>
        </message>
        <message>
            <source>Remove</source>
            <translation>移除</translation>
        </message>
        <message>
            <source>Keep</source>
            <translation>保留</translation>
        </message>
    </context>
</TS>
