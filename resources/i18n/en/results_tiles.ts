<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>ResultsTiles</name>
    <message numerus="yes">
        <source>%Ln row(s) have their answer from the pilot.</source>
        <translation>
            <numerusform>%Ln row has its answer from the pilot.</numerusform>
            <numerusform>%Ln rows have their answer from the pilot.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln unchanged row(s) have theirs from an earlier run.</source>
        <translation>
            <numerusform>%Ln unchanged row has its answer from an earlier run.</numerusform>
            <numerusform>%Ln unchanged rows have their answer from an earlier run.</numerusform>
        </translation>
    </message>
</context>
</TS>
