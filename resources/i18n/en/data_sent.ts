<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>SentSection</name>
    <message numerus="yes">
        <source>%Ln row(s) in all</source>
        <translation>
            <numerusform>%Ln row in all</numerusform>
            <numerusform>%Ln rows in all</numerusform>
        </translation>
    </message>
</context>
</TS>
