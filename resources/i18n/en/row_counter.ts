<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>RowCounter</name>
    <message numerus="yes">
        <source>%Ln do(es) not match the filter</source>
        <translation>
            <numerusform>%Ln does not match the filter</numerusform>
            <numerusform>%Ln do not match the filter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln is/are empty</source>
        <translation>
            <numerusform>%Ln is empty</numerusform>
            <numerusform>%Ln are empty</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln equal(s) another</source>
        <translation>
            <numerusform>%Ln equals another</numerusform>
            <numerusform>%Ln equal others</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln is/are too long</source>
        <translation>
            <numerusform>%Ln is too long</numerusform>
            <numerusform>%Ln are too long</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln was/were answered and did not change</source>
        <translation>
            <numerusform>%Ln was answered and did not change</numerusform>
            <numerusform>%Ln were answered and did not change</numerusform>
        </translation>
    </message>
</context>
</TS>
