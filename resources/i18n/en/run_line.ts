<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>RunLine</name>
    <message numerus="yes">
        <source>Nothing is lost: all answers are saved, and %Ln row(s) wait.</source>
        <translation>
            <numerusform>Nothing is lost: all answers are saved, and %Ln row waits.</numerusform>
            <numerusform>Nothing is lost: all answers are saved, and %Ln rows wait.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing is lost; %Ln row(s) wait for the run to go on.</source>
        <translation>
            <numerusform>Nothing is lost; %Ln row waits for the run to go on.</numerusform>
            <numerusform>Nothing is lost; %Ln rows wait for the run to go on.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) failed; see “Failed rows”.</source>
        <translation>
            <numerusform>%Ln row failed; see “Failed rows”.</numerusform>
            <numerusform>%Ln rows failed; see “Failed rows”.</numerusform>
        </translation>
    </message>
</context>
</TS>
