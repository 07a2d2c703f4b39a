<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>errors</name>
        <message>
            <source> Write {written} for the column {name!r}.</source>
            <translation>列“{name}”应写作 {written}。</translation>
        </message>
        <message>
            <source>A cell of the record that begins in line {line} of {name} does not end after {limit} characters: most likely its quote is never closed. Close it or remove it.</source>
            <translation>{name} 中从第 {line} 行开始的记录有一个单元格超过 {limit} 个字符仍未结束：很可能是引号没有闭合。请补上引号或将其删除。</translation>
        </message>
        <message>
            <source>A cleaning step stands in the job twice: {reason}.</source>
            <translation>清理步骤在任务中出现了两次：{reason}。</translation>
        </message>
        <message>
            <source>A file of batch answers needs at least one column.</source>
            <translation>批量答案文件至少需要一列。</translation>
        </message>
        <message>
            <source>A file of batch requests needs the column {column}, which the table lacks.</source>
            <translation>批量请求文件需要列 {column}，而表格中没有这一列。</translation>
        </message>
        <message>
            <source>A proxy's name and password are not kept in the settings. Leave them out here, and set the environment variable https_proxy to the whole address if it needs them.</source>
            <translation>设置中不保存代理的用户名和密码。请在此处省略；如果代理需要它们，请把环境变量 https_proxy 设为完整地址。</translation>
        </message>
        <message>
            <source>A run sends each row whole: write over = {skip} in the cleaning step for the length. Long texts are cut as the table is read, with chunk_column, chunk_tokens and chunk_overlap in [data].</source>
            <translation>运行按整行发送：请在长度清理步骤中写 over = {skip}。长文本在读取表格时切分，请在 [data] 中使用 chunk_column、chunk_tokens 和 chunk_overlap。</translation>
        </message>
        <message>
            <source>A run was made over this table, so it stays: its answers need the rows.</source>
            <translation>已有运行使用此表格，因此予以保留：其答案需要这些行。</translation>
        </message>
        <message>
            <source>A sheet has at most {limit} columns, and the table has {cells}: export it as CSV or Parquet.</source>
            <translation>工作表最多 {limit} 列，而该表格有 {cells} 列：请导出为 CSV 或 Parquet。</translation>
        </message>
        <message>
            <source>An example needs a value for the field {field!r}, and no column has it. Add a column of that name, or write the examples by hand.</source>
            <translation>示例需要字段 {field!r} 的值，但没有列提供它。请添加同名的列，或手动编写示例。</translation>
        </message>
        <message>
            <source>Another program holds the project file. Close it there and try again.</source>
            <translation>另一个程序占用了项目文件。请在那里关闭它，然后重试。</translation>
        </message>
        <message>
            <source>Answers can be put back into XLSX and XLSM workbooks only. Save {name} as XLSX in a spreadsheet program and import that file, or export to another file.</source>
            <translation>答案只能写回 XLSX 和 XLSM 工作簿。请用表格软件将 {name} 另存为 XLSX 后再导入，或导出到其他文件。</translation>
        </message>
        <message>
            <source>Batchdesk may not write in the folder {folder} ({reason}). Choose another folder for the project file.</source>
            <translation>Batchdesk 无权写入文件夹 {folder}（{reason}）。请为项目文件另选一个文件夹。</translation>
        </message>
        <message>
            <source>Choose a label column on the Data page first.</source>
            <translation>请先在“数据”页选择标签列。</translation>
        </message>
        <message>
            <source>Chunks of {size} tokens with an overlap of {overlap} cannot be made. A chunk needs {least} tokens at least, and no more than half of it may be overlap.</source>
            <translation>无法切成每段 {size} 个词元、重叠 {overlap} 个词元的片段。每段至少需要 {least} 个词元，重叠不能超过一半。</translation>
        </message>
        <message>
            <source>Did you mean {near}?</source>
            <translation>您是不是想写 {near}？</translation>
        </message>
        <message>
            <source>Every run of this project has finished; there is nothing to resume.</source>
            <translation>本项目的所有运行都已完成，没有可继续的运行。</translation>
        </message>
        <message>
            <source>Give the prompt a name of letters or digits.</source>
            <translation>请给提示词起一个含文字或数字的名称。</translation>
        </message>
        <message>
            <source>It has: {known}, … ({count} in all).</source>
            <translation>已有：{known}……（共 {count} 个）。</translation>
        </message>
        <message>
            <source>It has: {known}.</source>
            <translation>已有：{known}。</translation>
        </message>
        <message>
            <source>Its columns are: {known}.</source>
            <translation>表格的列有：{known}。</translation>
        </message>
        <message>
            <source>Known kinds: {known}.</source>
            <translation>可用的种类：{known}。</translation>
        </message>
        <message>
            <source>Known there: {known}.</source>
            <translation>此处可用：{known}。</translation>
        </message>
        <message>
            <source>Line {line} of {name} has {cells} cells; at most {limit} are possible. Check the separator.</source>
            <translation>{name} 的第 {line} 行有 {cells} 个单元格，最多只能有 {limit} 个。请检查分隔符。</translation>
        </message>
        <message>
            <source>Long texts of {name} were cut, so that one row of the workbook has several answers: there is no place for them in a copy. Export to another file.</source>
            <translation>{name} 的长文本已被切分，工作簿中的一行有多个回答，副本中放不下。请导出到其他文件。</translation>
        </message>
        <message>
            <source>No file of the folder {name} could be read; the problems say why.</source>
            <translation>文件夹 {name} 中没有可以读取的文件；原因见问题列表。</translation>
        </message>
        <message>
            <source>No filter named {name!r}</source>
            <translation>没有名为“{name}”的过滤器</translation>
        </message>
        <message>
            <source>No line of {name} is a JSON object: check that it is JSONL, one object a line.</source>
            <translation>{name} 中没有一行是 JSON 对象：请检查它是否为 JSONL，即每行一个对象。</translation>
        </message>
        <message>
            <source>No row can be sent: the cleaning step for the length keeps {reserve} tokens for the answer, and the model's window has {window}. Lower reserve, or raise window.</source>
            <translation>没有任何行可以发送：长度清理步骤为回答保留了 {reserve} 个 token，而模型的窗口只有 {window} 个。请调低 reserve，或调高 window。</translation>
        </message>
        <message>
            <source>No row has a value in the label column {label!r}.</source>
            <translation>标签列 {label!r} 中没有任何值。</translation>
        </message>
        <message>
            <source>No run of this project was finished being made. Start it with `batchdesk run`.</source>
            <translation>此项目中没有任何一次运行准备完成。请用 `batchdesk run` 开始运行。</translation>
        </message>
        <message>
            <source>No sheet of {name} has a cell in it.</source>
            <translation>{name} 的所有工作表都是空的。</translation>
        </message>
        <message>
            <source>No temporary file can be written: {reason}. Free some space on the system's disk.</source>
            <translation>无法写入临时文件：{reason}。请在系统盘上腾出一些空间。</translation>
        </message>
        <message>
            <source>No test named {name!r}</source>
            <translation>没有名为“{name}”的测试</translation>
        </message>
        <message>
            <source>Nothing may be written to the folder {folder}: choose another one.</source>
            <translation>无权写入文件夹 {folder}：请另选一个。</translation>
        </message>
        <message>
            <source>Port {port} cannot be used: {reason}. Choose another port (0: any free one).</source>
            <translation>端口 {port} 无法使用：{reason}。请另选一个端口（0 表示任一空闲端口）。</translation>
        </message>
        <message>
            <source>Port {port} is already in use on this computer. Stop the program that uses it, or choose another port (0: any free one).</source>
            <translation>端口 {port} 在这台电脑上已被占用。请停止占用它的程序，或另选一个端口（0 表示任一空闲端口）。</translation>
        </message>
        <message>
            <source>Row {row} has no custom_id of its own: each request needs one.</source>
            <translation>第 {row} 行没有自己的 custom_id：每个请求都需要一个。</translation>
        </message>
        <message>
            <source>Row {row} of the sheet in {name} is empty, so that the column names cannot stand in it. Choose another row.</source>
            <translation>{name} 中工作表的第 {row} 行是空的，不能作为列名行。请选择另一行。</translation>
        </message>
        <message>
            <source>Run {id} has finished; there is nothing to resume.</source>
            <translation>运行 {id} 已完成，无需继续。</translation>
        </message>
        <message>
            <source>Run {id} is not a pilot, so it has no rest.</source>
            <translation>运行 {id} 不是先导运行，没有剩余部分。</translation>
        </message>
        <message>
            <source>Say which column's long texts are to be cut: --chunk-column NAME.</source>
            <translation>请说明要切分哪一列的长文本：--chunk-column 列名。</translation>
        </message>
        <message>
            <source>Several runs are not finished: {runs}. Say which one with --run.</source>
            <translation>有多个运行尚未完成：{runs}。请用 --run 指明其中一个。</translation>
        </message>
        <message>
            <source>Stage {stage!r} names a field {field!r} that its output does not have. It has: {known}.</source>
            <translation>阶段“{stage}”提到的字段“{field}”不在其输出中。已有：{known}。</translation>
        </message>
        <message>
            <source>Stage {stage!r} names a field {field!r}, but its answers are plain text without fields. Give the stage an output with this field.</source>
            <translation>阶段“{stage}”提到字段“{field}”，但其回答是没有字段的纯文本。请为该阶段规定含此字段的输出。</translation>
        </message>
        <message>
            <source>Stage {stage!r} wants echo_key, which needs an output of type object.</source>
            <translation>阶段“{stage}”使用 echo_key，这需要类型为 object 的输出。</translation>
        </message>
        <message>
            <source>That is no proxy's address that can be used. Write it like http://proxy.example:8080.</source>
            <translation>这不是可用的代理地址。请写成 http://proxy.example:8080 的样子。</translation>
        </message>
        <message>
            <source>The address of the service at {host} holds more than an address: leave out name and password, and everything from ? or # on.</source>
            <translation>{host} 的服务地址中有多余内容：请去掉用户名和密码，以及 ? 或 # 之后的所有内容。</translation>
        </message>
        <message>
            <source>The address {url!r} is not one: write it like https://api.example.com/v1.</source>
            <translation>“{url}”不是有效的地址：请写成 https://api.example.com/v1 这样。</translation>
        </message>
        <message>
            <source>The cleaning step {step} names a column {name!r} that the table does not have. {hint}</source>
            <translation>清理步骤 {step} 提到的列 {name!r} 在表格中不存在。{hint}</translation>
        </message>
        <message>
            <source>The copy of {name} needs the same suffix: {suffix}.</source>
            <translation>{name} 的副本需要相同的扩展名：{suffix}。</translation>
        </message>
        <message>
            <source>The copy {path} cannot be written: {reason}.</source>
            <translation>无法写入副本 {path}：{reason}。</translation>
        </message>
        <message>
            <source>The disk is full: {name} was not written. Free some space or choose another disk, and export again.</source>
            <translation>磁盘已满：{name} 没有写入。请腾出空间或另选磁盘，然后重新导出。</translation>
        </message>
        <message>
            <source>The encoding {encoding} is not known: leave it empty to have it guessed, or use a name such as utf-8, gb18030 or cp1252.</source>
            <translation>未知的编码 {encoding}：请留空以自动识别，或填写 utf-8、gb18030、cp1252 这样的名称。</translation>
        </message>
        <message>
            <source>The environment variable {variable}, which should hold the key, is not set. Set it and start again.</source>
            <translation>应保存密钥的环境变量 {variable} 没有设置。请设置后重新启动。</translation>
        </message>
        <message>
            <source>The export would overwrite the project file. Choose another name.</source>
            <translation>导出会覆盖项目文件。请另选一个名称。</translation>
        </message>
        <message>
            <source>The file of trusted certificates, {path}, holds none that can be read. Choose a PEM or DER file in the settings, or none.</source>
            <translation>受信任证书文件 {path} 中没有可读取的证书。请在设置中选择 PEM 或 DER 文件，或不使用。</translation>
        </message>
        <message>
            <source>The file of trusted certificates, {path}, is not there. Choose another in the settings, or none.</source>
            <translation>受信任证书文件 {path} 不存在。请在设置中另选一个，或不使用。</translation>
        </message>
        <message>
            <source>The file {path}, which is needed to count tokens, is missing or damaged. Install Batchdesk again.</source>
            <translation>统计词元所需的文件 {path} 缺失或已损坏。请重新安装 Batchdesk。</translation>
        </message>
        <message>
            <source>The filter `where`</source>
            <translation>筛选条件 `where`</translation>
        </message>
        <message>
            <source>The filter `where` cannot be decided for a row: {reason}.</source>
            <translation>筛选条件 `where` 对某一行无法判断：{reason}。</translation>
        </message>
        <message>
            <source>The filter `where` cannot be decided for a row: {reason}. Cells are text: write `stars | int &gt; 3` to compare numbers.</source>
            <translation>筛选条件 `where` 无法用于某一行：{reason}。单元格是文本：要比较数字，请写成 `stars | int &gt; 3`。</translation>
        </message>
        <message>
            <source>The folder {folder} does not exist: choose another one.</source>
            <translation>文件夹 {folder} 不存在：请另选一个。</translation>
        </message>
        <message>
            <source>The folder {name} has more than {limit} files: choose one with less in it.</source>
            <translation>文件夹 {name} 中的文件超过 {limit} 个：请选择文件较少的文件夹。</translation>
        </message>
        <message>
            <source>The folder {name} has no file that can be read as a row: it takes {known}.</source>
            <translation>文件夹 {name} 中没有可以读取的文件：支持 {known}。</translation>
        </message>
        <message>
            <source>The folder {name} may not be read: {reason}.</source>
            <translation>无法读取文件夹 {name}：{reason}。</translation>
        </message>
        <message>
            <source>The folder {path} for new projects cannot be made: {reason}.</source>
            <translation>无法建立用于新项目的文件夹 {path}：{reason}。</translation>
        </message>
        <message>
            <source>The helper server could not start: {reason}</source>
            <translation>辅助服务器无法启动：{reason}</translation>
        </message>
        <message>
            <source>The helper server does not run. Start it first.</source>
            <translation>辅助服务器没有运行。请先启动它。</translation>
        </message>
        <message>
            <source>The helper server was already started or stopped.</source>
            <translation>辅助服务器已经启动过或已停止。</translation>
        </message>
        <message>
            <source>The helper server was not ready after {seconds:g} s and was stopped. Close other programs and try again.</source>
            <translation>辅助服务器在 {seconds:g} 秒后仍未就绪，已被停止。请关闭其他程序后重试。</translation>
        </message>
        <message>
            <source>The import of {name} did not finish. Try it again.</source>
            <translation>{name} 的导入没有完成。请重试。</translation>
        </message>
        <message>
            <source>The job does not name a model. Add model = "…" to [provider].</source>
            <translation>作业没有指明模型。请在 [provider] 中加上 model = "…"。</translation>
        </message>
        <message>
            <source>The job does not say where the service is.</source>
            <translation>作业没有指明服务的地址。</translation>
        </message>
        <message>
            <source>The job does not say where the service is. Add base_url = "https://…" to [provider].</source>
            <translation>作业没有指明服务的地址。请在 [provider] 中加上 base_url = "https://…"。</translation>
        </message>
        <message>
            <source>The job file {path} cannot be read: {reason}.</source>
            <translation>无法读取作业文件 {path}：{reason}。</translation>
        </message>
        <message>
            <source>The job names no table. Add path to [data], or give --data FILE.</source>
            <translation>作业没有指明表格。请在 [data] 中加上 path，或使用 --data 文件。</translation>
        </message>
        <message>
            <source>The job sends no row of this table, so there is nothing to pilot.</source>
            <translation>该作业不发送此表的任何行，因此没有可供先导运行的内容。</translation>
        </message>
        <message>
            <source>The job sends no row of this table: all are filtered out, empty, too long or answered already.</source>
            <translation>该作业不发送此表的任何行：所有行都被筛除、为空、过长或已有答案。</translation>
        </message>
        <message>
            <source>The key holds characters that cannot be part of one, such as line breaks or typographic signs. Copy it anew.</source>
            <translation>密钥中含有不可能出现的字符，例如换行或排版符号。请重新复制。</translation>
        </message>
        <message>
            <source>The key of {service} is taken from the environment variable {variable}, not from the keyring. Put it there, or remove the variable's name.</source>
            <translation>{service} 的密钥取自环境变量 {variable}，而不是密钥环。请把密钥放到该变量中，或删除变量名称。</translation>
        </message>
        <message>
            <source>The local model could not start: {reason}</source>
            <translation>本地模型无法启动：{reason}</translation>
        </message>
        <message>
            <source>The local model was not ready after {seconds:g} s; close other programs and try again.</source>
            <translation>本地模型在 {seconds:g} 秒后仍未就绪；请关闭其他程序后重试。</translation>
        </message>
        <message>
            <source>The local model was started without a key of its own in {variable}; start it from Batchdesk.</source>
            <translation>本地模型启动时 {variable} 中没有它自己的密钥；请从 Batchdesk 启动它。</translation>
        </message>
        <message>
            <source>The mask pattern {name} is not a regular expression: {reason}.</source>
            <translation>遮盖规则 {name} 不是有效的正则表达式：{reason}。</translation>
        </message>
        <message>
            <source>The mask pattern {name} takes longer than {limit} s for one text. Make it simpler: repeated groups within repeated groups are the usual cause.</source>
            <translation>遮盖规则 {name} 处理一段文字超过了 {limit} 秒。请简化它：常见原因是重复的分组里又套着重复的分组。</translation>
        </message>
        <message>
            <source>The messages of row {row} are no JSON list: it should hold objects with role and content.</source>
            <translation>第 {row} 行的 messages 不是 JSON 列表：其中应是带有 role 和 content 的对象。</translation>
        </message>
        <message>
            <source>The output of stage {stage!r} has a $ref that leads to itself without end.</source>
            <translation>阶段“{stage}”的输出中有一个 $ref 无休止地指向自身。</translation>
        </message>
        <message>
            <source>The output of stage {stage!r} has a field `row_key`, a name that Batchdesk uses itself. Give the field another name.</source>
            <translation>阶段“{stage}”的输出中有字段 `row_key`，此名称由 Batchdesk 自己使用。请给该字段另取一个名称。</translation>
        </message>
        <message>
            <source>The output of stage {stage!r} has a pattern {pattern!r} that cannot be used: {reason}.</source>
            <translation>阶段 {stage!r} 的 output 中有一个无法使用的 pattern {pattern!r}：{reason}。</translation>
        </message>
        <message>
            <source>The output of stage {stage!r} has both patternProperties and unevaluatedProperties, which Batchdesk does not check together. Use additionalProperties instead.</source>
            <translation>阶段 {stage!r} 的 output 同时含有 patternProperties 和 unevaluatedProperties，Batchdesk 不能一并检查。请改用 additionalProperties。</translation>
        </message>
        <message>
            <source>The output of stage {stage!r} is nested too deeply. Make it flatter.</source>
            <translation>阶段“{stage}”的输出嵌套过深。请减少层级。</translation>
        </message>
        <message>
            <source>The output of stage {stage!r} is not a JSON Schema: at {path}, {reason}.</source>
            <translation>阶段“{stage}”的输出不是 JSON Schema：在 {path} 处，{reason}。</translation>
        </message>
        <message>
            <source>The output of stage {stage!r} refers to {reference!r}, which is not in it. A $ref must lead to a part of the same output, such as #/$defs/item.</source>
            <translation>阶段“{stage}”的输出引用了其中没有的“{reference}”。$ref 必须指向同一输出的某一部分，例如 #/$defs/item。</translation>
        </message>
        <message>
            <source>The pilot has not finished. Let it end, or resume it, before the rest is released.</source>
            <translation>先导运行尚未结束。请等它结束或继续运行，然后再放行其余的行。</translation>
        </message>
        <message>
            <source>The practice server cannot be started so: {problem}.</source>
            <translation>练习服务器不能这样启动：{problem}。</translation>
        </message>
        <message>
            <source>The practice server knows no fault “{name}”. The faults are: {names}.</source>
            <translation>练习服务器没有名为“{name}”的故障。可用的故障：{names}。</translation>
        </message>
        <message>
            <source>The practice server's {name} is {value:g}. Give a value from {low:g} to {high:g}.</source>
            <translation>练习服务器的 {name} 为 {value:g}。请填写 {low:g} 到 {high:g} 之间的值。</translation>
        </message>
        <message>
            <source>The project file cannot grow: the disk is full or does not answer. Free some space, then resume; everything saved so far is safe.</source>
            <translation>项目文件无法增大：磁盘已满或没有响应。请腾出空间后继续；此前已保存的一切都是安全的。</translation>
        </message>
        <message>
            <source>The project file is damaged. Open the backup beside it, or export what can be read.</source>
            <translation>项目文件已损坏。请打开旁边的备份，或导出还能读取的内容。</translation>
        </message>
        <message>
            <source>The project file is read-only. Copy it to a folder you may write to.</source>
            <translation>项目文件是只读的。请把它复制到您有权写入的文件夹。</translation>
        </message>
        <message>
            <source>The project file {path} cannot be made or opened. Check that the folder exists and that you may write in it.</source>
            <translation>无法建立或打开项目文件 {path}。请检查文件夹是否存在、您是否有权写入。</translation>
        </message>
        <message>
            <source>The project file {path} cannot be read ({error}).</source>
            <translation>无法读取项目文件 {path}（{error}）。</translation>
        </message>
        <message>
            <source>The project file {path} cannot be read: {reason}.</source>
            <translation>无法读取项目文件 {path}：{reason}。</translation>
        </message>
        <message>
            <source>The project file {path} is damaged ({error}).</source>
            <translation>项目文件 {path} 已损坏（{error}）。</translation>
        </message>
        <message>
            <source>The project file {path} is in use or was not closed properly, and such a file cannot be read where nothing may be written. Copy it, with the file beside it that ends in -wal, to a folder you may write to.</source>
            <translation>项目文件 {path} 正在使用或未正常关闭，这样的文件无法在不可写入的位置读取。请将它连同旁边以 -wal 结尾的文件一起复制到可写入的文件夹。</translation>
        </message>
        <message>
            <source>The project file {path} was moved, deleted or replaced while it was open. Put it back, or open it where it is now; what was saved before is in it.</source>
            <translation>项目文件 {path} 在打开期间被移动、删除或替换。请将它放回原处，或在它现在的位置打开；此前保存的内容都在其中。</translation>
        </message>
        <message>
            <source>The project is being closed; nothing more can be written.</source>
            <translation>项目正在关闭，无法再写入任何内容。</translation>
        </message>
        <message>
            <source>The project is open for reading only.</source>
            <translation>项目以只读方式打开。</translation>
        </message>
        <message>
            <source>The project {path} is open in another window. Use that one, or close it first.</source>
            <translation>项目 {path} 已在另一个窗口中打开。请使用那个窗口，或先将其关闭。</translation>
        </message>
        <message>
            <source>The prompt cannot be kept in {folder}: {reason}.</source>
            <translation>提示词无法保存到 {folder}：{reason}。</translation>
        </message>
        <message>
            <source>The prompt {name} cannot be removed: {reason}.</source>
            <translation>提示词 {name} 无法删除：{reason}。</translation>
        </message>
        <message>
            <source>The proxy set for this computer has no valid address. Correct http_proxy or https_proxy, or name {host} in NO_PROXY.</source>
            <translation>本机设置的代理地址无效。请更正 http_proxy 或 https_proxy，或把 {host} 写入 NO_PROXY。</translation>
        </message>
        <message>
            <source>The proxy set for this computer is of the kind {kind}, which Batchdesk cannot use. Set an HTTP proxy, or name {host} in NO_PROXY.</source>
            <translation>这台电脑设置的代理类型为 {kind}，Batchdesk 无法使用。请设置 HTTP 代理，或在 NO_PROXY 中列出 {host}。</translation>
        </message>
        <message>
            <source>The quote in line {line} of {name} is never closed, so that the whole file is one cell. Close it or remove it in a text editor.</source>
            <translation>{name} 第 {line} 行的引号没有闭合，因此整个文件成了一个单元格。请在文本编辑器中补上引号或将其删除。</translation>
        </message>
        <message>
            <source>The rate of the fault “{name}” is {rate:g}. Give a share from 0 to 1; 0.02 is two requests in a hundred. The faults are: {names}.</source>
            <translation>故障“{name}”的比例为 {rate:g}。请填写 0 到 1 之间的比例；0.02 表示每一百个请求中有两个。可用的故障：{names}。</translation>
        </message>
        <message>
            <source>The rates of all faults add up to {total:g}. Together they may be at most 1. The faults are: {names}.</source>
            <translation>所有故障的比例合计为 {total:g}，合计最多为 1。可用的故障：{names}。</translation>
        </message>
        <message>
            <source>The rows did not come from an XLSX or XLSM workbook, so there is none to copy. Export to another file.</source>
            <translation>这些行不是来自 XLSX 或 XLSM 工作簿，没有可复制的工作簿。请导出到其他文件。</translation>
        </message>
        <message>
            <source>The runtime of the local model is not installed; run packaging/run.sh once, or install Batchdesk with the extra "local".</source>
            <translation>本地模型的运行环境没有安装；请运行一次 packaging/run.sh，或安装带有附加项 "local" 的 Batchdesk。</translation>
        </message>
        <message>
            <source>The service did not answer: {reason}.</source>
            <translation>服务没有回答：“{reason}”。</translation>
        </message>
        <message>
            <source>The sheet cannot be copied: its XML is not as it should be.</source>
            <translation>无法复制该工作表：其 XML 不符合规范。</translation>
        </message>
        <message>
            <source>The sheet has no place for {count} more columns: export to another file.</source>
            <translation>该工作表放不下另外 {count} 列：请导出到其他文件。</translation>
        </message>
        <message>
            <source>The sheet that was read of {name} has {cells} columns; at most {limit} are possible.</source>
            <translation>{name} 中所读的工作表有 {cells} 列；最多支持 {limit} 列。</translation>
        </message>
        <message>
            <source>The sheet that was read of {name} is empty: choose another one.</source>
            <translation>{name} 中所读的工作表是空的：请选择另一个。</translation>
        </message>
        <message>
            <source>The system text of stage {stage!r}</source>
            <translation>阶段“{stage}”的系统文本</translation>
        </message>
        <message>
            <source>The table has no column {column!r} to choose by.</source>
            <translation>表中没有用于抽取的列 {column!r}。</translation>
        </message>
        <message>
            <source>The table has no column {label!r} to compare answers with. It has: {columns}.</source>
            <translation>表格中没有可与回答比较的列“{label}”。已有：{columns}。</translation>
        </message>
        <message>
            <source>The table {table} in {name} has no rows: choose another one.</source>
            <translation>{name} 中的表 {table} 没有任何行：请选择另一个。</translation>
        </message>
        <message>
            <source>The table {table} in {name} has {cells} columns; at most {limit} are possible.</source>
            <translation>{name} 中的表 {table} 有 {cells} 列；最多支持 {limit} 列。</translation>
        </message>
        <message>
            <source>The user text of stage {stage!r}</source>
            <translation>阶段“{stage}”的每行文本</translation>
        </message>
        <message>
            <source>The view {table} in {name} gave {limit} rows and has more: it may go on for ever. Save the rows that you need as a table of the database, and read that.</source>
            <translation>{name} 中的视图 {table} 已给出 {limit} 行，后面还有：它可能永无止境。请把需要的行另存为该数据库中的一张表，再读取那张表。</translation>
        </message>
        <message>
            <source>The weights of the local model are not installed; run packaging/run.sh once, or set {variable} to a .gguf file.</source>
            <translation>本地模型的权重没有安装；请运行一次 packaging/run.sh，或把 {variable} 设为一个 .gguf 文件。</translation>
        </message>
        <message>
            <source>The window cannot be opened: {reason}. Install what is missing, or use the command line (batchdesk --help).</source>
            <translation>无法打开窗口：{reason}。请安装缺少的组件，或使用命令行（batchdesk --help）。</translation>
        </message>
        <message>
            <source>The workbook has fewer rows than were imported from it: it was changed since. Import it again.</source>
            <translation>工作簿中的行数少于导入时的行数：它在导入后被修改过。请重新导入。</translation>
        </message>
        <message>
            <source>The workbook {name} was changed since its rows were imported. Import it again, or export to another file.</source>
            <translation>工作簿 {name} 在导入之后有改动。请重新导入，或导出到其他文件。</translation>
        </message>
        <message>
            <source>The workbook {path} is no longer there. Put it back, or export to another file.</source>
            <translation>工作簿 {path} 已不在原处。请放回原处，或导出到其他文件。</translation>
        </message>
        <message>
            <source>There are: {known}.</source>
            <translation>可用的有：{known}。</translation>
        </message>
        <message>
            <source>There is no dataset {id} in this project.</source>
            <translation>本项目中没有数据集 {id}。</translation>
        </message>
        <message>
            <source>There is no folder {folder}. Make it first, or choose another one for the project.</source>
            <translation>没有文件夹 {folder}。请先建立它，或为项目另选一个。</translation>
        </message>
        <message>
            <source>There is no job file {path}.</source>
            <translation>没有作业文件 {path}。</translation>
        </message>
        <message>
            <source>There is no key for {service}. Put it into the keyring on the Settings page, or into the environment variable {variable}, and start again.</source>
            <translation>没有 {service} 的密钥。请在“设置”页把它存入密钥环，或放入环境变量 {variable}，然后重新开始。</translation>
        </message>
        <message>
            <source>There is no preview {id} in this project.</source>
            <translation>此项目中没有试跑 {id}。</translation>
        </message>
        <message>
            <source>There is no project file {path}.</source>
            <translation>没有项目文件 {path}。</translation>
        </message>
        <message>
            <source>There is no provider preset {preset!r}. {hint}</source>
            <translation>没有名为“{preset}”的服务预设。{hint}</translation>
        </message>
        <message>
            <source>There is no run {id} in this project. It has: {known}.</source>
            <translation>本项目中没有运行 {id}。已有：{known}。</translation>
        </message>
        <message>
            <source>There is no screen to open a window on. See: batchdesk --help</source>
            <translation>没有可以打开窗口的屏幕。请参阅：batchdesk --help</translation>
        </message>
        <message>
            <source>There is no table on the clipboard: copy its cells and try again.</source>
            <translation>剪贴板中没有表格：请复制单元格后重试。</translation>
        </message>
        <message>
            <source>This computer has no keyring, so the key was not stored. Set an environment variable to it before Batchdesk starts ({how}), and write the variable's name here.</source>
            <translation>本机没有密钥环，因此未保存密钥。请在启动 Batchdesk 之前把它设为环境变量（{how}），并在此处填写变量名。</translation>
        </message>
        <message>
            <source>This computer's keyring did not keep the key ({reason}). Unlock it and try again, or set an environment variable to the key ({how}) and write the variable's name here.</source>
            <translation>本机的密钥环没有保存密钥（{reason}）。请解锁后重试，或把密钥设为环境变量（{how}）并在此处填写变量名。</translation>
        </message>
        <message>
            <source>This decision cannot be undone: the row has moved on since.</source>
            <translation>此决定无法撤销：该行之后又有了变化。</translation>
        </message>
        <message>
            <source>This project has no run yet.</source>
            <translation>此项目还没有运行。</translation>
        </message>
        <message>
            <source>This row no longer waits for a decision; it was sent again.</source>
            <translation>此行不再等待决定；它已重新发送。</translation>
        </message>
        <message>
            <source>`range` gives more than {most} numbers in all</source>
            <translation>`range` 产生的数字总共超过 {most} 个</translation>
        </message>
        <message>
            <source>a 7-Zip archive</source>
            <translation>7-Zip 压缩包</translation>
        </message>
        <message>
            <source>a PDF document</source>
            <translation>PDF 文档</translation>
        </message>
        <message>
            <source>a Parquet file</source>
            <translation>Parquet 文件</translation>
        </message>
        <message>
            <source>a RAR archive</source>
            <translation>RAR 压缩包</translation>
        </message>
        <message>
            <source>a SQLite database</source>
            <translation>SQLite 数据库</translation>
        </message>
        <message>
            <source>a Word document</source>
            <translation>Word 文档</translation>
        </message>
        <message>
            <source>a ZIP archive</source>
            <translation>ZIP 压缩包</translation>
        </message>
        <message>
            <source>a gzip archive</source>
            <translation>gzip 压缩包</translation>
        </message>
        <message>
            <source>a list in it has more than {most} items</source>
            <translation>其中一个列表超过 {most} 项</translation>
        </message>
        <message>
            <source>a number in it has too many digits</source>
            <translation>其中一个数字的位数太多</translation>
        </message>
        <message>
            <source>a picture</source>
            <translation>图片</translation>
        </message>
        <message>
            <source>a width or count in it is more than {most}</source>
            <translation>其中一个宽度或数量大于 {most}</translation>
        </message>
        <message>
            <source>an Excel workbook</source>
            <translation>Excel 工作簿</translation>
        </message>
        <message>
            <source>it ended with exit code {code} and gave no reason.</source>
            <translation>它以退出码 {code} 结束，没有说明原因。</translation>
        </message>
        <message>
            <source>it fills in more than {most} characters</source>
            <translation>填入的内容超过 {most} 个字符</translation>
        </message>
        <message>
            <source>it is not UTF-8 text</source>
            <translation>它不是 UTF-8 文本</translation>
        </message>
        <message>
            <source>it must not be empty</source>
            <translation>不得为空</translation>
        </message>
        <message>
            <source>it takes a list in [brackets]</source>
            <translation>应为 [方括号] 中的列表</translation>
        </message>
        <message>
            <source>it takes a number</source>
            <translation>应为数字</translation>
        </message>
        <message>
            <source>it takes a number with an end</source>
            <translation>应为有限的数字</translation>
        </message>
        <message>
            <source>it takes a path as text in quotes</source>
            <translation>应为引号中的路径</translation>
        </message>
        <message>
            <source>it takes a table</source>
            <translation>应为表</translation>
        </message>
        <message>
            <source>it takes a whole number</source>
            <translation>应为整数</translation>
        </message>
        <message>
            <source>it takes longer than {limit} s</source>
            <translation>耗时超过 {limit} 秒</translation>
        </message>
        <message>
            <source>it takes text in quotes</source>
            <translation>应为引号中的文本</translation>
        </message>
        <message>
            <source>it takes true or false</source>
            <translation>应为 true 或 false</translation>
        </message>
        <message>
            <source>its top</source>
            <translation>最上层</translation>
        </message>
        <message>
            <source>none</source>
            <translation>无</translation>
        </message>
        <message>
            <source>the top level</source>
            <translation>顶层</translation>
        </message>
        <message>
            <source>{account} is not the usual address of {service}, so its key is not sent there by itself. If it should be, add api_key_env = "{variable}" to [provider].</source>
            <translation>{account} 不是 {service} 的通常地址，因此不会自动把密钥发送到那里。如果确实要发送，请在 [provider] 中加上 api_key_env = "{variable}"。</translation>
        </message>
        <message>
            <source>{name} cannot be read as Parquet: {reason}. Have the program that wrote it write it again.</source>
            <translation>无法将 {name} 读作 Parquet：{reason}。请用生成它的程序重新生成。</translation>
        </message>
        <message>
            <source>{name} cannot be read as a SQLite database: {reason}. Check that it is one, and that no other program is writing to it.</source>
            <translation>无法将 {name} 读作 SQLite 数据库：{reason}。请确认它是数据库，且没有其他程序正在写入。</translation>
        </message>
        <message>
            <source>{name} cannot be read on: {reason}. Copy it to a local disk and try again.</source>
            <translation>无法继续读取 {name}：{reason}。请把它复制到本地磁盘后重试。</translation>
        </message>
        <message>
            <source>{name} could not be replaced: another program holds it open. Close it there (Excel locks the files it shows) and export again.</source>
            <translation>无法替换 {name}：另一个程序打开着它。请在那里关闭它（Excel 会锁定所显示的文件），然后重新导出。</translation>
        </message>
        <message>
            <source>{name} could not be written: {reason}. Choose another folder and export again.</source>
            <translation>无法写入 {name}：{reason}。请另选一个文件夹，然后重新导出。</translation>
        </message>
        <message>
            <source>{name} has a value at line {line} that is nested deeper than {limit} levels, which is more than can be read. Have the program that wrote it write it flatter.</source>
            <translation>{name} 第 {line} 行有一个嵌套超过 {limit} 层的值，超出了可读取的范围。请让生成它的程序减少嵌套层数。</translation>
        </message>
        <message>
            <source>{name} has column names but no rows: check that it is the right file.</source>
            <translation>{name} 只有列名，没有行：请检查文件是否正确。</translation>
        </message>
        <message>
            <source>{name} has more text than can be read from a workbook at once. Save the sheet as CSV (UTF-8) and read that file.</source>
            <translation>{name} 的文字太多，无法一次从工作簿读取。请将工作表另存为 CSV（UTF-8）后再读取。</translation>
        </message>
        <message>
            <source>{name} has more than {limit} different keys by line {line}. Keys should be column names, the same in every line.</source>
            <translation>到第 {line} 行为止，{name} 中已有超过 {limit} 个不同的键。键应为列名，且每行相同。</translation>
        </message>
        <message>
            <source>{name} has no column {column!r} to take the keys from. {hint}</source>
            <translation>{name} 中没有可用作键的列“{column}”。{hint}</translation>
        </message>
        <message>
            <source>{name} has no column {column!r} whose long texts could be cut. {hint}</source>
            <translation>{name} 中没有可切分长文本的列 {column!r}。{hint}</translation>
        </message>
        <message>
            <source>{name} has no list {table!r} of objects: choose another, or none.</source>
            <translation>{name} 中没有名为 {table!r} 的对象列表：请另选一个，或留空。</translation>
        </message>
        <message>
            <source>{name} has no sheet with cells.</source>
            <translation>{name} 中没有含单元格的工作表。</translation>
        </message>
        <message>
            <source>{name} has no sheet {sheet!r}. It has: {known}.</source>
            <translation>{name} 中没有工作表 {sheet!r}。现有：{known}。</translation>
        </message>
        <message>
            <source>{name} has no table in it.</source>
            <translation>{name} 中没有任何表。</translation>
        </message>
        <message>
            <source>{name} has no table {table!r}. It has: {known}.</source>
            <translation>{name} 中没有表 {table!r}。现有：{known}。</translation>
        </message>
        <message>
            <source>{name} has nothing but blank lines: check that it is the right file.</source>
            <translation>{name} 只有空行：请检查文件是否正确。</translation>
        </message>
        <message>
            <source>{name} has several tables: {known}. Say which one to read.</source>
            <translation>{name} 中有多个表：{known}。请指定要读取哪一个。</translation>
        </message>
        <message>
            <source>{name} has {cells} columns; at most {limit} are possible.</source>
            <translation>{name} 有 {cells} 列；最多支持 {limit} 列。</translation>
        </message>
        <message>
            <source>{name} has {count} stages; this version of Batchdesk runs jobs of one stage. Put each stage into a job of its own.</source>
            <translation>{name} 有 {count} 个阶段；此版本的 Batchdesk 只运行单阶段的作业。请把每个阶段放入单独的作业。</translation>
        </message>
        <message>
            <source>{name} holds no list of objects, so it has no rows: check that it is the right file.</source>
            <translation>{name} 中没有对象列表，因此没有任何行：请检查文件是否正确。</translation>
        </message>
        <message>
            <source>{name} is a folder: choose a file in it.</source>
            <translation>{name} 是文件夹：请选择其中的文件。</translation>
        </message>
        <message>
            <source>{name} is a folder: choose another name for the file.</source>
            <translation>{name} 是文件夹：请为文件另选一个名称。</translation>
        </message>
        <message>
            <source>{name} is a web page or XML under the name of a workbook: open it in a spreadsheet program, save it as XLSX, and read that file.</source>
            <translation>{name} 其实是以工作簿命名的网页或 XML：请用表格软件打开，另存为 XLSX 后再读取。</translation>
        </message>
        <message>
            <source>{name} is damaged or not {what}: open it in the program that wrote it, save it again, and read that file.</source>
            <translation>{name} 已损坏或不是{what}：请用生成它的程序打开并重新保存，再读取新文件。</translation>
        </message>
        <message>
            <source>{name} is empty: it has not a single byte.</source>
            <translation>{name} 是空文件：没有任何内容。</translation>
        </message>
        <message>
            <source>{name} is in no format that Batchdesk reads: use {known}, or a folder of documents.</source>
            <translation>Batchdesk 不支持读取 {name} 的格式：请使用 {known}，或一个文档文件夹。</translation>
        </message>
        <message>
            <source>{name} is in no format that Batchdesk writes: use {known}.</source>
            <translation>Batchdesk 不支持写入 {name} 的格式：请使用 {known}。</translation>
        </message>
        <message>
            <source>{name} is no Excel workbook: if it is text, give it the suffix .csv and read it so.</source>
            <translation>{name} 不是 Excel 工作簿：如果它是文本，请改用扩展名 .csv 后读取。</translation>
        </message>
        <message>
            <source>{name} is not JSON from line {line} on: {reason}. Mend it there, or have the program that wrote it write it again.</source>
            <translation>{name} 从第 {line} 行起不是 JSON：{reason}。请在该处修正，或用生成它的程序重新生成。</translation>
        </message>
        <message>
            <source>{name} is not in the encoding {encoding}: leave it empty to have it guessed, or name another.</source>
            <translation>{name} 不是 {encoding} 编码：请留空以自动判断，或指定其他编码。</translation>
        </message>
        <message>
            <source>{name} is not valid TOML: it is nested too deeply.</source>
            <translation>{name} 不是有效的 TOML：嵌套太深。</translation>
        </message>
        <message>
            <source>{name} is not valid TOML: {reason}.</source>
            <translation>{name} 不是有效的 TOML：{reason}。</translation>
        </message>
        <message>
            <source>{name} is one JSON list, not JSONL: give it the suffix .json.</source>
            <translation>{name} 是一个 JSON 列表，而不是 JSONL：请改用扩展名 .json。</translation>
        </message>
        <message>
            <source>{name} is protected by a password, or no workbook: open it, save it without one, and read that file.</source>
            <translation>{name} 有密码保护，或不是工作簿：请打开它，不带密码另存后再读取。</translation>
        </message>
        <message>
            <source>{name} is protected by a password: open it, save it without one, and read that file.</source>
            <translation>{name} 有密码保护：请打开它，不带密码另存后再读取。</translation>
        </message>
        <message>
            <source>{name} is protected by a password: save it without one.</source>
            <translation>{name} 有密码保护：请不带密码另存。</translation>
        </message>
        <message>
            <source>{name} is the table that the rows are read from. Choose another name for the target.</source>
            <translation>{name} 就是正在读取的表格。请为目标文件另取名称。</translation>
        </message>
        <message>
            <source>{name} is the table that the rows were read from. Choose another name for the export.</source>
            <translation>{name} 正是这些行的来源表格。请为导出另选一个名称。</translation>
        </message>
        <message>
            <source>{name} is too large for a workbook of this old kind. Save the sheet as CSV (UTF-8) and read that file.</source>
            <translation>{name} 对这种旧式工作簿来说太大。请将工作表另存为 CSV（UTF-8）后再读取。</translation>
        </message>
        <message>
            <source>{name} is too long for one row: split it into several files.</source>
            <translation>{name} 太长，放不进一行：请拆分成多个文件。</translation>
        </message>
        <message>
            <source>{name} looks like a binary file, not text: export the table as CSV or JSONL.</source>
            <translation>{name} 看起来是二进制文件，而不是文本：请把表格导出为 CSV 或 JSONL。</translation>
        </message>
        <message>
            <source>{name} looks like a binary file, not text: leave it out.</source>
            <translation>{name} 看起来是二进制文件而不是文本：请将其排除。</translation>
        </message>
        <message>
            <source>{name} looks like an Excel workbook, not text: open it in a spreadsheet program, save it as CSV (UTF-8) and read that file.</source>
            <translation>{name} 看起来是 Excel 工作簿，而不是文本：请用电子表格程序打开它，另存为 CSV（UTF-8），再读取那个文件。</translation>
        </message>
        <message>
            <source>{name} looks like {what}, not text: export the table as CSV or JSONL.</source>
            <translation>{name} 看起来是{what}，而不是文本：请把表格导出为 CSV 或 JSONL。</translation>
        </message>
        <message>
            <source>{name} may not be read: close it in other programs, or ask for the permission.</source>
            <translation>无权读取 {name}：请在其他程序中关闭它，或申请权限。</translation>
        </message>
        <message>
            <source>{name} would unpack to far more than it can hold in earnest, so it was not opened. If it is real, save the table as CSV and read that file.</source>
            <translation>{name} 解压后的大小远超正常内容，因此没有打开。如果它是真实文件，请将表格另存为 CSV 后再读取。</translation>
        </message>
        <message>
            <source>{name}, line {line}</source>
            <translation>{name} 第 {line} 行</translation>
        </message>
        <message>
            <source>{path!r} cannot be the name of a file: it has a NUL character.</source>
            <translation>{path} 不能作为文件名：其中含有 NUL 字符。</translation>
        </message>
        <message>
            <source>{path} does not exist: was it moved or renamed?</source>
            <translation>{path} 不存在：是否已被移动或改名？</translation>
        </message>
        <message>
            <source>{path} exists already. Choose another name, or add --force to overwrite it.</source>
            <translation>{path} 已经存在。请另选一个名称，或加上 --force 覆盖它。</translation>
        </message>
        <message>
            <source>{path} is a folder, not a project file.</source>
            <translation>{path} 是文件夹，不是项目文件。</translation>
        </message>
        <message>
            <source>{path} is not a Batchdesk project. Choose a file that Batchdesk made.</source>
            <translation>{path} 不是 Batchdesk 项目。请选择由 Batchdesk 建立的文件。</translation>
        </message>
        <message>
            <source>{path} was made by a newer Batchdesk (its version {found}, known here up to {known}). Update Batchdesk to open it; the file was not touched.</source>
            <translation>{path} 由更新的 Batchdesk 建立（其版本为 {found}，此处最高支持 {known}）。请更新 Batchdesk 后再打开；文件没有被改动。</translation>
        </message>
        <message>
            <source>{separator} cannot separate cells: give one character, such as a comma, a semicolon or a tab.</source>
            <translation>{separator} 不能用来分隔单元格：请填写一个字符，例如逗号、分号或制表符。</translation>
        </message>
        <message>
            <source>{service} does not tell how probable an answer's tokens are, which a confidence check of stage {stage!r} goes by. Use source = "field" or "agreement" there, or choose another service.</source>
            <translation>{service} 不提供回答中词元的概率，而阶段 {stage!r} 的置信度检查依赖它。请在那里使用 source = "field" 或 "agreement"，或选择其他服务。</translation>
        </message>
        <message>
            <source>{service} gives one answer to a request, and stage {stage!r} asks for {n}. Set n = 1, or choose another service.</source>
            <translation>{service} 对每个请求只给出一个回答，而阶段 {stage!r} 要求 {n} 个。请设 n = 1，或选择其他服务。</translation>
        </message>
        <message>
            <source>{service} is asked without a key. If yours wants one, put the key into an environment variable and name it with api_key_env = "…" in [provider].</source>
            <translation>{service} 不需要密钥。如果您的需要，请把密钥放入环境变量，并在 [provider] 中用 api_key_env = "…" 写明变量名称。</translation>
        </message>
        <message>
            <source>{table} in {name} gave no row for {seconds} seconds, so it was given up: a view may go on for ever. Save its rows as a table of the database, and read that.</source>
            <translation>{name} 中的 {table} 在 {seconds} 秒内没有给出任何一行，因此已放弃读取：视图可能永无止境。请把它的行另存为该数据库中的一张表，再读取那张表。</translation>
        </message>
        <message>
            <source>{variable} names {path}, which is not a .gguf file that exists; correct it or remove it.</source>
            <translation>{variable} 指向 {path}，但那里没有 .gguf 文件；请更正或删除该变量。</translation>
        </message>
        <message>
            <source>{where} cannot be filled in: {reason}.</source>
            <translation>{where}无法填写：{reason}。</translation>
        </message>
        <message>
            <source>{where} includes, imports or extends another template; it must stand alone.</source>
            <translation>{where}包含、导入或扩展了另一个模板；它必须独立。</translation>
        </message>
        <message>
            <source>{where} is nested too deeply. Make it flatter.</source>
            <translation>{where} 嵌套过深。请减少层级。</translation>
        </message>
        <message>
            <source>{where} is not a valid condition: {reason}.{hint}</source>
            <translation>{where} 不是有效的条件：{reason}。{hint}</translation>
        </message>
        <message>
            <source>{where} is not a valid template, line {line}: {reason}.{hint}</source>
            <translation>{where}不是有效的模板，第 {line} 行：{reason}。{hint}</translation>
        </message>
        <message>
            <source>{where} names a column {name!r} that the table does not have. {hint}</source>
            <translation>{where}提到的列“{name}”不在表格中。{hint}</translation>
        </message>
        <message>
            <source>{where} says `fenced` without the column in parentheses. Write {written}.</source>
            <translation>{where}写了 `fenced`，但没有在括号中写列名。请写成 {written}。</translation>
        </message>
        <message>
            <source>{where} says `row`, which means the whole row here, but the table has a column of that name. Write row["row"] for the column.</source>
            <translation>{where}使用了 `row`，它在此处表示整行，但表格中也有同名的列。要用该列，请写 row["row"]。</translation>
        </message>
        <message>
            <source>{where}: the name {key} needs quotes, for it has other characters than A to Z, a to z, 0 to 9, - and _: write {quoted}.</source>
            <translation>{where}：名称 {key} 需要加引号，因为它含有 A 到 Z、a 到 z、0 到 9、- 和 _ 以外的字符：请写成 {quoted}。</translation>
        </message>
        <message>
            <source>{where}: there is no cleaning step {kind!r}. {hint}</source>
            <translation>{where}：没有名为 {kind!r} 的清理步骤。{hint}</translation>
        </message>
        <message>
            <source>{where}: write [[clean]] with two brackets on each side; every such table is one step.</source>
            <translation>{where}：请写 [[clean]]，两侧各两个方括号；每个这样的表是一个步骤。</translation>
        </message>
        <message>
            <source>{where}: write [[stages]] with two brackets on each side; every such table is one stage.</source>
            <translation>{where}：请写成 [[stages]]，每侧两个方括号；每个这样的表是一个阶段。</translation>
        </message>
        <message>
            <source>{where}: {key!r} in {place}: {reason}.</source>
            <translation>{where}：{place} 中的“{key}”：{reason}。</translation>
        </message>
        <message>
            <source>{where}: {key!r} is not a key of {place}. {hint}</source>
            <translation>{where}：{place} 中没有键“{key}”。{hint}</translation>
        </message>
        <message>
            <source>{where}: {kind!r} is not a kind of check in {place}. {hint}</source>
            <translation>{where}：{place} 中的“{kind}”不是检查的种类。{hint}</translation>
        </message>
        <message>
            <source>{where}: {place} needs a key {key!r}.</source>
            <translation>{where}：{place} 缺少键“{key}”。</translation>
        </message>
        <message>
            <source>{where}: {place}: {reason}.</source>
            <translation>{where}：{place}：{reason}。</translation>
        </message>
        <message>
            <source>“{part}” is not a fault with its rate. Write them like 500=0.02,reset=0.01. The faults are: {names}.</source>
            <translation>“{part}”不是带比例的故障。请写成 500=0.02,reset=0.01 这样。可用的故障：{names}。</translation>
        </message>
        <message>
            <source>“{text}” is not understood. Write it like {example}, with numbers from 0 to 1,000,000.</source>
            <translation>无法理解“{text}”。请写成 {example} 的样子，数字为 0 到 1,000,000。</translation>
        </message>
    </context>
</TS>
