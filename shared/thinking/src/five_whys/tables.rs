//! The words and sentences of 5 Whys: what is stripped from a query, what parts its subject from its predicate, which
//! kind of matter it is, and what is asked about each kind. Data only; a new kind is a new row of [`CLASSES`], for what
//! is asked about by its noun, or of [`CLAUSES`], for what is asked about as a clause.
//!
//! Chinese stands in simplified characters and is matched against folded text (see `language`). `{s}` is the subject, or
//! the clause. In English a subject stands only behind a preposition or as an object, so that its number and person
//! never matter.

mod around;
mod chinese;
mod clauses;
mod english;
mod verbs;

pub(super) use around::*;
pub(super) use chinese::*;
pub(super) use clauses::*;
pub(super) use english::*;
pub(super) use verbs::*;

/// A kind of matter: the words that tell it, and its five questions, one for each layer.
pub(super) struct Class {
    pub(super) name: &'static str,
    /// Endings that a subject of this kind is better without: 人才|培养, 地铁三号线|工期, patient|waiting time.
    pub(super) sheds: &'static [&'static str],
    /// What a word of this kind counts in a predicate: much, where such words name what goes wrong.
    pub(super) said: usize,
    /// What a word of this kind counts as the head of a subject: little, where such words go with any matter.
    pub(super) head: usize,
    /// Words that tell the kind, in Chinese; the later in the subject, the more they count.
    pub(super) words_zh: &'static [&'static str],
    /// The same in English, lower case and singular; they count in Chinese queries too.
    pub(super) words_en: &'static [&'static str],
    /// At most 28 characters each without the subject, for 24 of the subject and 8 of the ladder's words.
    pub(super) zh: [&'static str; 5],
    pub(super) en: [&'static str; 5],
}

/// All kinds. The earlier wins where two are told equally well; the last is for everything else.
pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "success",
        sheds: &[ "success", "popularity", "的成功", "成功", "走红", "的走红", "的崛起"],
        said: 40,
        head: 20,
        words_zh: &[
            "成功", "受欢迎", "流行", "走红", "爆火", "崛起", "领先", "脱颖而出", "大获好评", "这么火", "那么火",
            "很火", "如此火", "长盛不衰", "经久不衰", "逆势增长", "畅销", "热销", "火爆", "卖得好", "爆款", "打败", "战胜", "超越", "反超", "胜出", "更喜欢",
            "备受喜爱", "深受喜爱", "做得这么好", "发展得这么快", "大卖", "这么好", "那么好", "这么强", "那么强", "发达", "厉害", "强大", "优秀", "富裕",
            "这么便宜", "很便宜", "先进", "这么多人喜欢", "受追捧", "出圈", "更好", "更强", "更可靠", "更成功", "更先进", "更稳定", "更耐用", "好用", "这么准时",
            "如此准时", "很准时", "那么准时", "长寿", "这么干净", "幸福", "突然火了", "又火了", "爆红", "翻红",
            ],
        words_en: &[
            "succeed", "success", "successful", "popular", "popularity", "thrive", "thriving", "win", "winning",
            "flourish", "outperform", "take off", "took off", "beat", "overtake", "overtook", "prefer", "dominate",
            "dominant", "so well", "love", "catch on", "caught on", "taken off", "such good", "so good", "so rich",
            "so powerful", "so strong", "so innovative", "so cheap", "such great", "such high quality",
            "such a good", "so fast at", "so competitive", "more reliable", "more successful", "more popular",
            "more efficient", "more productive", "better", "best", "ahead", "healthier", "happier", "safer",
            "leading", "world leader", "so reliable", "on time", "punctual", "so clean", "so safe", "so happy",
            "so healthy", "so efficient",
            ],
        zh: [
            "为什么{s}能取得今天的成绩？",
            "为什么{s}的关键做法能够奏效？",
            "为什么{s}拥有别人一时难以模仿的能力和资源？",
            "为什么外部环境和激励机制恰好有利于{s}？",
            "为什么支撑{s}的那些假设到今天依然成立？",
        ],
        en: [
            "Why have things gone so well for {s}?",
            "Why do the practices behind {s} pay off?",
            "Why is it hard for others to match the strengths and resources behind {s}?",
            "Why do the surrounding rules and incentives favour {s}?",
            "Why do the assumptions behind {s} still hold today?",
        ],
    },
    Class {
        name: "delay",
        sheds: &[
            "工期", "进度", "排期", "交期", "的进度", "的工期", "等待时间", "响应时间", "候诊时间", "waiting time",
            "waiting times", "wait time", "wait times", "lead time", "lead times", "response time", "response times",
            "schedule", "schedules", "的进展", "进展"],
        said: 40,
        head: 30,
        words_zh: &[
            "延迟", "延期", "延误", "拖延", "逾期", "误点", "晚点", "进度", "工期", "交付", "排期", "截止日期",
            "按时", "准时", "交期", "等待时间", "滞后", "排队", "上线时间", "交货", "一拖再拖", "准点", "迟到", "补不上", "遥遥无期"],
        words_en: &[
            "delay", "delayed", "late", "deadline", "schedule", "overdue", "lead time", "backlog", "behind schedule",
            "on time", "slip", "slipping", "wait", "waiting", "queue", "too long", "so long", "take so long",
            "stuck", "twice as long", "longer than", "as long as planned", "forever", "take forever", "months late",
            "never on time", "delivery time",
            ],
        zh: [
            "为什么{s}总是难以准时？",
            "为什么{s}会把大量时间耗在等待、返工和排队上？",
            "为什么{s}缺少保证准时所需的人手、工具和自动化？",
            "为什么跨团队的分工和考核很少看重{s}是否准时？",
            "为什么排期和决策的习惯会默许{s}一再往后拖？",
        ],
        en: [
            "Why does time keep running out in {s}?",
            "Why does so much time around {s} go to waiting, rework and queues?",
            "Why are there not enough people, tools or automation to keep {s} on time?",
            "Why do targets and handoffs across teams reward punctuality so little when it comes to {s}?",
            "Why do planning and decision habits take delay in {s} for granted?",
        ],
    },
    Class {
        name: "speed",
        sheds: &[
            "推进", "的推进", "的速度", "速度", "的响应", "响应速度", "响应时间", "speed", "loading time", "loading times",
            "response time", "response times", "performance", "的进展", "进展", "的进度", "进度"],
        said: 40,
        head: 30,
        words_zh: &[
            "太慢", "缓慢", "很慢", "这么慢", "那么慢", "变慢", "越来越慢", "慢", "速度", "卡顿", "响应时间", "耗时",
        ],
        words_en: &[
            "slow", "slowly", "slower", "speed", "latency", "sluggish", "lag", "slow down", "response time",
            "loading time",
        ],
        zh: [
            "为什么{s}快不起来？",
            "为什么{s}会把时间耗在少数几个环节上？",
            "为什么{s}缺少看清并消除瓶颈的手段？",
            "为什么在{s}上，速度总要给别的目标让路？",
            "为什么大家会默认{s}慢一点也没关系？",
        ],
        en: [
            "Why is it so hard to speed up {s}?",
            "Why do a few steps take up most of the time with {s}?",
            "Why are the means to see and remove bottlenecks in {s} missing?",
            "Why do other goals keep coming before the speed of {s}?",
            "Why do people accept slowness in {s} as normal?",
        ],
    },
    Class {
        name: "quality",
        sheds: &["的质量", "的可靠性", "的稳定性"],
        said: 16,
        head: 12,
        words_zh: &[
            "质量", "故障", "崩溃", "失败", "缺陷", "出错", "错误", "报错", "宕机", "返工", "次品", "不良率",
            "良品率", "不稳定", "重启", "死机", "闪退", "超时", "事故", "失效", "丢失", "掉线", "中断", "测试",
            "可靠性", "稳定性", "召回", "漏水", "投诉", "不良", "不合格", "准确率", "误报", "卡死"],
        words_en: &[
            "quality", "fail", "failing", "failed", "failure", "crash", "crashing", "defect", "bug", "error",
            "broken", "break", "breaking", "outage", "incident", "flaky", "unreliable", "reliability", "unstable",
            "timeout", "time out", "rework", "regression", "test", "testing", "restart", "freeze", "corrupt", "down",
            "downtime", "recall", "leak water", "complaint", "500", "502", "503", "404", "exception", "throw",
            "not work", "not working", "stop working", "glitch", "scrap rate", "rejects", "leak",
            ],
        zh: [
            "为什么{s}会一再出现差错？",
            "为什么{s}的隐患没有在造成影响之前被发现？",
            "为什么{s}缺少足够的检验、监控和应急手段？",
            "为什么大家在{s}上更愿意事后补救，而不是事先预防？",
            "为什么现有的标准和总结没能防止{s}再出问题？",
        ],
        en: [
            "Why is it still so hard to get {s} right?",
            "Why are the weak points in {s} not found before they do harm?",
            "Why are the checks and safeguards around {s} not strong enough?",
            "Why does fixing things afterwards seem cheaper than prevention when it comes to {s}?",
            "Why have lessons from past failures not changed the handling of {s}?",
        ],
    },
    Class {
        name: "security",
        sheds: &[],
        said: 40,
        head: 30,
        words_zh: &[
            "安全", "泄露", "漏洞", "攻击", "黑客", "隐私", "诈骗", "钓鱼", "勒索", "入侵", "密码", "权限", "被盗",
            "加密", "防护", "骚扰电话", "病毒", "盗号", "木马", "骗"],
        words_en: &[
            "security", "breach", "vulnerability", "vulnerabilities", "attack", "hack", "hacked", "privacy",
            "phishing", "fraud", "ransomware", "password", "malware", "data leak", "cyber", "cybersecurity",
            "scam", "stolen", "access control",
        ],
        zh: [
            "为什么{s}至今存在明显的薄弱环节？",
            "为什么针对{s}的威胁没有被及早发现和阻断？",
            "为什么{s}缺少足够的防护工具、人手和演练？",
            "为什么在{s}上，便利和速度往往压过防护？",
            "为什么责任划分和制度没有覆盖{s}的真实风险？",
        ],
        en: [
            "Why are there still obvious weak points in {s}?",
            "Why are threats to {s} not spotted and stopped earlier?",
            "Why are the tools and training around {s} not up to the threat?",
            "Why do convenience and speed win over protection when it comes to {s}?",
            "Why do responsibilities and rules not cover the real risks to {s}?",
        ],
    },
    Class {
        name: "cost",
        sheds: &[],
        said: 40,
        head: 30,
        words_zh: &[
            "成本", "费用", "开支", "支出", "预算", "价格", "太贵", "昂贵", "很贵", "这么贵", "那么贵", "超支",
            "涨价", "房价", "租金", "房租", "药价", "电费", "物价", "学费", "运费", "彩礼", "造价", "账单", "涨得",
            "烧钱", "通货膨胀", "通胀", "费钱", "花钱", "医药费", "保费", "油价", "学区房价"],
        words_en: &[
            "cost", "costs", "expensive", "price", "pricing", "budget", "overspend", "over budget", "spend",
            "spending", "expense", "bill", "rent", "fee", "tuition", "inflation", "overrun", "cost overrun", "pricey",

        ],
        zh: [
            "为什么{s}一直降不下来？",
            "为什么{s}主要由少数几个环节推高？",
            "为什么缺少足够的数据和工具来看清并控制{s}？",
            "为什么能影响{s}的各方缺少压低它的动力？",
            "为什么现行规则和决策方式会默认{s}只能如此？",
        ],
        en: [
            "Why is it so hard to bring down {s}?",
            "Why do a few steps or parts drive so much of {s}?",
            "Why are the data and tools to see and control {s} not in place?",
            "Why do those who influence {s} have so little reason to cut back?",
            "Why do budgets and decision rules treat {s} as a given?",
        ],
    },
    Class {
        name: "talent",
        sheds: &[
            "培养", "培育", "队伍建设", "引进", "招聘", "管理", "发展", "供给", "供需", "的供给", "的培养", "的发展", "的招聘", "的管理", "的引进", "储备",
        ],
        said: 10,
        head: 30,
        words_zh: &[
            "人才", "人力", "员工", "招聘", "离职", "跳槽", "工程师", "程序员", "护士", "医生", "教师", "老师",
            "开发者", "科学家", "青年", "毕业生", "用工", "技工", "人手", "博士", "留人", "维护者",
            "新人", "实习生", "骨干", "研究员", "劳动力", "飞行员", "设计师", "研究人员", "技术人员", "律师", "厨师", "保姆", "月嫂", "护工", "护理员", "专业人员"],
        words_en: &[
            "talent", "hiring", "hire", "recruit", "recruiting", "recruitment", "employee", "engineer", "developer",
            "nurse", "doctor", "teacher", "scientist", "workforce", "staff", "graduate", "programmer",
            "skill shortage", "labor", "labour", "maintainer", "resign", "quit", "retention of staff", "worker",
            "new hire", "contributor", "welder", "electrician", "plumber", "pilot", "chef", "lawyer", "analyst",
            "designer", "researcher", "technician", "caregiver",
            ],
        zh: [
            "为什么{s}的数量和水平仍跟不上实际需求？",
            "为什么现有的培养路径难以让{s}积累真实的实践经验？",
            "为什么{s}得不到足够的导师、资金和社区支持？",
            "为什么现有的评价和薪酬机制难以吸引并留住{s}？",
            "为什么政策和长期规划没有把{s}放在应有的位置？",
        ],
        en: [
            "Why is there still a gap between demand and supply when it comes to {s}?",
            "Why do current ways of training and recruiting fall short for {s}?",
            "Why is there so little mentoring, funding and community support for {s}?",
            "Why do pay, recognition and career paths do so little for {s}?",
            "Why do policy and long-term planning not treat {s} as something to invest in?",
        ],
    },
    Class {
        name: "market",
        sheds: &["的客户", "的用户", "的顾客", "客户", "用户", "顾客", "的客户数量"],
        said: 15,
        head: 30,
        words_zh: &[
            "市场", "销量", "销售", "客户", "用户", "顾客", "竞争", "营收", "收入", "利润", "品牌", "份额", "转化率",
            "留存", "增长", "出口", "消费", "电商", "门店", "餐饮", "获客", "复购", "订单", "股价", "票房",
            "直播带货", "生意", "奶茶店", "商场", "营业额", "续费率", "客流", "客单价", "点击率", "日活", "市占率", "业绩", "打开率"],
        words_en: &[
            "market", "sales", "customer", "user", "revenue", "profit", "brand", "churn", "conversion", "competitor",
            "competition", "growth", "demand", "subscription", "subscriber", "export", "retail", "consumer",
            "shopper", "market share", "retention", "sign-up", "signup", "stock price", "shop", "store", "restaurant",
            "margin",
        ],
        zh: [
            "为什么{s}不如预期？",
            "为什么客户的选择正在改变，并影响到{s}？",
            "为什么现有的产品、渠道和服务不足以支撑{s}？",
            "为什么竞争格局和利益分配对{s}不利？",
            "为什么当初关于{s}的战略判断没有及时修正？",
        ],
        en: [
            "Why are expectations and reality so far apart for {s}?",
            "Why have customers changed their choices in ways that hurt {s}?",
            "Why do product, channels and service not do enough to support {s}?",
            "Why do competition and the split of profits work against {s}?",
            "Why were the strategic assumptions behind {s} not revised in time?",
        ],
    },
    Class {
        name: "education",
        sheds: &[],
        said: 10,
        head: 30,
        words_zh: &[
            "教育", "学生", "教学", "课堂", "学校", "大学", "高校", "学习", "成绩", "升学", "高考", "课程", "辍学",
            "阅读", "作业", "素养", "幼儿园", "职校",
        ],
        words_en: &[
            "education", "student", "school", "teaching", "university", "universities", "college", "learning",
            "classroom", "curriculum", "exam", "literacy", "dropout", "pupil", "course", "math score", "reading",
        ],
        zh: [
            "为什么{s}还难以让人满意？",
            "为什么日常的教与学没能对{s}起到应有的作用？",
            "为什么师资、经费和家庭支持不足以支撑{s}？",
            "为什么现有的评价和激励方式对{s}帮助有限？",
            "为什么教育理念和资源分配没有随{s}的需要调整？",
        ],
        en: [
            "Why are so many people still dissatisfied with {s}?",
            "Why does everyday teaching do so little for {s}?",
            "Why are time, money and skilled support for {s} so scarce?",
            "Why do grades, rankings and targets do so little for {s}?",
            "Why are common beliefs about teaching and learning so rarely questioned when it comes to {s}?",
        ],
    },
    Class {
        name: "health",
        sheds: &["发病率", "患病率", "率", "waiting time", "waiting times", "wait times"],
        said: 10,
        head: 30,
        words_zh: &[
            "医疗", "健康", "医院", "患者", "病人", "疾病", "慢病", "糖尿病", "肥胖", "抑郁", "近视", "疫苗", "护理",
            "养老院", "挂号", "看病", "门诊", "公共卫生", "癌症", "高血压", "感染", "心理", "急诊", "医保", "发病率",
        ],
        words_en: &[
            "health", "healthcare", "hospital", "patient", "disease", "diabetes", "obesity", "depression", "vaccine",
            "vaccination", "clinic", "medical", "medicine", "cancer", "infection", "mental health", "emergency room",
            "elderly care", "nursing home", "myopia", "burnout",
        ],
        zh: [
            "为什么{s}仍是一个突出的难题？",
            "为什么预防和早期干预对{s}总是来得太晚？",
            "为什么在{s}方面，人手、设备和资金总是不够用？",
            "为什么支付方式和考核没有鼓励各方改善{s}？",
            "为什么公共政策和社会观念长期忽视了{s}？",
        ],
        en: [
            "Why do we still struggle so much with {s}?",
            "Why do prevention and early action come too late for {s}?",
            "Why are staff, equipment and money so scarce when it comes to {s}?",
            "Why do payment and performance rules give providers little reason to improve {s}?",
            "Why have public policy and attitudes underrated {s} for so long?",
        ],
    },
    Class {
        name: "policy",
        sheds: &["落地效果", "的效果", "效果", "成效", "的成效", "落地", "程度", "的执行", "执行", "的实施", "实施", "的落实", "落实", "的推行", "推行", "的推进", "推进"],
        said: 10,
        head: 30,
        words_zh: &[
            "政策", "法规", "监管", "条例", "立法", "补贴", "税", "改革", "治理", "政府", "执法", "双减", "垃圾分类",
            "限购", "碳排放", "碳中和", "制度", "退休", "户籍", "生育", "城市规划", "扶贫", "乡村振兴", "公共交通",
            "环保", "污染", "低生育率", "生育率",
        ],
        words_en: &[
            "policy", "policies", "regulation", "law", "tax", "subsidy", "subsidies", "reform", "government",
            "governance", "legislation", "carbon", "emission", "zoning", "public transport", "recycling", "pension",
            "birth rate", "housing", "pollution", "council", "compliance",
        ],
        zh: [
            "为什么{s}的实际进展与初衷有差距？",
            "为什么{s}在层层执行中容易走样？",
            "为什么基层缺少推进{s}所需的资金、人手和数据？",
            "为什么相关各方不愿积极配合{s}？",
            "为什么{s}在设计时没有为反馈和调整留足余地？",
        ],
        en: [
            "Why is there a gap between aims and results in {s}?",
            "Why does so much get lost between plan and execution in {s}?",
            "Why are the money, staff and data to deliver on {s} so scarce?",
            "Why do those affected have so little incentive to go along with {s}?",
            "Why is so little room left to learn and adjust when it comes to {s}?",
        ],
    },
    Class {
        name: "technology",
        sheds: &[],
        said: 10,
        head: 25,
        words_zh: &[
            "应用", "普及", "推广", "落地", "技术", "人工智能", "机器学习", "深度学习", "大模型", "区块链", "数字化", "转型", "自动化", "云计算", "微服务",
            "机器人", "自动驾驶", "芯片", "开源", "算法", "智能", "物联网", "电动车", "充电桩", "元宇宙", "智能体",
            "低代码", "迁移",
        ],
        words_en: &[
            "ai", "llm", "technology", "technologies", "adoption", "adopt", "blockchain", "automation", "digital",
            "digitalization", "transformation", "cloud", "microservice", "robot", "chip", "algorithm",
            "machine learning", "deep learning", "open source", "rollout", "migration", "iot", "ev",
            "electric vehicle", "agent", "data platform", "language model", "telehealth", "hydrogen", "saas", "rag",
            "chatbot", "self-driving", "robotaxi",
            ],
        zh: [
            "为什么{s}还不如预期？",
            "为什么{s}会卡在从试点到日常使用的关键环节？",
            "为什么现有的数据、技术和人才还不足以支撑{s}？",
            "为什么现有流程和利益分配让各方不愿推动{s}？",
            "为什么与{s}配套的标准、监管和信任迟迟没有到位？",
        ],
        en: [
            "Why is it still so hard to make real progress with {s}?",
            "Why does so much work on {s} stall between pilot and daily use?",
            "Why are the data, tools and skills at hand not yet good enough for {s}?",
            "Why do existing workflows and incentives give people little reason to back {s}?",
            "Why have standards, regulation and trust not kept pace with {s}?",
        ],
    },
    Class {
        name: "organisation",
        sheds: &[],
        said: 10,
        head: 25,
        words_zh: &[
            "团队", "部门", "协作", "沟通", "组织", "会议", "企业文化", "士气", "绩效", "领导", "远程办公", "决策",
            "内耗", "加班", "考核", "执行力", "周会", "例会", "优先级", "入职", "培训", "创业公司", "志愿者",
            "家族企业", "评审", "评审会", "开会", "站会", "早会", "流程", "审批",
        ],
        words_en: &[
            "team", "department", "collaboration", "communication", "organization", "organisation", "management",
            "meeting", "culture", "morale", "engagement", "leadership", "remote work", "decision", "process", "okr",
            "kpi", "silo", "startup", "volunteer", "nonprofit", "productivity", "overtime", "onboarding",
            "agree", "priority",
        ],
        zh: [
            "为什么{s}一直没有明显改善？",
            "为什么日常的沟通和决策方式会拖累{s}？",
            "为什么缺少改善{s}所需的时间、技能和工具？",
            "为什么现有的考核和权责划分不鼓励大家为{s}出力？",
            "为什么管理层对{s}的基本假设很少受到质疑？",
        ],
        en: [
            "Why has there been so little progress in {s}?",
            "Why do everyday communication and decisions get in the way of {s}?",
            "Why are time, skills and tools so scarce for {s}?",
            "Why do goals and lines of authority give so little backing to {s}?",
            "Why do leaders so rarely question their assumptions about {s}?",
        ],
    },
    Class {
        name: "personal",
        sheds: &[],
        said: 40,
        head: 30,
        words_zh: &[
            "减肥", "早起", "失眠", "熬夜", "自律", "健身", "戒烟", "存钱", "玩手机", "睡眠质量", "睡眠", "拖延症",
            "焦虑", "社交恐惧", "坚持不下", "三分钟热度", "学英语", "时间管理",
        ],
        words_en: &[
            "procrastinate", "procrastination", "procrastinating", "insomnia", "lose weight", "losing weight", "diet",
            "habit", "motivation", "my sleep", "fall asleep", "screen time", "save money", "smoking", "gym",
            "anxious", "anxiety", "new year's resolution", "work-life balance",
        ],
        zh: [
            "为什么{s}会一直困扰我？",
            "为什么在{s}这件事上，同样的情形会一再出现？",
            "为什么我的时间、精力和方法没能改变{s}的状况？",
            "为什么身边的环境和习惯会让{s}的状况持续下去？",
            "为什么我很少检视自己对{s}的看法和期待？",
        ],
        en: [
            "Why is it so hard to get a grip on {s}?",
            "Why do the same situations keep bringing up trouble with {s}?",
            "Why do my energy, time and methods fall short when it comes to {s}?",
            "Why do the people and habits around me not help with {s}?",
            "Why have I never really questioned what I believe about {s}?",
        ],
    },
    Class {
        name: "nature",
        sheds: &[],
        said: 0,
        head: 30,
        words_zh: &[
            "天空", "海水", "彩虹", "地震", "月亮", "太阳", "恐龙", "星星", "黑洞", "宇宙", "树叶", "大海", "雷电",
            "火山", "潮汐", "候鸟", "光速", "冰川", "蜜蜂", "猫", "狗", "鸟", "鱼", "雨", "雪", "雾", "闪电", "地球", "月球", "火星", "沙漠", "极光", "螃蟹", "鸡蛋", "植物", "动物", "昆虫", "蚊子", "大象", "企鹅", "冰块", "开水", "眼泪", "磁铁", "月食", "日食", "台风"],
        words_en: &[
            "sky", "ocean", "rainbow", "earthquake", "moon", "sun", "dinosaur", "star", "black hole", "universe",
            "leaves", "volcano", "tide", "speed of light", "glacier", "bees", "cat", "gravity", "ice", "dog", "bird",
            "fish", "rain", "snow", "thunder", "lightning", "earth", "mars", "desert", "aurora", "mosquito", "whale", "sea", "crab", "spider", "snake", "elephant", "penguin", "flamingo", "insect",
            ],
        zh: [
            "为什么我们会观察到{s}？",
            "为什么{s}背后的过程会产生这样的现象？",
            "为什么特定的条件对{s}如此关键？",
            "为什么与周围环境的相互作用会影响{s}？",
            "为什么我们相信目前对{s}的解释站得住脚？",
        ],
        en: [
            "Why do we observe {s} in the first place?",
            "Why do the processes behind {s} work the way they do?",
            "Why are particular conditions needed for {s}?",
            "Why do the surroundings matter so much to {s}?",
            "Why do we trust the present explanations of {s}?",
        ],
    },
    // The subject is itself the trouble: "app crashes", 人才缺口. Told by its last word (see TROUBLE), not by these.
    Class {
        name: "problem",
        sheds: &[],
        said: 0,
        head: 0,
        words_zh: &[],
        words_en: &[],
        zh: [
            "为什么会出现{s}？",
            "为什么{s}会一步步积累，而没有及早得到解决？",
            "为什么现有的资源和能力不足以应对{s}？",
            "为什么现有的分工和利益格局会让{s}持续存在？",
            "为什么{s}背后的规则和假设很少受到质疑？",
        ],
        en: [
            "Why are we seeing {s}?",
            "Why do the steps that lead to {s} go unnoticed for so long?",
            "Why are the people, tools and money to prevent {s} not in place?",
            "Why do current structures and incentives allow {s} to persist?",
            "Why have the rules and assumptions behind {s} gone unquestioned?",
        ],
    },
    // What one thing does to another; neither good nor bad.
    Class {
        name: "effect",
        sheds: &[],
        said: 0,
        head: 0,
        words_zh: &[],
        words_en: &[],
        zh: [
            "为什么会有{s}？",
            "为什么{s}会因人、因地而异？",
            "为什么面对{s}，现有的资源和能力总显得不够？",
            "为什么现有的规则和激励会放大或减弱{s}？",
            "为什么关于{s}的各种看法很少受到检验？",
        ],
        en: [
            "Why do people disagree about {s}?",
            "Why do some groups and places feel {s} more than others?",
            "Why are the data and tools to measure and steer {s} so limited?",
            "Why do existing rules and incentives strengthen or weaken {s}?",
            "Why do we so rarely question our assumptions about {s}?",
        ],
    },
    // What happened once and for all: "the 2008 financial crisis".
    Class {
        name: "past",
        sheds: &[],
        said: 0,
        head: 0,
        words_zh: &[],
        words_en: &[],
        zh: [
            "为什么当时会出现{s}？",
            "为什么当时的一系列做法会一步步导致{s}？",
            "为什么当时的资源和能力没能避免{s}？",
            "为什么当时的规则和利益格局会促成{s}？",
            "为什么导致{s}的那些假设当时没有受到质疑？",
        ],
        en: [
            "Why did it come to {s}?",
            "Why did one step after another lead to {s}?",
            "Why did the skills and resources of the time make {s} more likely?",
            "Why did the rules and incentives of the time favour {s}?",
            "Why were the beliefs that led to {s} not questioned at the time?",
        ],
    },
    Class {
        name: "default",
        sheds: &[],
        said: 0,
        head: 0,
        words_zh: &[],
        words_en: &[],
        zh: [
            "为什么{s}会是现在这个样子？",
            "为什么{s}会一步步变成今天这样？",
            "为什么面对{s}，现有的资源和能力总显得不够？",
            "为什么现有的规则和激励会让{s}难有改变？",
            "为什么大家很少质疑自己对{s}的固有看法？",
        ],
        en: [
            "Why do things stand as they do today with {s}?",
            "Why do everyday choices and routines have such an effect on {s}?",
            "Why are there not enough people, money and skills to deal with {s}?",
            "Why do existing rules and incentives leave things as they are with {s}?",
            "Why do we so rarely question our assumptions about {s}?",
        ],
    },
];
