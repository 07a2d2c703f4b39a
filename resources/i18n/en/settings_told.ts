<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Told</name>
    <message numerus="yes">
        <source>%Ln model(s): {0}</source>
        <translation>
            <numerusform>%Ln model: {0}</numerusform>
            <numerusform>%Ln models: {0}</numerusform>
        </translation>
    </message>
</context>
</TS>
