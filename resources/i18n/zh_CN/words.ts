<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Words</name>
    <message>
        <source>practice server</source>
        <translation>练习服务器</translation>
    </message>
    <message>
        <source>built-in model</source>
        <translation>内置模型</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>In flight</source>
        <translation>在途</translation>
    </message>
    <message>
        <source>To retry</source>
        <translation>待重试</translation>
    </message>
    <message>
        <source>Passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>待复核</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>已采纳</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>已驳回</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>Paused: {0}</source>
        <translation>已暂停：{0}</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>已采纳</translation>
    </message>
    <message>
        <source>edited and accepted</source>
        <translation>修改后采纳</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>已驳回</translation>
    </message>
    <message>
        <source>to be asked again</source>
        <translation>要求重试</translation>
    </message>
    <message>
        <source>too many requests</source>
        <translation>请求过于频繁</translation>
    </message>
    <message>
        <source>no quota or balance left</source>
        <translation>余额或额度不足</translation>
    </message>
    <message>
        <source>service overloaded</source>
        <translation>服务过载</translation>
    </message>
    <message>
        <source>service error</source>
        <translation>服务出错</translation>
    </message>
    <message>
        <source>no connection in time</source>
        <translation>连接超时</translation>
    </message>
    <message>
        <source>no connection</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>no answer in time</source>
        <translation>等待回答超时</translation>
    </message>
    <message>
        <source>connection broken</source>
        <translation>连接中断</translation>
    </message>
    <message>
        <source>total time used up</source>
        <translation>总时限已到</translation>
    </message>
    <message>
        <source>key refused</source>
        <translation>密钥被拒</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>no such model or address</source>
        <translation>没有此模型或地址</translation>
    </message>
    <message>
        <source>not a model service</source>
        <translation>不是模型服务</translation>
    </message>
    <message>
        <source>request refused</source>
        <translation>请求被拒</translation>
    </message>
    <message>
        <source>too long for the model</source>
        <translation>超出模型的长度上限</translation>
    </message>
    <message>
        <source>too large for the service</source>
        <translation>超出服务的大小上限</translation>
    </message>
    <message>
        <source>refused by the content filter</source>
        <translation>被内容过滤拦截</translation>
    </message>
    <message>
        <source>answer cut off</source>
        <translation>回答被截断</translation>
    </message>
    <message>
        <source>answer not in the asked form</source>
        <translation>回答不符合要求的格式</translation>
    </message>
    <message>
        <source>empty answer</source>
        <translation>空回答</translation>
    </message>
    <message>
        <source>answer for another row</source>
        <translation>回答属于另一行</translation>
    </message>
    <message>
        <source>prompt cannot be filled in</source>
        <translation>提示词无法填充</translation>
    </message>
    <message>
        <source>no space for the project file</source>
        <translation>没有空间保存项目文件</translation>
    </message>
    <message>
        <source>fault of Batchdesk</source>
        <translation>Batchdesk 的故障</translation>
    </message>
    <message>
        <source>The service asks to wait until the time that stands first; resume after it.</source>
        <translation>服务要求等到开头所示的时间；过了该时间再继续。</translation>
    </message>
    <message>
        <source>Top up the account, or wait until the quota renews; then resume.</source>
        <translation>请为账户充值，或等待额度恢复，然后继续。</translation>
    </message>
    <message>
        <source>Correct the key in Settings; then resume.</source>
        <translation>请在“设置”中更正密钥，然后继续。</translation>
    </message>
    <message>
        <source>Ask for access or use another key; then resume.</source>
        <translation>请申请权限或换用其他密钥，然后继续。</translation>
    </message>
    <message>
        <source>Check the model and the address on the Prompt page.</source>
        <translation>请在“提示词”页检查模型和地址。</translation>
    </message>
    <message>
        <source>Check the address; it usually ends in /v1.</source>
        <translation>请检查地址，它通常以 /v1 结尾。</translation>
    </message>
    <message>
        <source>Check the address and the network; then resume.</source>
        <translation>请检查地址和网络，然后继续。</translation>
    </message>
    <message>
        <source>Check the network; then resume.</source>
        <translation>请检查网络，然后继续。</translation>
    </message>
    <message>
        <source>Correct the prompt or the model; then run again.</source>
        <translation>请更正提示词或模型，然后重新运行。</translation>
    </message>
    <message>
        <source>Shorten the prompt or choose a model with a larger window.</source>
        <translation>请缩短提示词，或选择上下文更长的模型。</translation>
    </message>
    <message>
        <source>Free some space on the disk; then resume.</source>
        <translation>请腾出一些磁盘空间，然后继续。</translation>
    </message>
    <message>
        <source>Everything saved so far is safe; resume to go on.</source>
        <translation>已保存的内容都在，点“继续”即可接着运行。</translation>
    </message>
    <message>
        <source>empty row</source>
        <translation>空行</translation>
    </message>
    <message>
        <source>duplicate</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>filtered out</source>
        <translation>已被筛除</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>没有变化</translation>
    </message>
    <message>
        <source>answered in the pilot</source>
        <translation>先导运行中已回答</translation>
    </message>
    <message>
        <source>Confidence {0} is below {1}</source>
        <translation>置信度 {0} 低于 {1}</translation>
    </message>
    <message>
        <source>“{0}” is not an allowed value</source>
        <translation>“{0}”不是允许的值</translation>
    </message>
    <message>
        <source>Answers differ: {0} agree</source>
        <translation>多次回答不一致：{0} 相同</translation>
    </message>
    <message>
        <source>Low confidence</source>
        <translation>置信度低</translation>
    </message>
    <message>
        <source>Confidence unknown</source>
        <translation>置信度未知</translation>
    </message>
    <message>
        <source>Value not allowed</source>
        <translation>值不在允许范围内</translation>
    </message>
    <message>
        <source>Answers differ</source>
        <translation>多次回答不一致</translation>
    </message>
    <message>
        <source>Answer had to be repaired</source>
        <translation>回答经修复才能读取</translation>
    </message>
    <message>
        <source>Answer not readable</source>
        <translation>回答无法读取</translation>
    </message>
    <message>
        <source>Answer not whole</source>
        <translation>回答不完整</translation>
    </message>
    <message>
        <source>Several answers in one</source>
        <translation>一次给出了多个回答</translation>
    </message>
    <message>
        <source>Empty answer</source>
        <translation>空回答</translation>
    </message>
    <message>
        <source>A number in the answer is too large or none at all</source>
        <translation>回答中有过大或无效的数字</translation>
    </message>
    <message>
        <source>Answer nested too deep</source>
        <translation>回答嵌套过深</translation>
    </message>
    <message>
        <source>Answer cut off</source>
        <translation>回答被截断</translation>
    </message>
    <message>
        <source>Refused by the content filter</source>
        <translation>被内容过滤拦截</translation>
    </message>
    <message>
        <source>Answer for another row</source>
        <translation>回答属于另一行</translation>
    </message>
    <message>
        <source>Answer does not name its row</source>
        <translation>回答没有注明所属的行</translation>
    </message>
    <message>
        <source>Required field is blank</source>
        <translation>必填字段为空</translation>
    </message>
    <message>
        <source>Required field is missing</source>
        <translation>缺少必填字段</translation>
    </message>
    <message>
        <source>Field missing</source>
        <translation>缺少字段</translation>
    </message>
    <message>
        <source>Wrong type of value</source>
        <translation>值的类型不对</translation>
    </message>
    <message>
        <source>A value that cannot be checked</source>
        <translation>有无法检查的值</translation>
    </message>
    <message>
        <source>The pattern took too long</source>
        <translation>模式匹配耗时过长</translation>
    </message>
    <message>
        <source>Field that was not asked for</source>
        <translation>有未要求的字段</translation>
    </message>
    <message>
        <source>Number too small</source>
        <translation>数字过小</translation>
    </message>
    <message>
        <source>Number too large</source>
        <translation>数字过大</translation>
    </message>
    <message>
        <source>Text too short</source>
        <translation>文本过短</translation>
    </message>
    <message>
        <source>Text too long</source>
        <translation>文本过长</translation>
    </message>
    <message>
        <source>Text not in the asked form</source>
        <translation>文本不符合要求的格式</translation>
    </message>
    <message>
        <source>Too few entries</source>
        <translation>条目过少</translation>
    </message>
    <message>
        <source>Too many entries</source>
        <translation>条目过多</translation>
    </message>
    <message>
        <source>An entry occurs twice</source>
        <translation>有重复的条目</translation>
    </message>
    <message>
        <source>Other reason</source>
        <translation>其他原因</translation>
    </message>
    <message>
        <source>Not as the schema asks ({0})</source>
        <translation>不符合规定的结构（{0}）</translation>
    </message>
    <message>
        <source>Held back by the limit of {0} requests at once.</source>
        <translation>受并发上限限制：最多同时 {0} 个请求。</translation>
    </message>
    <message>
        <source>Held back by requests per minute: {0}.</source>
        <translation>受每分钟请求数限制：{0}。</translation>
    </message>
    <message>
        <source>Held back by tokens per minute: {0}.</source>
        <translation>受每分钟词元数限制：{0}。</translation>
    </message>
    <message>
        <source>Held back by the pace learned from refusals: {0} requests per minute.</source>
        <translation>受从拒绝中推算出的速度限制：每分钟 {0} 个请求。</translation>
    </message>
    <message>
        <source>The service does not answer. Next try in {0}.</source>
        <translation>服务没有应答。{0}后再试。</translation>
    </message>
    <message>
        <source>Held back by the pace learned from refusals.</source>
        <translation>受从拒绝中推算出的速度限制。</translation>
    </message>
    <message>
        <source>The service refused; it is tried again in a moment.</source>
        <translation>服务刚刚拒绝了请求；稍后再试。</translation>
    </message>
    <message>
        <source>The service does not answer. The next try is under way.</source>
        <translation>服务没有应答。正在再试一次。</translation>
    </message>
    <message>
        <source>Another run on the same account has its turn.</source>
        <translation>现在轮到同一账户的另一个运行。</translation>
    </message>
    <message>
        <source>Only retries are left, and they have had their share.</source>
        <translation>只剩待重试的行，而重试的份额已用完。</translation>
    </message>
    <message>
        <source>Slowed down: too many rows failed in the last minute.</source>
        <translation>已放慢：最近一分钟失败的行过多。</translation>
    </message>
    <message>
        <source>Slowed down: answers take longer than the job allows.</source>
        <translation>已放慢：应答时间超过任务定义允许的时间。</translation>
    </message>
    <message>
        <source>All that is left waits to be tried again.</source>
        <translation>剩下的行都在等待重试。</translation>
    </message>
    <message>
        <source>Rows are being read from the project file.</source>
        <translation>正在从项目文件读取行。</translation>
    </message>
    <message>
        <source>All that is left is under way.</source>
        <translation>剩下的行都在处理中。</translation>
    </message>
    <message>
        <source>{0} used</source>
        <translation>已用 {0}</translation>
    </message>
    <message>
        <source>{0} of {1} used</source>
        <translation>已用 {1} 的 {0}</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) with too few cells</source>
        <translation>
            <numerusform>%n 行单元格过少</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) with too many cells</source>
        <translation>
            <numerusform>%n 行单元格过多</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) with NUL characters, removed</source>
        <translation>
            <numerusform>%n 行含 NUL 字符，已去除</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) that do not fit the encoding</source>
        <translation>
            <numerusform>%n 处字符不符合编码</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n column name(s) twice, renamed</source>
        <translation>
            <numerusform>%n 个列名重复，已改名</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n column(s) without a name, named</source>
        <translation>
            <numerusform>%n 列没有名称，已命名</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n id(s) twice, renamed</source>
        <translation>
            <numerusform>%n 个编号重复，已改名</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) without an id, numbered</source>
        <translation>
            <numerusform>%n 行没有编号，已补上</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) that are not objects, left out</source>
        <translation>
            <numerusform>%n 行不是对象，未读入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) that are not JSON, left out</source>
        <translation>
            <numerusform>%n 行不是 JSON，未读入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n object(s) nested too deeply, left out</source>
        <translation>
            <numerusform>%n 个对象嵌套过深，已略去</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n blank line(s), left out</source>
        <translation>
            <numerusform>%n 个空行，未读入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n quote(s) not closed</source>
        <translation>
            <numerusform>%n 处引号没有闭合</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n column name(s) reserved, renamed</source>
        <translation>
            <numerusform>%n 个列名为保留名，已改名</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) above the column names, left out</source>
        <translation>
            <numerusform>列名上方有 %n 行，未读入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cell(s) with an error such as #N/A, kept</source>
        <translation>
            <numerusform>%n 格是错误值（如 #N/A），原样保留</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n formula(s) without a saved result, empty</source>
        <translation>
            <numerusform>%n 个公式没有保存结果，留空</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cell(s) that cannot be read, empty</source>
        <translation>
            <numerusform>%n 格无法读取，留空</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cell(s) of bytes, shown as hexadecimal</source>
        <translation>
            <numerusform>%n 格是二进制数据，以十六进制显示</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hidden sheet(s), not read</source>
        <translation>
            <numerusform>%n 个隐藏的工作表，未读入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n further sheet(s) or list(s), not read</source>
        <translation>
            <numerusform>另有 %n 个工作表或列表，未读入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) that cannot be read, left out</source>
        <translation>
            <numerusform>%n 个文件无法读取，未读入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) without text, empty</source>
        <translation>
            <numerusform>%n 个文档没有文字，留空</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} %</source>
        <translation>{0}%</translation>
    </message>
    <message>
        <source>{0} ms</source>
        <translation>{0} 毫秒</translation>
    </message>
    <message>
        <source>{0} s</source>
        <translation>{0}&#xa0;秒</translation>
    </message>
    <message>
        <source>{0} h {1} min</source>
        <translation>{0}&#xa0;小时&#xa0;{1}&#xa0;分</translation>
    </message>
    <message>
        <source>{0} min {1} s</source>
        <translation>{0}&#xa0;分&#xa0;{1}&#xa0;秒</translation>
    </message>
</context>
</TS>
