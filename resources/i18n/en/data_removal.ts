<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
    <context>
        <name>RemovalSection</name>
        <message numerus="yes">
            <source>%n run(s) were made over this table, so it stays.</source>
            <translation>
                <numerusform>%n run was made over this table, so it stays.</numerusform>
                <numerusform>%n runs were made over this table, so it stays.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln row(s)</source>
            <translation>
                <numerusform>%Ln row</numerusform>
                <numerusform>%Ln rows</numerusform>
            </translation>
        </message>
    </context>
</TS>
