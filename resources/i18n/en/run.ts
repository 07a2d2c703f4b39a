<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>RunPage</name>
    <message numerus="yes">
        <source>preview of %Ln row(s)</source>
        <translation>
            <numerusform>preview of %Ln row</numerusform>
            <numerusform>preview of %Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pilot of %Ln row(s)</source>
        <translation>
            <numerusform>pilot of %Ln row</numerusform>
            <numerusform>pilot of %Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>all %Ln row(s)</source>
        <translation>
            <numerusform>%Ln row</numerusform>
            <numerusform>all %Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) in flight are being finished.</source>
        <translation>
            <numerusform>%Ln request in flight is being finished.</numerusform>
            <numerusform>%Ln requests in flight are being finished.</numerusform>
        </translation>
    </message>
</context>
</TS>
