<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>PricesSection</name>
        <message>
            <source>Set my prices</source>
            <translation>使用我的价格</translation>
        </message>
        <message>
            <source>Remove my prices</source>
            <translation>移除我的价格</translation>
        </message>
        <message>
            <source>Add a service first; then its price is shown here.</source>
            <translation>请先添加服务，然后在此显示其价格。</translation>
        </message>
        <message>
            <source>No list price is known for this model at this address.</source>
            <translation>该地址的这个模型没有已知的标价。</translation>
        </message>
        <message>
            <source>List price: {0} {1} for input and {2} for output ({3}).</source>
            <translation>标价：{0}，输入 {1}，输出 {2}（{3}）。</translation>
        </message>
        <message>
            <source>Write prices as numbers of 0 or more, such as 0.15; input and output are needed.</source>
            <translation>价格请写成不小于 0 的数字，例如 0.15；输入和输出价格为必填。</translation>
        </message>
        <message>
            <source>Service</source>
            <translation>服务</translation>
        </message>
        <message>
            <source>Input</source>
            <translation>输入</translation>
        </message>
        <message>
            <source>Output</source>
            <translation>输出</translation>
        </message>
        <message>
            <source>Cached input</source>
            <translation>缓存输入</translation>
        </message>
        <message>
            <source>Reasoning</source>
            <translation>推理</translation>
        </message>
        <message>
            <source>Currency</source>
            <translation>货币</translation>
        </message>
        <message>
            <source>Batch, %</source>
            <translation>批量，%</translation>
        </message>
        <message>
            <source>What a batch endpoint takes of these prices</source>
            <translation>批量接口按这些价格的百分之几收费</translation>
        </message>
        <message>
            <source>Prices are for a million tokens. Where none is known, costs are shown as unknown, never guessed. An empty field is charged like input or output.</source>
            <translation>价格以每百万词元计。价格未知时，费用显示为未知，绝不猜测。留空的项目按输入或输出计价。</translation>
        </message>
    </context>
</TS>
