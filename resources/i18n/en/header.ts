<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Header</name>
    <message numerus="yes">
        <source>Saving %n row(s)</source>
        <translation>
            <numerusform>Saving %n row</numerusform>
            <numerusform>Saving %n rows</numerusform>
        </translation>
    </message>
</context>
</TS>
