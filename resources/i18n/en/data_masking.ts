<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>MaskOptions</name>
    <message numerus="yes">
        <source>%Ln own</source>
        <translation>
            <numerusform>%Ln own</numerusform>
            <numerusform>%Ln own</numerusform>
        </translation>
    </message>
</context>
</TS>
