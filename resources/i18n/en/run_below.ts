<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Flights</name>
    <message numerus="yes">
        <source>none in flight; %Ln row(s) wait</source>
        <translation>
            <numerusform>none in flight; %Ln row waits</numerusform>
            <numerusform>none in flight; %Ln rows wait</numerusform>
        </translation>
    </message>
</context>
</TS>
