<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>PromptPage</name>
    <message numerus="yes">
        <source>Run all %Ln row(s)</source>
        <translation>
            <numerusform>Run the one row</numerusform>
            <numerusform>Run all %Ln rows</numerusform>
        </translation>
    </message>
</context>
</TS>
