<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>FieldWords</name>
    <message numerus="yes">
        <source>one of %Ln</source>
        <translation>
            <numerusform>one of %Ln</numerusform>
            <numerusform>one of %Ln</numerusform>
        </translation>
    </message>
</context>
</TS>
