<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>HintWords</name>
    <message>
        <source>No marks around {0}</source>
        <translation>{0} 没有数据标记</translation>
    </message>
    <message>
        <source>A text in the data could pass for an instruction. The fix puts the data between marks that do not occur in it, and says what they mean.</source>
        <translation>数据中的文字可能被当成指令。修正会把数据放在其中不会出现的标记之间，并说明标记的含义。</translation>
    </message>
    <message>
        <source>No form of the answer</source>
        <translation>没有规定回答格式</translation>
    </message>
    <message>
        <source>Say what the answer must look like, or give it fields; the fix makes one.</source>
        <translation>请说明回答的样子，或为它设置字段；修正会添加一个字段。</translation>
    </message>
    <message>
        <source>Vague amount: “{0}”</source>
        <translation>数量含糊：“{0}”</translation>
    </message>
    <message>
        <source>Say it in numbers; the fix adds: {0}.</source>
        <translation>请用数字说明；修正会补充：{0}。</translation>
    </message>
    <message>
        <source>“{0}” is asked for, but no field</source>
        <translation>要求了“{0}”，但没有此字段</translation>
    </message>
    <message>
        <source>The answer can hold only its fields. The fix adds this one.</source>
        <translation>回答只能包含已有字段。修正会添加此字段。</translation>
    </message>
    <message>
        <source>An example lacks the field “{0}”</source>
        <translation>有示例缺少字段“{0}”</translation>
    </message>
    <message>
        <source>The model follows the example rather than the fields. Complete it.</source>
        <translation>模型会跟随示例而不是字段。请补全示例。</translation>
    </message>
    <message>
        <source>The system text outweighs the data</source>
        <translation>系统文本比数据还长</translation>
    </message>
    <message>
        <source>{0} tokens in every request, for {1} of data: {2} tokens over all rows. Shorten it, or leave out examples.</source>
        <translation>每次请求都有 {0} 词元，而数据只有 {1}：全部行共 {2} 词元。请缩短，或减少示例。</translation>
    </message>
    <message>
        <source>It speaks of other rows: “{0}”</source>
        <translation>提到了其他行：“{0}”</translation>
    </message>
    <message>
        <source>Each row is asked by itself; the model sees no other row.</source>
        <translation>每行单独提问；模型看不到其他行。</translation>
    </message>
    <message>
        <source>Nothing for “the text does not say”</source>
        <translation>没有“文中未提及”的选项</translation>
    </message>
    <message>
        <source>A model that may not say so invents something. The fix allows it.</source>
        <translation>不允许这样回答时，模型会编造。修正会允许。</translation>
    </message>
    <message>
        <source>Temperature {0} for labels</source>
        <translation>标签任务的温度为 {0}</translation>
    </message>
    <message>
        <source>No temperature set for labels</source>
        <translation>标签任务没有设置温度</translation>
    </message>
    <message>
        <source>The same row gets other labels by chance. The fix sets it to 0.</source>
        <translation>同一行会随机得到不同标签。修正会设为 0。</translation>
    </message>
    <message>
        <source>Far more tokens allowed than needed</source>
        <translation>允许的词元远多于所需</translation>
    </message>
    <message>
        <source>{0} at most, about {1} needed; one answer that runs on costs much.</source>
        <translation>最多 {0}，约需 {1}；一个停不下来的回答会很贵。</translation>
    </message>
    <message>
        <source>“{0}” is asked before “{1}”</source>
        <translation>“{0}”排在“{1}”之前</translation>
    </message>
    <message>
        <source>Reasons given first make the conclusion better. The fix changes the order.</source>
        <translation>先给理由，结论会更好。修正会调整顺序。</translation>
    </message>
</context>
</TS>
