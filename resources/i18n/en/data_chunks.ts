<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>ChunkChoice</name>
    <message numerus="yes">
        <source>%Ln row(s) of the file became {0}.</source>
        <translation>
            <numerusform>%Ln row of the file became {0}.</numerusform>
            <numerusform>%Ln rows of the file became {0}.</numerusform>
        </translation>
    </message>
</context>
</TS>
