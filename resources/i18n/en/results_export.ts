<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Exporting</name>
    <message numerus="yes">
        <source>%n row(s) are in {0}</source>
        <translation>
            <numerusform>%n row is in {0}</numerusform>
            <numerusform>%n rows are in {0}</numerusform>
        </translation>
    </message>
</context>
</TS>
