<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>RunWords</name>
    <message>
        <source>Slowed down: too many rows failed in the last minute.</source>
        <translation>已放慢：最近一分钟失败的行过多。</translation>
    </message>
    <message>
        <source>The queue grows without end: more comes in than goes out.</source>
        <translation>队列不断变长：进入的行多于完成的行。</translation>
    </message>
    <message>
        <source>Nothing holds the run back.</source>
        <translation>没有任何限制拖慢运行。</translation>
    </message>
    <message>
        <source>The next one is sent in {0}.</source>
        <translation>下一个将在 {0}后发送。</translation>
    </message>
    <message>
        <source>You fixed it.</source>
        <translation>这是您固定的。</translation>
    </message>
    <message>
        <source>That is the ceiling; a higher one may help.</source>
        <translation>已到最高上限；调高可能有用。</translation>
    </message>
    <message>
        <source>More requests at once would not help.</source>
        <translation>提高并发没有用。</translation>
    </message>
    <message>
        <source>More requests at once would not help; a shorter prompt would.</source>
        <translation>提高并发没有用；缩短提示词才有用。</translation>
    </message>
    <message>
        <source>It moves by itself with what the service can do.</source>
        <translation>它会随服务的能力自动调整。</translation>
    </message>
    <message>
        <source>No row is lost; the run goes on by itself.</source>
        <translation>没有丢失任何行；运行会自动继续。</translation>
    </message>
    <message>
        <source>It recovers by itself once failures are rare.</source>
        <translation>失败变少后会自动恢复。</translation>
    </message>
    <message>
        <source>So many requests are under way at once. The limit grows while answers come as quickly as they did with few, and stops where more would only wait in the service&apos;s own queue.</source>
        <translation>同时在途的请求已达到这个数。只要应答和请求少时一样快，上限就会提高；再多只会在服务自己的队列里等待时，就停止提高。</translation>
    </message>
    <message>
        <source>The limit was told by the job, the service&apos;s headers or its refusals. Requests are spread evenly, just under it.</source>
        <translation>这个上限来自任务定义、服务的响应头或它的拒绝信息。请求会均匀发送，略低于上限。</translation>
    </message>
    <message>
        <source>Tokens of prompts and answers count together. What each row takes is reserved before it is sent and settled with what the service counted. Shorter prompts, examples or answers let more rows through.</source>
        <translation>提示词和应答的词元合并计算。每行发送前先预留用量，再按服务的计数结算。缩短提示词、示例或应答，可以让更多行通过。</translation>
    </message>
    <message>
        <source>The service refused requests without telling its limit. The pace was learned from what it accepted between refusals and is tried upwards again and again.</source>
        <translation>服务拒绝了请求，但没有说明上限。速度是从两次拒绝之间它接受的请求推算出来的，并会不断尝试提高。</translation>
    </message>
    <message>
        <source>After a refusal sending stops for a moment; then one single request tries whether the service accepts again.</source>
        <translation>被拒绝后会暂停发送片刻，然后用一个请求试探服务是否重新接受。</translation>
    </message>
    <message>
        <source>Runs on the same account share its limits evenly, so that none of them starves.</source>
        <translation>同一账户的各个运行平均分享上限，谁也不会挨饿。</translation>
    </message>
    <message>
        <source>Nothing came through any more: requests fail or get no answer. One tries now and then; with its answer the run goes on at full speed. Tries that fell into the outage do not count against the rows.</source>
        <translation>已没有任何请求成功：请求失败或没有应答。每隔一段时间会用一个请求试探；一旦有应答，运行就全速继续。中断期间的尝试不计入各行的次数。</translation>
    </message>
    <message>
        <source>Retries may be {0} of the requests of a minute, so that a storm of failures cannot feed itself.</source>
        <translation>重试最多占每分钟请求的 {0}，以免失败引发更多失败。</translation>
    </message>
    <message>
        <source>More rows than usual failed in the last minute for the service&apos;s reasons. Fewer requests are sent at once, and rows asked again wait.</source>
        <translation>最近一分钟因服务原因失败的行多于平常。同时发送的请求会减少，重新提问的行先等待。</translation>
    </message>
    <message>
        <source>The job sets how long an answer may take; sending slows down while answers take longer.</source>
        <translation>任务定义规定了应答可以用多长时间；应答更慢时，发送就会放慢。</translation>
    </message>
    <message>
        <source>Reading and filling in prompts takes longer than sending. More requests at once would not help.</source>
        <translation>读取和填写提示词比发送更费时间。提高并发没有用。</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>没有</translation>
    </message>
    <message>
        <source>the limit of requests at once</source>
        <translation>并发上限</translation>
    </message>
    <message>
        <source>requests per minute</source>
        <translation>每分钟请求数</translation>
    </message>
    <message>
        <source>tokens per minute</source>
        <translation>每分钟词元数</translation>
    </message>
    <message>
        <source>the learned pace</source>
        <translation>推算的速度</translation>
    </message>
    <message>
        <source>a refusal</source>
        <translation>一次拒绝</translation>
    </message>
    <message>
        <source>an outage of the service</source>
        <translation>服务中断</translation>
    </message>
    <message>
        <source>another run on the account</source>
        <translation>同一账户的另一个运行</translation>
    </message>
    <message>
        <source>the share of retries</source>
        <translation>重试的份额</translation>
    </message>
    <message>
        <source>too many failures</source>
        <translation>失败过多</translation>
    </message>
    <message>
        <source>slow answers</source>
        <translation>应答过慢</translation>
    </message>
    <message>
        <source>rows that wait to be tried again</source>
        <translation>等待重试的行</translation>
    </message>
    <message>
        <source>no rows left to send</source>
        <translation>没有要发送的行</translation>
    </message>
    <message>
        <source>reading of rows</source>
        <translation>读取行</translation>
    </message>
    <message>
        <source>The queue is empty {0} of the time: preparing rows is the bottleneck. More requests at once would not help.</source>
        <translation>{0} 的时间队列是空的：瓶颈在于准备各行。提高并发没有用。</translation>
    </message>
    <message>
        <source>Requests per minute are the limit {0} of the time, at {1} now. More at once would not help; a higher limit with the service would.</source>
        <translation>{0} 的时间受每分钟请求数限制，现为每分钟 {1} 个。提高并发没有用；向服务申请更高的上限才有用。</translation>
    </message>
    <message>
        <source>Tokens per minute are the limit {0} of the time. A shorter prompt or shorter answers would help.</source>
        <translation>{0} 的时间受每分钟词元数限制。缩短提示词或应答会有用。</translation>
    </message>
    <message>
        <source>The service refuses more than about {0} requests per minute. If you know its limits, set them under “Ceiling”: that saves the refusals.</source>
        <translation>服务拒绝超过每分钟约 {0} 个的请求。如果知道它的上限，请在“并发上限”处填写，可以避免被拒绝。</translation>
    </message>
    <message>
        <source>With {0} requests at once the service is busy: more would only queue there.</source>
        <translation>同时 {0} 个请求时服务已经满负荷：再多也只会在那里排队。</translation>
    </message>
    <message>
        <source>The limit is at its ceiling of {0}: a higher one might be faster.</source>
        <translation>已到最高上限 {0}：调高可能会更快。</translation>
    </message>
    <message>
        <source>You fixed the limit at {0}: a higher one, or letting it move by itself, might be faster.</source>
        <translation>您把上限固定为 {0}：调高或改为自动可能会更快。</translation>
    </message>
    <message>
        <source>{0} of the requests give no usable answer; they cost time and money. See “Failed requests by kind”.</source>
        <translation>{0} 的请求没有可用的应答，既费时又费钱。请看“失败请求（按种类）”。</translation>
    </message>
    <message>
        <source>Writing takes {0} of the time: the disk of the project file is slow.</source>
        <translation>写入占 {0} 的时间：项目文件所在的磁盘较慢。</translation>
    </message>
    <message>
        <source>The instructions are about {0} tokens, {1} of each request. Shorter ones would be faster and cheaper.</source>
        <translation>说明部分约 {0} 个词元，占每个请求的 {1}。缩短它会更快、更省。</translation>
    </message>
    <message>
        <source>start</source>
        <comment>mark</comment>
        <translation>起步</translation>
    </message>
    <message>
        <source>queue</source>
        <comment>mark</comment>
        <translation>排队</translation>
    </message>
    <message>
        <source>test</source>
        <comment>mark</comment>
        <translation>试探</translation>
    </message>
    <message>
        <source>held</source>
        <comment>mark</comment>
        <translation>保持</translation>
    </message>
    <message>
        <source>faster</source>
        <comment>mark</comment>
        <translation>更快</translation>
    </message>
    <message>
        <source>on</source>
        <comment>mark</comment>
        <translation>恢复</translation>
    </message>
    <message>
        <source>pace</source>
        <comment>mark</comment>
        <translation>速度</translation>
    </message>
    <message>
        <source>stated</source>
        <comment>mark</comment>
        <translation>声明</translation>
    </message>
    <message>
        <source>told</source>
        <comment>mark</comment>
        <translation>告知</translation>
    </message>
    <message>
        <source>outage</source>
        <comment>mark</comment>
        <translation>中断</translation>
    </message>
    <message>
        <source>back</source>
        <comment>mark</comment>
        <translation>恢复</translation>
    </message>
    <message>
        <source>you</source>
        <comment>mark</comment>
        <translation>手动</translation>
    </message>
    <message>
        <source>alarm</source>
        <comment>mark</comment>
        <translation>警报</translation>
    </message>
    <message>
        <source>over</source>
        <comment>mark</comment>
        <translation>解除</translation>
    </message>
    <message>
        <source>slow</source>
        <comment>mark</comment>
        <translation>慢</translation>
    </message>
    <message>
        <source>{0}: {1}</source>
        <translation>{0}：{1}</translation>
    </message>
    <message>
        <source>{0}: {1} ({2})</source>
        <translation>{0}：{1}（{2}）</translation>
    </message>
    <message>
        <source>answers come cleanly</source>
        <translation>应答正常</translation>
    </message>
    <message>
        <source>the service queues</source>
        <translation>服务在排队</translation>
    </message>
    <message>
        <source>test with fewer</source>
        <translation>用更少的请求试探</translation>
    </message>
    <message>
        <source>held where nothing queues</source>
        <translation>保持在不排队的水平</translation>
    </message>
    <message>
        <source>answers come faster</source>
        <translation>应答变快</translation>
    </message>
    <message>
        <source>refused (429)</source>
        <translation>被拒绝 (429)</translation>
    </message>
    <message>
        <source>accepted again</source>
        <translation>重新接受</translation>
    </message>
    <message>
        <source>no refusals</source>
        <translation>没有拒绝</translation>
    </message>
    <message>
        <source>stated by the service</source>
        <translation>服务声明</translation>
    </message>
    <message>
        <source>told</source>
        <translation>告知</translation>
    </message>
    <message>
        <source>no answers: outage</source>
        <translation>没有应答：中断</translation>
    </message>
    <message>
        <source>the service is back</source>
        <translation>服务恢复</translation>
    </message>
    <message>
        <source>set by you</source>
        <translation>由您设定</translation>
    </message>
    <message>
        <source>alarm: many failures</source>
        <translation>警报：失败过多</translation>
    </message>
    <message>
        <source>failures are rare again</source>
        <translation>失败已变少</translation>
    </message>
    <message>
        <source>slower than the job allows</source>
        <translation>慢于任务允许的时间</translation>
    </message>
    <message>
        <source>Requests at once</source>
        <translation>同时请求数</translation>
    </message>
    <message>
        <source>Ceiling</source>
        <translation>最高上限</translation>
    </message>
    <message>
        <source>Requests per minute</source>
        <translation>每分钟请求数</translation>
    </message>
    <message>
        <source>Tokens per minute</source>
        <translation>每分钟词元数</translation>
    </message>
    <message>
        <source>Outage</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>Alarm</source>
        <translation>警报</translation>
    </message>
    <message>
        <source>{0}/min</source>
        <translation>{0}/分钟</translation>
    </message>
    <message>
        <source>none</source>
        <comment>limit</comment>
        <translation>无</translation>
    </message>
</context>
</TS>
