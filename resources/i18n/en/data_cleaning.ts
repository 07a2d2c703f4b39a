<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>CleaningSection</name>
    <message numerus="yes">
        <source>%Ln group(s)</source>
        <translation>
            <numerusform>%Ln group</numerusform>
            <numerusform>%Ln groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln filtered out</source>
        <translation>
            <numerusform>%Ln filtered out</numerusform>
            <numerusform>%Ln filtered out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln empty</source>
        <translation>
            <numerusform>%Ln empty</numerusform>
            <numerusform>%Ln empty</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln equal</source>
        <translation>
            <numerusform>%Ln equal to another</numerusform>
            <numerusform>%Ln equal to others</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln too long</source>
        <translation>
            <numerusform>%Ln too long</numerusform>
            <numerusform>%Ln too long</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) will be sent</source>
        <translation>
            <numerusform>%Ln row will be sent</numerusform>
            <numerusform>%Ln rows will be sent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln group(s) of rows are nearly equal.</source>
        <translation>
            <numerusform>%Ln group of rows is nearly equal.</numerusform>
            <numerusform>%Ln groups of rows are nearly equal.</numerusform>
        </translation>
    </message>
</context>
</TS>
