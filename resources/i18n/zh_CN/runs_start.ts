<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>StartView</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>新建运行</translation>
    </message>
    <message>
        <source>There is no run of “{0}” ({1}) yet.</source>
        <translation>“{0}”（{1}）还没有运行过。</translation>
    </message>
    <message>
        <source>Put your rows through a language model</source>
        <translation>用语言模型处理您的表格</translation>
    </message>
    <message>
        <source>Start with a sample, or with your own file. Everything stays in one project file on this computer.</source>
        <translation>从示例或自己的文件开始。所有内容都保存在这台电脑上的一个项目文件里。</translation>
    </message>
    <message>
        <source>Bring rows</source>
        <translation>带来数据</translation>
    </message>
    <message>
        <source>Check the columns.</source>
        <translation>检查各列。</translation>
    </message>
    <message>
        <source>Say what you want</source>
        <translation>说明要什么</translation>
    </message>
    <message>
        <source>Write prompt and answer fields.</source>
        <translation>写提示词和回答字段。</translation>
    </message>
    <message>
        <source>Try a few rows</source>
        <translation>试几行</translation>
    </message>
    <message>
        <source>See what comes back.</source>
        <translation>看看结果如何。</translation>
    </message>
    <message>
        <source>Run and review</source>
        <translation>运行并复核</translation>
    </message>
    <message>
        <source>Doubtful answers come to you.</source>
        <translation>存疑的回答交给您判断。</translation>
    </message>
    <message>
        <source>Drop a table here (CSV, Excel, Parquet, JSON, SQLite or a folder of files): it comes into this project. Or drop another Batchdesk project. The table itself is never changed.</source>
        <translation>把表格（CSV、Excel、Parquet、JSON、SQLite 或装有文件的文件夹）拖到这里，它会加入当前项目；也可以拖入另一个 Batchdesk 项目。表格文件本身绝不会被改动。</translation>
    </message>
    <message>
        <source>Drop a table here (CSV, Excel, Parquet, JSON, SQLite or a folder of files), or a Batchdesk project. The table itself is never changed; new projects are kept in {0}.</source>
        <translation>把表格（CSV、Excel、Parquet、JSON、SQLite 或文件夹）或 Batchdesk 项目拖到这里。表格本身不会被改动；新项目保存在 {0}。</translation>
    </message>
    <message>
        <source>You need no key to begin.</source>
        <translation>开始时不需要密钥。</translation>
    </message>
    <message>
        <source>The practice server is not a model: it plays a service, also a slow or faulty one. The built-in local model is a real one, but small. Both run on this computer.</source>
        <translation>练习服务器不是模型：它模拟一个服务，也能模拟缓慢或出错的服务。内置本地模型是真正的模型，但很小。两者都在这台电脑上运行。</translation>
    </message>
    <message>
        <source>Add a provider…</source>
        <translation>添加服务商…</translation>
    </message>
    <message>
        <source>Shopping reviews in English</source>
        <translation>英文购物评论</translation>
    </message>
    <message>
        <source>Is the customer happy or not? Answered by the built-in local model: small, without key and network. With labels by people, so you see how often it is right.</source>
        <translation>顾客满意还是不满意？由内置本地模型回答：很小，不需要密钥和网络。带有人工标签，可以看到它答对了多少。</translation>
    </message>
    <message>
        <source>Shopping reviews in Chinese</source>
        <translation>中文购物评论</translation>
    </message>
    <message>
        <source>Happy, unhappy or neutral? Answered by the practice server, which goes by word lists and is not a model. With labels by people.</source>
        <translation>满意、不满意还是中性？由练习服务器按词表回答，它不是模型。带有人工标签。</translation>
    </message>
    <message>
        <source>Order messages</source>
        <translation>订单留言</translation>
    </message>
    <message>
        <source>Take five values out of each customer message. Answered by the practice server, which goes by patterns and is not a model.</source>
        <translation>从每条顾客留言中提取五项内容。由练习服务器按规则回答，它不是模型。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>with labels</source>
        <translation>带标签</translation>
    </message>
    <message>
        <source>The file was not read</source>
        <translation>文件没有读入</translation>
    </message>
</context>
</TS>
