<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>PreviewPage</name>
    <message numerus="yes">
        <source>%Ln row(s) tried</source>
        <translation>
            <numerusform>%Ln row tried</numerusform>
            <numerusform>%Ln rows tried</numerusform>
        </translation>
    </message>
</context>
</TS>
