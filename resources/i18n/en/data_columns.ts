<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>ColumnsSection</name>
    <message numerus="yes">
        <source>%Ln value(s)</source>
        <translation>
            <numerusform>%Ln value</numerusform>
            <numerusform>%Ln values</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln blank</source>
        <translation>
            <numerusform>%Ln blank</numerusform>
            <numerusform>%Ln blank</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more column(s)</source>
        <translation>
            <numerusform>and %Ln more column</numerusform>
            <numerusform>and %Ln more columns</numerusform>
        </translation>
    </message>
</context>
</TS>
