<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>TriedPanel</name>
    <message numerus="yes">
        <source>%Ln row(s), each twice</source>
        <translation>
            <numerusform>%Ln row, each twice</numerusform>
            <numerusform>%Ln rows, each twice</numerusform>
        </translation>
    </message>
</context>
</TS>
