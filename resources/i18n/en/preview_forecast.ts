<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>ForecastPanel</name>
    <message numerus="yes">
        <source>Forecast for all %Ln row(s)</source>
        <translation>
            <numerusform>Forecast for all %Ln row</numerusform>
            <numerusform>Forecast for all %Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Run all %Ln row(s)</source>
        <translation>
            <numerusform>Run all %Ln row</numerusform>
            <numerusform>Run all %Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln row</numerusform>
            <numerusform>%Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln of them again</source>
        <translation>
            <numerusform>%Ln of them again</numerusform>
            <numerusform>%Ln of them again</numerusform>
        </translation>
    </message>
</context>
</TS>
