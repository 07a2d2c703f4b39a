<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>GatesRow</name>
    <message numerus="yes">
        <source>%Ln request(s) without an answer, not counted.</source>
        <translation>
            <numerusform>%Ln request without an answer, not counted.</numerusform>
            <numerusform>%Ln requests without an answer, not counted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{0} and %Ln more changed.</source>
        <translation>
            <numerusform>{0} and %Ln more changed.</numerusform>
            <numerusform>{0} and %Ln more changed.</numerusform>
        </translation>
    </message>
</context>
</TS>
