<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>HintsPanel</name>
    <message numerus="yes">
        <source>%Ln hint(s)</source>
        <translation>
            <numerusform>%Ln hint</numerusform>
            <numerusform>%Ln hints</numerusform>
        </translation>
    </message>
</context>
</TS>
