<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>DetailsPanel</name>
    <message numerus="yes">
        <source>%Ln row(s) wait; nothing is lost.</source>
        <translation>
            <numerusform>%Ln row waits; nothing is lost.</numerusform>
            <numerusform>%Ln rows wait; nothing is lost.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) wait to be sent.</source>
        <translation>
            <numerusform>%Ln row waits to be sent.</numerusform>
            <numerusform>%Ln rows wait to be sent.</numerusform>
        </translation>
    </message>
</context>
</TS>
