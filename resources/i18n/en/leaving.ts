<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
    <context>
        <name>Leaving</name>
        <message numerus="yes">
            <source>%n run(s) under way.</source>
            <translation>
                <numerusform>%n run is under way.</numerusform>
                <numerusform>%n runs are under way.</numerusform>
            </translation>
        </message>
    </context>
</TS>
