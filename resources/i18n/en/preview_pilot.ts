<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>PilotPanel</name>
    <message numerus="yes">
        <source>%Ln row(s); figures for one row</source>
        <translation>
            <numerusform>%Ln row; figures for one row</numerusform>
            <numerusform>%Ln rows; figures for one row</numerusform>
        </translation>
    </message>
</context>
</TS>
