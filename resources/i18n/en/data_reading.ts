<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>ReadingSection</name>
    <message numerus="yes">
        <source>%Ln column(s)</source>
        <translation>
            <numerusform>%Ln column</numerusform>
            <numerusform>%Ln columns</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) looked at do not fit this encoding</source>
        <translation>
            <numerusform>%Ln line looked at does not fit this encoding</numerusform>
            <numerusform>%Ln lines looked at do not fit this encoding</numerusform>
        </translation>
    </message>
</context>
</TS>
