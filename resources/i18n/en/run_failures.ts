<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>FailuresPanel</name>
    <message numerus="yes">
        <source>%Ln other kind(s)</source>
        <translation>
            <numerusform>%Ln other kind</numerusform>
            <numerusform>%Ln other kinds</numerusform>
        </translation>
    </message>
</context>
</TS>
