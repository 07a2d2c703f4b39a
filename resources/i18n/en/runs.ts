<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>RunsPage</name>
    <message numerus="yes">
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln run</numerusform>
            <numerusform>%Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln under way</source>
        <translation>
            <numerusform>%Ln under way</numerusform>
            <numerusform>%Ln under way</numerusform>
        </translation>
    </message>
</context>
</TS>
