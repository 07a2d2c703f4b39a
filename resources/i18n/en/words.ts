<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Words</name>
    <message numerus="yes">
        <source>%n row(s) with too few cells</source>
        <translation>
            <numerusform>%n row with too few cells</numerusform>
            <numerusform>%n rows with too few cells</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) with too many cells</source>
        <translation>
            <numerusform>%n row with too many cells</numerusform>
            <numerusform>%n rows with too many cells</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) with NUL characters, removed</source>
        <translation>
            <numerusform>%n row with NUL characters, removed</numerusform>
            <numerusform>%n rows with NUL characters, removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) that do not fit the encoding</source>
        <translation>
            <numerusform>%n place that does not fit the encoding</numerusform>
            <numerusform>%n places that do not fit the encoding</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n column name(s) twice, renamed</source>
        <translation>
            <numerusform>%n column name twice, renamed</numerusform>
            <numerusform>%n column names twice, renamed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n column(s) without a name, named</source>
        <translation>
            <numerusform>%n column without a name, named</numerusform>
            <numerusform>%n columns without a name, named</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n id(s) twice, renamed</source>
        <translation>
            <numerusform>%n id twice, renamed</numerusform>
            <numerusform>%n ids twice, renamed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) without an id, numbered</source>
        <translation>
            <numerusform>%n row without an id, numbered</numerusform>
            <numerusform>%n rows without an id, numbered</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) that are not objects, left out</source>
        <translation>
            <numerusform>%n line that is not an object, left out</numerusform>
            <numerusform>%n lines that are not objects, left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) that are not JSON, left out</source>
        <translation>
            <numerusform>%n line that is not JSON, left out</numerusform>
            <numerusform>%n lines that are not JSON, left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n object(s) nested too deeply, left out</source>
        <translation>
            <numerusform>%n object nested too deeply, left out</numerusform>
            <numerusform>%n objects nested too deeply, left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n blank line(s), left out</source>
        <translation>
            <numerusform>%n blank line, left out</numerusform>
            <numerusform>%n blank lines, left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n quote(s) not closed</source>
        <translation>
            <numerusform>%n quote not closed</numerusform>
            <numerusform>%n quotes not closed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n column name(s) reserved, renamed</source>
        <translation>
            <numerusform>%n column name reserved, renamed</numerusform>
            <numerusform>%n column names reserved, renamed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) above the column names, left out</source>
        <translation>
            <numerusform>%n row above the column names, left out</numerusform>
            <numerusform>%n rows above the column names, left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cell(s) with an error such as #N/A, kept</source>
        <translation>
            <numerusform>%n cell with an error such as #N/A, kept</numerusform>
            <numerusform>%n cells with an error such as #N/A, kept</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n formula(s) without a saved result, empty</source>
        <translation>
            <numerusform>%n formula without a saved result, empty</numerusform>
            <numerusform>%n formulas without a saved result, empty</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cell(s) that cannot be read, empty</source>
        <translation>
            <numerusform>%n cell that cannot be read, empty</numerusform>
            <numerusform>%n cells that cannot be read, empty</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cell(s) of bytes, shown as hexadecimal</source>
        <translation>
            <numerusform>%n cell of bytes, shown as hexadecimal</numerusform>
            <numerusform>%n cells of bytes, shown as hexadecimal</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hidden sheet(s), not read</source>
        <translation>
            <numerusform>%n hidden sheet, not read</numerusform>
            <numerusform>%n hidden sheets, not read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n further sheet(s) or list(s), not read</source>
        <translation>
            <numerusform>%n further sheet or list, not read</numerusform>
            <numerusform>%n further sheets or lists, not read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) that cannot be read, left out</source>
        <translation>
            <numerusform>%n file that cannot be read, left out</numerusform>
            <numerusform>%n files that cannot be read, left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) without text, empty</source>
        <translation>
            <numerusform>%n document without text, empty</numerusform>
            <numerusform>%n documents without text, empty</numerusform>
        </translation>
    </message>
</context>
</TS>
