<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>DeadPanel</name>
    <message numerus="yes">
        <source>Ask %Ln selected again</source>
        <translation>
            <numerusform>Ask %Ln selected again</numerusform>
            <numerusform>Ask %Ln selected again</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ask all %Ln again</source>
        <translation>
            <numerusform>Ask %Ln again</numerusform>
            <numerusform>Ask all %Ln again</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) will be asked again.</source>
        <translation>
            <numerusform>%Ln row will be asked again.</numerusform>
            <numerusform>%Ln rows will be asked again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln failed row(s) are in {0}</source>
        <translation>
            <numerusform>%Ln failed row is in {0}</numerusform>
            <numerusform>%Ln failed rows are in {0}</numerusform>
        </translation>
    </message>
</context>
</TS>
