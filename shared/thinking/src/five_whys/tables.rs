//! The words and sentences of 5 Whys: what is stripped from a query, what parts its subject from its predicate, which
//! kind of matter it is, and what is asked about each kind. Data only; a new kind is a new row of [`CLASSES`].
//!
//! Chinese stands in simplified characters and is matched against folded text (see `language`). `{s}` is the subject.
//! In English it stands only behind a preposition or as an object, so that its number and person never matter.

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
        sheds: &[],
        said: 40,
        head: 20,
        words_zh: &[
            "成功", "受欢迎", "流行", "走红", "爆火", "崛起", "领先", "脱颖而出", "大获好评", "这么火", "那么火",
            "很火", "如此火", "长盛不衰", "经久不衰", "逆势增长", "畅销", "热销", "火爆", "卖得好", "爆款",
        ],
        words_en: &[
            "succeed", "success", "successful", "popular", "popularity", "thrive", "thriving", "win", "winning",
            "flourish", "outperform", "take off", "took off",
        ],
        zh: [
            "为什么{s}能取得今天的成绩？",
            "为什么{s}的关键做法能够奏效？",
            "为什么{s}拥有别人一时难以复制的能力和资源？",
            "为什么外部环境和激励机制恰好有利于{s}？",
            "为什么支撑{s}的那些假设到今天依然成立？",
        ],
        en: [
            "Why have things gone so well for {s}?",
            "Why do the key practices behind {s} work?",
            "Why is it hard for others to copy the strengths and resources of {s}?",
            "Why do the environment and its incentives favour {s}?",
            "Why do the assumptions behind {s} still hold today?",
        ],
    },
    Class {
        name: "delay",
        sheds: &[
            "工期", "进度", "排期", "交期", "的进度", "的工期", "等待时间", "响应时间", "候诊时间", "waiting time",
            "waiting times", "wait time", "wait times", "lead time", "lead times", "response time", "response times",
            "schedule", "schedules",
        ],
        said: 40,
        head: 30,
        words_zh: &[
            "延迟", "延期", "延误", "拖延", "逾期", "误点", "晚点", "进度", "工期", "交付", "排期", "截止日期",
            "按时", "准时", "交期", "等待时间", "滞后", "排队", "上线时间", "交货",
        ],
        words_en: &[
            "delay", "delayed", "late", "deadline", "schedule", "overdue", "lead time", "backlog", "behind schedule",
            "on time", "slip", "slipping", "wait", "waiting", "queue", "too long", "so long", "take so long",
            "delivery", "stuck", "twice as long", "longer than", "as long as planned",
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
            "Why does so much of the time in {s} go to waiting, rework and queues?",
            "Why are there not enough people, tools or automation to keep {s} on time?",
            "Why do targets and handoffs across teams reward punctuality in {s} so little?",
            "Why do planning and decision habits take delay in {s} for granted?",
        ],
    },
    Class {
        name: "speed",
        sheds: &[
            "的速度", "速度", "的响应", "响应速度", "响应时间", "speed", "loading time", "loading times",
            "response time", "response times", "performance",
        ],
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
            "可靠性", "稳定性", "召回", "漏水", "投诉",
        ],
        words_en: &[
            "quality", "fail", "failing", "failed", "failure", "crash", "crashing", "defect", "bug", "error",
            "broken", "break", "breaking", "outage", "incident", "flaky", "unreliable", "reliability", "unstable",
            "timeout", "time out", "rework", "regression", "test", "testing", "restart", "freeze", "corrupt", "down",
            "downtime", "recall", "leak water", "complaint",
        ],
        zh: [
            "为什么{s}会一再出现差错？",
            "为什么{s}的隐患没有在造成影响之前被发现？",
            "为什么{s}缺少足够的检验、监控和应急手段？",
            "为什么在{s}上，进度和成本总是被摆在第一位？",
            "为什么现有的标准和总结没能防止{s}再出问题？",
        ],
        en: [
            "Why is it still so hard to get {s} right?",
            "Why are the weak points in {s} not found before they do harm?",
            "Why are checks, monitoring and fallback plans for {s} not strong enough?",
            "Why do speed and cost come before reliability in decisions about {s}?",
            "Why have standards and reviews of past incidents not prevented repeats in {s}?",
        ],
    },
    Class {
        name: "security",
        sheds: &[],
        said: 40,
        head: 30,
        words_zh: &[
            "安全", "泄露", "漏洞", "攻击", "黑客", "隐私", "诈骗", "钓鱼", "勒索", "入侵", "密码", "权限", "被盗",
            "加密", "防护", "骚扰电话",
        ],
        words_en: &[
            "security", "breach", "vulnerability", "vulnerabilities", "attack", "hack", "hacked", "privacy",
            "phishing", "fraud", "ransomware", "password", "malware", "leak", "data leak", "cyber", "cybersecurity",
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
            "烧钱", "亏损", "通货膨胀", "通胀",
        ],
        words_en: &[
            "cost", "costs", "expensive", "price", "pricing", "budget", "overspend", "over budget", "spend",
            "spending", "expense", "bill", "rent", "fee", "tuition", "inflation", "overrun", "cost overrun", "pricey",
            "losing money",
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
        sheds: &["培养", "培育", "队伍建设", "引进", "就业", "求职", "招聘", "管理", "发展"],
        said: 10,
        head: 30,
        words_zh: &[
            "人才", "人力", "员工", "招聘", "离职", "跳槽", "工程师", "程序员", "护士", "医生", "教师", "老师",
            "开发者", "科学家", "青年", "毕业生", "就业", "用工", "技工", "人手", "博士", "留人", "求职", "维护者",
            "新人", "实习生", "骨干", "研究员", "劳动力",
        ],
        words_en: &[
            "talent", "hiring", "hire", "recruit", "recruiting", "recruitment", "employee", "engineer", "developer",
            "nurse", "doctor", "teacher", "scientist", "workforce", "staff", "graduate", "programmer",
            "skill shortage", "labor", "labour", "maintainer", "resign", "quit", "retention of staff", "worker",
            "new hire", "contributor",
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
            "直播带货", "生意", "奶茶店", "商场",
        ],
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
            "为什么以分数和升学为主的评价方式会拖累{s}？",
            "为什么教育理念和资源分配没有随{s}的需要调整？",
        ],
        en: [
            "Why are so many people still dissatisfied with {s}?",
            "Why does everyday teaching do so little for {s}?",
            "Why do teachers, schools and families have so few resources for {s}?",
            "Why do exams and rankings pull attention away from {s}?",
            "Why have ideas of good learning and rules of funding not adapted to {s}?",
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
            "为什么预防和早期干预在{s}上总是慢一步？",
            "为什么在{s}上，人手、设备和资金总是不够用？",
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
        sheds: &["落地效果", "的效果", "效果", "落地", "程度", "的执行", "执行", "的实施", "实施", "的落实", "落实", "的推行", "推行", "的推进", "推进"],
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
            "Why do local bodies lack the money, staff and data to deliver on {s}?",
            "Why do those affected have so little incentive to go along with {s}?",
            "Why was so little room left to learn and adjust in the design of {s}?",
        ],
    },
    Class {
        name: "technology",
        sheds: &[],
        said: 10,
        head: 25,
        words_zh: &[
            "应用", "落地", "技术", "人工智能", "机器学习", "深度学习", "大模型", "区块链", "数字化", "转型", "自动化", "云计算", "微服务",
            "机器人", "自动驾驶", "芯片", "开源", "算法", "智能", "物联网", "电动车", "充电桩", "元宇宙", "智能体",
            "低代码", "迁移",
        ],
        words_en: &[
            "ai", "llm", "technology", "technologies", "adoption", "adopt", "blockchain", "automation", "digital",
            "digitalization", "transformation", "cloud", "microservice", "robot", "chip", "algorithm",
            "machine learning", "deep learning", "open source", "rollout", "migration", "iot", "ev",
            "electric vehicle", "agent", "data platform", "language model", "telehealth",
        ],
        zh: [
            "为什么{s}还难以大规模落地？",
            "为什么{s}从试点走向日常使用会卡在关键环节？",
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
            "家族企业",
        ],
        words_en: &[
            "team", "department", "collaboration", "communication", "organization", "organisation", "management",
            "meeting", "culture", "morale", "engagement", "leadership", "remote work", "decision", "process", "okr",
            "kpi", "silo", "startup", "volunteer", "nonprofit", "productivity", "overtime", "onboarding", "office",
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
            "为什么我的精力、时间和方法应付不了{s}？",
            "为什么身边的环境和习惯没能在{s}上帮到我？",
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
        said: 10,
        head: 30,
        words_zh: &[
            "天空", "海水", "彩虹", "地震", "月亮", "太阳", "恐龙", "星星", "黑洞", "宇宙", "树叶", "大海", "雷电",
            "火山", "潮汐", "候鸟", "光速", "冰川", "蜜蜂", "猫",
        ],
        words_en: &[
            "sky", "ocean", "rainbow", "earthquake", "moon", "sun", "dinosaur", "star", "black hole", "universe",
            "leaves", "volcano", "tide", "speed of light", "glacier", "bees", "cat", "gravity", "ice",
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
            "Why do the processes at work in {s} have this effect?",
            "Why would {s} be different under other conditions?",
            "Why do interactions with the surroundings matter so much to {s}?",
            "Why do we trust what is said today about {s}?",
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
    // Something that somebody or something does or fails to do, with the whole clause as its subject: 年轻人不愿意结婚的情况,
    // "patients missing appointments".
    Class {
        name: "event",
        sheds: &[],
        said: 0,
        head: 0,
        words_zh: &[],
        words_en: &[],
        zh: [
            "为什么会出现{s}？",
            "为什么{s}会一步步形成，而没有被及早扭转？",
            "为什么现有的资源和能力不足以改变{s}？",
            "为什么现有的规则和利益格局会让{s}持续下去？",
            "为什么大家很少质疑{s}背后的基本假设？",
        ],
        en: [
            "Why do we keep seeing {s}?",
            "Why does the usual course of things lead to {s}?",
            "Why is there so little at hand to do something about {s}?",
            "Why do existing rules and incentives do so little about {s}?",
            "Why does hardly anyone question the assumptions behind {s}?",
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
            "为什么{s}会是今天这个样子？",
            "为什么现有的做法会在{s}上产生这样的结果？",
            "为什么现有的资源和能力不足以改善{s}？",
            "为什么现有的规则和利益格局会让{s}难以改变？",
            "为什么大家很少质疑{s}背后的基本假设？",
        ],
        en: [
            "Why have things come to this point with {s}?",
            "Why does the present way of doing things lead to such results in {s}?",
            "Why are the resources and skills at hand not enough to improve {s}?",
            "Why do existing rules and interests make it hard to change {s}?",
            "Why does hardly anyone question the assumptions behind {s}?",
        ],
    },
];

/// What a query without any words is about.
pub(super) const MATTER_ZH: &str = "眼前这件事";
pub(super) const MATTER_EN: &str = "the matter at hand";

/// In front of the questions 2 to 5 of a ladder; the English question goes on in lower case.
pub(super) const LADDER_ZH: &str = "若上一答案成立，";
pub(super) const LADDER_EN: &str = "If that is so, ";

/// Names of the method, wherever they stand: they are no part of the matter.
pub(super) const METHOD: &[&str] = &[
    "5 whys", "5whys", "5-whys", "five whys", "5 why", "5why", "5-why", "five why", "五个为什么", "5个为什么",
    "5 个为什么", "五次为什么", "5次为什么", "五问法", "5问法", "五why", "追问五次", "追问5次",
];
pub(super) const BEFORE_METHOD: &[&str] = &[
    "使用", "利用", "运用", "采用", "通过", "基于", "按照", "用", "以", "按", "做", "的", "using the", "using",
    "with the", "with", "use the", "use", "by the", "run a", "run the", "do a", "do the", "apply the", "apply", "a",
    "the", "generate",
];
pub(super) const AFTER_METHOD: &[&str] = &[
    "分析法", "分析方法", "方法", "框架", "模型", "工具", "法", "来", "去", "的", "method", "technique", "framework",
    "analysis", "approach", "questions", "to", "for", "on", "about", "of", ":", "：", "-",
];

/// Words in front of the matter, stripped again and again.
pub(super) const HEADS: &[&str] = &[
    "请你", "请问", "请", "麻烦你", "麻烦", "帮我", "帮忙", "给我", "你能", "能不能", "能否", "可不可以", "可以",
    "我想知道", "我想了解", "我想", "我要", "想知道", "想问", "想了解", "深入", "详细", "全面", "系统地", "系统分析", "系统性地",
    "认真", "仔细", "分析一下", "分析下", "分析", "研究一下", "研究", "探讨一下", "探讨", "调查一下", "调查",
    "解释一下", "解释", "说明", "了解一下", "了解", "看看", "看一下", "聊聊", "谈谈", "讨论一下", "讨论", "梳理一下",
    "梳理", "诊断一下", "诊断", "剖析", "挖掘", "找出", "找到", "生成", "关于", "针对", "围绕", "有关", "一下",
    "为什么说", "是什么导致了", "是什么导致", "是什么造成了", "是什么造成", "什么导致了", "造成", "导致", "什么是",
    "何谓", "如何才能", "如何", "怎样才能", "怎样", "怎么才能", "怎么样", "怎么做", "防止", "预防", "防范", "克服", "遏制", "消除", "缓解", "加强", "增强", "提振", "改善", "改进", "解决", "应对",
    "避免", "提高", "提升", "降低", "减少", "优化", "推动", "促进", "主题：", "主题:", "问题：", "问题:", "课题：",
    "课题:", "题目：", "题目:", "议题：", "议题:", "现象：", "现象:", "please", "can you", "could you", "would you",
    "kindly", "help me to", "help me", "help us", "i want to", "i would like to", "i'd like to", "i need to", "let's",
    "let us", "i wonder", "i am wondering", "tell me", "show me", "give me", "perform", "do", "make", "write",
    "conduct", "analyse", "analyze", "analysing", "analyzing", "examine", "investigate", "explore", "understand",
    "explain", "study", "discuss", "diagnose", "look into", "find out", "find", "identify",
    "a root cause analysis of", "root cause analysis of", "root cause analysis for", "root cause of",
    "root causes of", "the root cause of", "the root causes of", "an analysis of", "the analysis of", "analysis of",
    "a study of", "a report on", "report on", "research on", "what are the reasons for", "what is the reason for",
    "the reasons for", "the reason for", "reasons for", "the reasons behind", "reasons behind",
    "what are the causes of", "what is the cause of", "the causes of", "the cause of", "causes of", "cause of",
    "what causes", "what caused", "what is causing", "what drives", "what explains", "the current state of",
    "current state of", "the state of", "state of", "the current status of", "current status of", "the status of",
    "status of", "the current situation of", "current situation of", "the situation of", "challenges in",
    "challenges of", "the challenges in", "the challenges of", "challenges facing", "the bottlenecks of",
    "the bottleneck of", "the bottleneck in", "bottleneck in", "barriers to", "the barriers to", "obstacles to",
    "the obstacles to", "the impact of", "impact of", "problems with", "problems in", "problems of", "the problem of",
    "the problem with", "problem with", "problem of", "issues with", "issues in", "issue with", "bottlenecks in",
    "bottlenecks of", "the bottlenecks in", "what is wrong with", "what's wrong with", "what is", "what are",
    "improve", "increase",
    "reduce", "fix", "solve", "prevent", "avoid", "decrease", "boost", "raise", "about", "regarding", "concerning",
    "topic:", "question:", "problem:", "subject:", "issue:", "re:", "on the topic of",
];

/// Chinese words that begin like a head and are none.
pub(super) const NOT_HEADS: &[&str] = &[
    "研究生", "研究员", "研究所", "研究院", "研究型", "研究机构", "研究经费", "研究资金", "分析师", "分析型", "请假", "调查员",
    "调查问卷", "解释器", "诊断试剂", "诊断率", "说明书", "讨论课", "生成式", "优化算法", "促进会", "改善型", 
];

/// Words behind the matter, stripped again and again, the longest first.
pub(super) const TAILS: &[&str] = &[
    "的原因是什么", "原因是什么", "是什么原因造成的", "是什么原因", "是怎么回事", "怎么回事", "怎么办", "是什么",
    "有哪些", "的研究报告", "的分析报告", "研究报告", "分析报告", "调研报告", "的现状分析", "现状分析", "的原因分析",
    "原因分析", "的问题分析", "问题分析", "根因分析", "的根本原因", "根本原因", "深层原因", "主要原因", "的原因",
    "原因", "根因", "的现状", "现状", "的主要瓶颈", "的瓶颈", "瓶颈", "的主要问题", "的问题", "问题", "的挑战",
    "的主要挑战", "挑战", "的困境", "困境", "的难点", "难点", "的痛点", "痛点", "的困难", "困难", "的障碍", "障碍",
    "的情况", "情况", "的分析", "进行分析", "做分析", "分析", "进行研究", "的研究", "研究", "的报告", "报告",
    "的探讨", "探讨", "的调研", "调研", "的思考", "与对策", "及对策", "以及", "与", "和", "及其", "及", "呢", "了",
    "吗", "啊", "呀", "了吗", "的", "root cause analysis", "root causes", "root cause", "case analysis", "analysis",
    "status quo", "current status", "current state", "status", "report", "problems", "problem", "issues", "issue",
    "challenges", "bottlenecks", "bottleneck", "study", "please", "and why", "and", "thanks",
];

/// Chinese words that end like a tail and are whole.
pub(super) const NOT_TAILS: &[&str] = &[
    "基础研究", "科学研究", "学术研究", "临床研究", "科研究", "数据分析", "财务分析", "商业分析", "统计分析",
    "年度报告", "财务报告", "市场研究", "用户研究", "社会问题", "世界问题", "就业困难", "融资困难", "呼吸困难",
    "工作报告", "心理问题", "气候问题", "药物研究", "军事问题", "目的", "标的", "普及", "饱和", "共和", "缓和",
    "温和", "埃及", "参与", "碳中和", "涉及", "语言障碍", "睡眠障碍", "情报分析", "安全问题", "质量问题", "技术报告",
];

/// Chinese words with which a predicate begins, in any query.
pub(super) const PREDICATE_ZH: &[&str] = &[
    "总是", "老是", "一直", "经常", "常常", "往往", "始终", "仍然", "依然", "还是", "越来越", "不断", "持续", "频繁",
    "频频", "屡屡", "屡次", "反复", "迟迟", "突然", "大幅", "逐年", "逐渐", "日益", "连续", "明显", "居高不下",
    "难以", "很难", "无法", "不能", "不会", "不愿", "不敢", "不想", "不了", "不足", "不够", "不高", "不强", "不好",
    "不佳", "不稳定", "不理想", "不如", "很慢", "很差", "很低", "很高", "很少", "很贵", "很大", "不一致", "不及时",
    "不到位", "不满", "没有", "没能", "没人", "这么", "那么", "如此", "特别", "非常", "十分", "太贵", "太慢", "太高",
    "太低", "太多", "太少", "过高", "过低", "过多", "过慢", "容易", "缺乏", "缺少", "坚持不下", "走不出", "留不住",
    "招不到", "卖不动", "跟不上", "落后于", "输给", "必须", "被迫", "几乎", "只有", "取代", "代替", "替代", "导致",
    "引发", "每次", "每天", "每年", "又", "再次", "至今", "时常", "时不时", "动不动", "偶尔", "普遍", "更容易",
    "失灵", "失控",
];

/// More of them, safe only behind 为什么: short words that also stand inside nouns, and everyday verbs.
pub(super) const PREDICATE_ZH_AFTER_WHY: &[&str] = &[
    "会", "能", "可以", "应该", "都", "总", "常", "老", "还", "很", "太", "更", "最", "不", "没", "是", "在", "要",
    "想", "爱", "变", "选择", "喜欢", "离开", "放弃", "拒绝", "害怕", "相信", "需要", "失去", "出现", "变得", "导致",
    "使用", "购买", "投诉", "错过", "逃离", "沉迷", "拖累", "比", "远", "只", "多", "难", "慢", "贵", "火", "被",
    "得不到", "有", "成为", "忘记", "越",
];

/// Nouns and verbs in which one of those short words is no adverb.
pub(super) const NOT_PREDICATE_ZH: &[&str] = &[
    "社会", "会议", "机会", "协会", "工会", "学会", "会员", "会计", "委员会", "国会", "基金会", "理事会", "奥运会",
    "会诊", "能源", "智能", "功能", "能力", "性能", "节能", "能耗", "产能", "可能", "太阳能", "储能", "技能", "职能",
    "人工智能", "能效", "首都", "成都", "都市", "总部", "总成本", "总量", "总体", "总统", "总经理", "总裁", "总结",
    "常规", "常州", "日常", "异常", "老人", "老年", "老师", "老板", "老旧", "老龄", "养老", "老家", "还款", "还贷",
    "太阳", "太空", "太太", "太极", "更年", "更新", "变更", "最低", "最高", "最近", "最后", "最终", "最优", "不锈",
    "不动产", "不良", "没收", "是否", "但是", "于是", "在线", "现在", "存在", "潜在", "实在", "在职", "在校", "在家",
    "要素", "需要", "主要", "重要", "要求", "想法", "思想", "梦想", "理想", "爱情", "恋爱", "爱好", "爱尔兰", "变量",
    "变化", "变压", "气候变", "可变", "比例", "比赛", "比亚迪", "占比", "对比", "比特币", "永远", "远程", "远郊",
    "偏远", "只要", "多元", "多样", "多数", "多模态", "许多", "很多", "多层", "多云", "难民", "困难", "难题", "疑难",
    "慢性", "慢病", "贵州", "贵金属", "火车", "火箭", "火星", "火锅", "火灾", "火力", "灭火", "有机", "有限", "所有",
    "国有", "拥有", "有效", "私有", "专有", "特有", "有色", "公有", "没落", "又名", "比率", "远洋", "又称", "被子",
    "被告", "能见度", "总额", "总局", "都江堰", "大都", "常务", "常住", "要塞", "要闻", "想象", "在野", "爱国",
    "变速", "不孕", "老鼠", "老虎", "还原", "最新", "更衣", "很久", "最多", "只能", "难度", "是非", "会展", "年会",
    "社会化", "社会工作", "都会", "聚会", "晚会", "发布会", "博览会", "开会", "例会", "周会", "早会", "会场", "会话",
    "约会", "世博会", "很难", "热能", "核能", "电能", "动能", "潜能", "赋能", "能动", "多媒体", "多家", "多人",
    "多地", "多年", "最佳", "不确定性", "不平等", "不对称", "不信任", "越南", "越野", "卓越", "优越", "超越", "穿越",
    "跨越", "越剧", "灾难", "磨难", "避难", "苦难", "时差", "误差", "落差", "出差", "温差", "价差", "偏差", "逆差",
    "顺差", "贫富差", "色差", "珍贵", "富贵", "权贵",
];

/// Chinese verbs and states that end a subject: 销量|下滑. With `true` they read well behind 会.
pub(super) const ENDS_ZH: &[(&str, bool)] = &[
    ("大幅下滑", true), ("下滑", true), ("下降", true), ("下跌", true), ("减少", true), ("流失", true),
    ("短缺", true), ("不足", false), ("延迟", true), ("延期", true), ("延误", true), ("拖延", true), ("逾期", true),
    ("失败", true), ("崩溃", true), ("宕机", true), ("出错", true), ("报错", true), ("超时", true), ("重启", true),
    ("闪退", true), ("卡顿", true), ("死机", true), ("中断", true), ("泄露", true), ("泄漏", true), ("被盗", true),
    ("超支", true), ("上涨", true), ("上升", true), ("暴涨", true), ("暴跌", true), ("涨价", true), ("降价", true),
    ("飙升", true), ("亏损", true), ("倒闭", true), ("破产", true), ("裁员", true), ("失业", true), ("离职", true),
    ("跳槽", true), ("辍学", true), ("老龄化", true), ("恶化", true), ("萎缩", true), ("停滞", true), ("放缓", true),
    ("变慢", true), ("缓慢", false), ("低下", false), ("低迷", false), ("偏低", false), ("偏高", false),
    ("过低", false), ("过高", false), ("昂贵", false), ("滞后", false), ("落后", false), ("薄弱", false),
    ("匮乏", false), ("紧张", false), ("严重", false), ("拥堵", true), ("失衡", true), ("失灵", true), ("失控", true),
    ("失效", true), ("受阻", true), ("滞销", true), ("积压", true), ("内卷", true), ("走样", true), ("造假", true),
    ("增长", true), ("崛起", true), ("走红", true), ("爆火", true), ("成功", true), ("难", false), ("困难", false),
    ("复发", true), ("攀升", true), ("断裂", true), ("脱节", true), ("低", false), ("贵", false), ("慢", false),
    ("离职率高", false), ("流失率高", false), ("漏水", true), ("丢失", true), ("不稳定", false), ("不及预期", false),
    ("被攻击", true), ("频发", true), ("多发", true), ("高发", true), ("过长", false), ("过短", false),
    ("过大", false), ("过多", false), ("过少", false), ("太长", false), ("太少", false), ("太多", false),
    ("增加", true), ("升高", true), ("降低", true), ("变差", true), ("变少", true), ("受挫", true), ("遇冷", true), ("起火", true), ("爆炸", true), ("亏空", true), ("屡禁不止", false), ("推行不下去", false), ("落不了地", false), ("做不起来", false),
    ("形同虚设", false), ("流于形式", false), ("名存实亡", false), ("乱停乱放", false), ("效果差", false),
    ("差", false), ("负担重", false), ("负担过重", false), ("压力大", false), ("任务重", false),
];

/// Rates and the like that say what the trouble of the people in front of them is: 员工|离职率 上升.
pub(super) const RATES_ZH: &[&str] = &["离职率", "流失率", "辍学率", "失业率", "主动离职", "离职"];

/// Rates that are better low: where they rise, nothing is to be supported.
pub(super) const BAD_RATES_ZH: &[&str] = &[
    "退货率", "投诉率", "违约率", "死亡率", "犯罪率", "离婚率", "空置率", "差评率", "跳出率", "故障率", "失业率",
    "流失率", "辍学率", "自杀率", "事故率",
];

/// Last words of Chinese subjects that are people: what they do is the matter, not what they are.
pub(super) const PEOPLE_ZH: &[&str] = &[
    "年轻人", "老年人", "老人", "男人", "女人", "人们", "工人", "病人", "客人", "家人", "行人", "路人", "农民",
    "居民", "市民", "网民", "孩子", "儿童", "青少年", "学生", "毕业生", "研究生", "医生", "家长", "父母", "员工",
    "同事", "经理", "领导", "管理层", "骑手", "司机", "客户", "用户", "顾客", "患者", "消费者", "投资者", "开发者",
    "维护者", "创业者", "管理者", "工程师", "程序员", "教师", "老师", "护士", "志愿者", "青年", "妇女", "女性",
    "男性", "读者", "观众", "玩家", "乘客", "旅客", "商家", "店主", "科学家", "官员", "公务员", "程序员", "设计师",
    "新人", "大家", "猫", "狗",
];

/// Words of a predicate that is about having or keeping people.
pub(super) const KEEPING_ZH: &[&str] = &[
    "离职", "流失", "短缺", "不足", "跳槽", "留不住", "招不到", "招聘", "缺", "离开", "辞职", "稀缺", "供不应求",
    "太少", "不够", "外流", "难招", "难留", "断层", "青黄不接", "匮乏", "减少", "出走", "逃离",
];
pub(super) const KEEPING_EN: &[&str] = &[
    "leave", "leaving", "quit", "quitting", "resign", "resigning", "scarce", "hard", "difficult", "few", "left",
    "retire", "retiring",
];

/// Words of a predicate that is about bringing a technology into use.
pub(super) const ADOPTING_ZH: &[&str] = &[
    "落地", "推广", "普及", "推进", "规模", "落后", "受阻", "采用", "滞后", "应用", "接受", "停滞", "失败", "缓慢",
    "放缓", "发展",
];
pub(super) const ADOPTING_EN: &[&str] = &[
    "adopt", "adopted", "scale", "stall", "stalling", "stalled", "spread", "progress", "accept", "accepted", "work",
    "fail", "failed", "failing", "slow", "grow", "growing",
];

/// English people: what they do is the matter, not what they are.
pub(super) const PEOPLE_EN: &[&str] = &[
    "people", "patients", "students", "users", "customers", "employees", "teachers", "nurses", "doctors", "engineers",
    "developers", "managers", "workers", "children", "kids", "teenagers", "parents", "adults", "men", "women",
    "voters", "citizens", "drivers", "shoppers", "buyers", "consumers", "clients", "subscribers", "visitors",
    "members", "volunteers", "leaders", "founders", "investors", "farmers", "residents", "tenants", "players",
    "readers", "colleagues", "stakeholders", "contributors", "maintainers", "scientists", "researchers", "graduates",
    "staff", "executives", "designers", "programmers", "cats", "dogs", "bees", "birds",
];

/// English words that open a topic with a capital only because they stand first.
pub(super) const COMMON_EN: &[&str] = &[
    "water", "food", "energy", "air", "patient", "data", "code", "customer", "user", "power", "traffic", "supply",
    "health", "climate", "urban", "public", "social", "remote", "home", "mental", "online", "local", "global",
    "small", "large", "big", "new", "old", "young", "software", "hardware", "electric", "renewable", "open", "child",
    "student", "teacher", "employee", "team", "product", "project", "test", "machine", "deep", "rural", "senior",
    "junior", "early", "voter", "gender", "income", "wage", "staff", "mobile", "web", "cloud", "digital", "internal",
    "external", "technical", "legacy", "long", "short", "poor", "rich", "good", "bad", "cost", "price", "sales",
    "office", "factory", "people", "plastic", "ocean", "forest", "soil", "road", "rail", "bus", "bike", "car",
    "truck", "drug",
];

/// Words that make the cost of a thing the matter, where its name does not.
pub(super) const COSTLY_EN: &[&str] = &[
    "expensive", "pricey", "cost", "costs", "overspend", "overspends", "exceed", "exceeds", "exceeded", "over", "cheap",
];

/// English verbs of hiring in front of the people that are the matter: "hiring senior engineers".
pub(super) const HIRING_EN: &[&str] = &[
    "hiring", "recruiting", "finding", "retaining", "attracting", "keeping", "training",
];

/// Endings of English words that are hardly ever names, and names that have them nevertheless.
pub(super) const COMMON_ENDINGS_EN: &[&str] = &[
    "ment", "tion", "sion", "ness", "ity", "ance", "ence", "ship", "ism", "age", "ing", "ure", "ers", "ees",
];
pub(super) const NAMES_EN: &[&str] = &[
    "beijing", "nanjing", "boeing", "ising", "lessing", "trinity", "france", "florence", "provence", "carnegie",
];

/// What we are in a matter of markets.
pub(super) const BUSINESS_ZH: &str = "我们公司";
pub(super) const BUSINESS_EN: &str = "our business";

/// Makes a noun of a Chinese clause.
pub(super) const CASE_ZH: &str = "的情况";

/// Last words of Chinese subjects that are the trouble itself.
pub(super) const TROUBLE_ZH: &[&str] = &[
    "危机", "焦虑", "缺口", "鸿沟", "差距", "乱象", "浪费", "内耗", "矛盾", "冲突", "短板", "事故", "风险", "压力",
    "不平等", "污染", "通货膨胀", "通胀", "漏洞", "垄断", "歧视", "贫困", "错误", "故障", "缺陷", "倦怠", "荒",
    "焦虑症", "诈骗", "谣言", "暴力", "霸凌", "拥堵", "陷阱", "失衡", "错配", "滥用", "依赖", "误差", "孤独", "恐惧",
    "延迟", "投诉", "质量问题", "安全问题", "社会问题", "就业困难", "融资困难", "呼吸困难", "睡眠障碍", "语言障碍",
    "数据孤岛", "孤岛", "偏见", "幻觉", "老龄化", "bug", "流浪猫", "流浪狗", "流浪动物", "内涝", "空心化", "荒漠化",
    "雾霾", "干旱", "洪水", "少子化", "偏差", "超差", "开裂", "变形", "缺货", "断货", "积压", "沉迷", "成瘾", "拖欠",
    "抄袭", "造假", "腐败", "内卷", "噪音", "噪声",
];

/// Chinese subjects that are only a word for a person or thing, and what stands for them in a question.
pub(super) const PRONOUNS_ZH: &[(&str, &str)] = &[
    ("我们", "我们团队"), ("咱们", "我们团队"), ("我", "我的工作"), ("自己", "我的工作"), ("你", MATTER_ZH),
    ("你们", MATTER_ZH), ("他", MATTER_ZH), ("她", MATTER_ZH), ("它", MATTER_ZH), ("他们", MATTER_ZH),
    ("她们", MATTER_ZH), ("它们", MATTER_ZH), ("这", MATTER_ZH), ("那", MATTER_ZH), ("这个", MATTER_ZH),
    ("那个", MATTER_ZH), ("这样", MATTER_ZH), ("这件事", MATTER_ZH), ("大家", "大家的做法"), ("人", "人们的行为"),
    ("人们", "人们的行为"), ("有人", "人们的行为"),
];

/// Words for why, in Chinese; the longest first.
pub(super) const WHY_ZH: &[&str] = &[
    "究竟为什么", "到底为什么", "为什么", "为什麽", "为甚么", "为何", "为啥", "何以", "怎么会", "怎么总", "怎么老",
];

/// English words that begin a predicate wherever they stand behind the subject.
pub(super) const AUXILIARIES_EN: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "can", "can't", "cannot", "could", "couldn't", "will", "won't",
    "would", "wouldn't", "should", "shouldn't", "isn't", "aren't", "wasn't", "weren't", "hasn't", "haven't", "does",
    "doesn't", "do", "don't", "did", "didn't", "must", "might", "may",
];

/// English adverbs, adjectives and the like that begin a predicate behind an auxiliary and a subject.
pub(super) const PREDICATE_EN: &[&str] = &[
    "so", "too", "always", "still", "often", "never", "not", "again", "being", "getting", "such", "usually", "rarely",
    "constantly", "suddenly", "already", "even", "just", "only", "also", "sometimes", "seldom", "frequently",
    "repeatedly", "slow", "late", "low", "high", "expensive", "hard", "difficult", "poor", "bad", "weak", "unstable",
    "flaky", "down", "up", "blue", "important", "popular", "successful", "broken", "behind", "over", "unhappy",
    "good", "better", "worse", "more", "less", "stuck", "unable", "overdue", "scarce", "rare", "common", "unreliable",
    "a", "an", "the", "no", "all", "failing", "falling", "rising", "declining", "growing", "losing", "leaving",
    "dropping", "increasing", "shrinking", "slipping", "crashing", "breaking", "taking", "stalling", "struggling",
    "missing", "spending", "burning", "quitting", "been", "become", "lost", "kept", "gotten", "fallen", "risen", "grown", "failed", "dropped",
    "gone", "hacked", "delayed", "empty", "full", "tired", "happy", "red", "green", "salty", "hot", "cold", "dying",
    "red", "red-faced", "ageing", "aging", "underpaid", "understaffed", "ignored", "rejected", "low-paid",
    "inconsistent", "incomplete", "inaccurate", "ineffective", "inefficient", "overrun", "insecure", "vulnerable",
    "wrong",
];

/// English verbs in their base form; behind do, does, did, can and will they end the subject.
pub(super) const VERBS_EN: &[&str] = &[
    "fail", "take", "break", "lose", "miss", "keep", "crash", "cost", "leave", "quit", "drop", "fall", "rise",
    "decline", "grow", "shrink", "slow", "stop", "stall", "struggle", "need", "want", "have", "get", "go", "make",
    "feel", "seem", "become", "remain", "stay", "lack", "forget", "ignore", "refuse", "resist", "reject", "avoid",
    "prefer", "choose", "buy", "use", "adopt", "abandon", "complain", "return", "churn", "cancel", "switch", "work",
    "run", "restart", "freeze", "hang", "timeout", "time", "leak", "burn", "underperform", "outperform", "succeed",
    "win", "thrive", "ship", "deliver", "arrive", "slip", "exceed", "overrun", "spend", "pay", "earn", "learn",
    "score", "study", "read", "sleep", "procrastinate", "eat", "drink", "smoke", "save", "trust", "believe", "vote",
    "move", "migrate", "change", "differ", "depend", "happen", "occur", "exist", "look", "sound", "produce",
    "generate", "hallucinate", "perform", "degrade", "suffer", "die", "live", "cry", "purr", "float", "freeze",
    "melt", "see", "think", "know", "expect", "find", "hold", "lag", "exclude", "include", "require", "receive",
    "reach", "build", "write", "resign", "recycle", "commute", "drive", "disagree", "argue", "communicate",
    "collaborate", "share", "hire", "retain", "scale", "show", "give", "turn", "end", "start", "begin", "repeat",
    "recur", "persist", "spread", "attract", "oppose", "support", "accept", "finish", "meet", "pass", "upgrade",
    "click", "join", "visit", "respond", "apply", "obey", "follow", "hate", "enjoy", "dislike", "appear", "disappear",
    "renew", "register", "subscribe", "unsubscribe", "install", "uninstall", "listen", "talk", "speak", "cheat",
    "compete", "merge", "expand", "escalate", "recover", "survive", "overheat", "sell", "raise", "deny", "approve",
    "underestimate", "overestimate", "prioritize", "hoard", "gather", "evolve", "load", "own", "bring", "enter",
    "focus", "cause", "lead", "come", "hit", "say", "tell", "hide", "wear", "carry", "fluctuate", "increase",
    "decrease", "vary", "skip", "relapse", "ask", "call", "wait", "receive", "convert", "bounce",
];

/// English verbs that are as often nouns: they end a subject only where the sentence goes on like behind a verb.
pub(super) const NOUN_VERBS_EN: &[&str] = &[
    "change", "work", "cost", "drop", "use", "study", "score", "time", "show", "turn", "share", "trust", "sleep",
    "drink", "call", "return", "support", "increase", "decrease", "decline", "start", "end", "switch", "spread",
    "rise", "fall", "need", "leak", "hang", "freeze", "read", "buy", "drive", "vote", "pass", "load", "cause", "lead",
    "focus", "visit", "run", "build", "look", "sound", "stop", "slow", "commute", "hire", "skip", "crash", "finish",
    "hit", "meet", "find", "wear", "hold", "like",
];

/// English finite verbs that are hardly ever nouns: with them a sentence without "why" has a predicate.
pub(super) const FINITE_EN: &[&str] = &[
    "fails", "keeps", "takes", "breaks", "loses", "stops", "goes", "remains", "lacks", "stays", "seems", "gets",
    "makes", "becomes", "keep", "lose", "leave", "quit", "fell", "dropped", "failed", "grew", "lost", "broke",
    "slipped", "declined", "crashed", "stalled", "rose", "missed", "exceeded", "lags", "struggle", "struggles",
    "suffers",
];

/// English words with which a clause goes on behind the verb; the word in front of them is taken for the verb.
pub(super) const FUNCTION_EN: &[&str] = &[
    "at", "in", "on", "to", "for", "from", "with", "without", "after", "before", "during", "when", "while", "if",
    "than", "like", "as", "by", "into", "over", "under", "because", "and", "but", "about", "their", "our", "its",
    "every", "each", "so", "too", "the", "a", "an", "until", "of", "despite", "out", "off", "up", "down", "away",
    "back", "faster", "slower",
];

/// Words at which a cut English subject must not end.
pub(super) const DANGLING_EN: &[&str] = &[
    "of", "in", "on", "at", "for", "to", "and", "or", "the", "a", "an", "with", "from", "by", "as", "our", "their",
    "its", "that", "which", "is", "are", "my", "your", "into", "than", "very", "more", "who", "when",
];

/// English subjects that are only a word for a person or thing, and what stands for them in a question.
pub(super) const PRONOUNS_EN: &[(&str, &str)] = &[
    ("we", "our team"), ("us", "our team"), ("i", "my work"), ("me", "my work"), ("they", "the people involved"),
    ("he", "the people involved"), ("she", "the people involved"), ("you", MATTER_EN), ("it", MATTER_EN),
    ("this", MATTER_EN), ("that", MATTER_EN), ("these", MATTER_EN), ("there", MATTER_EN),
    ("everyone", "the people involved"), ("nobody", "the people involved"), ("things", MATTER_EN),
];

/// English nouns that are the trouble itself, with the article that a bare singular needs.
pub(super) const TROUBLE_EN: &[(&str, &str)] = &[
    ("shortage", "a"), ("shortages", ""), ("lack", "a"), ("delay", "a"), ("delays", ""), ("failure", "a"),
    ("failures", ""), ("crash", "a"), ("crashes", ""), ("outage", "an"), ("outages", ""), ("bug", "a"), ("bugs", ""),
    ("error", "an"), ("errors", ""), ("defects", ""), ("incidents", ""), ("decline", "a"), ("drop", "a"),
    ("loss", "a"), ("losses", ""), ("increase", "an"), ("rise", "a"), ("spike", "a"), ("fall", "a"), ("turnover", ""),
    ("attrition", ""), ("churn", ""), ("burnout", ""), ("overruns", ""), ("overrun", "an"), ("inflation", ""),
    ("pollution", ""), ("congestion", ""), ("debt", ""), ("breach", "a"), ("breaches", ""), ("leak", "a"),
    ("leaks", ""), ("attacks", ""), ("fraud", ""), ("gap", "a"), ("gaps", ""), ("inequality", ""), ("poverty", ""),
    ("obesity", ""), ("waste", ""), ("crisis", "a"), ("conflict", ""), ("conflicts", ""), ("complaints", ""),
    ("accidents", ""), ("hallucination", ""), ("bias", ""), ("drift", ""), ("issues", ""), ("problems", ""), ("challenges", ""), ("barriers", ""), ("falls", ""), ("hallucinations", ""),
    ("silos", ""), ("absenteeism", ""), ("unemployment", ""), ("loneliness", ""), ("timeouts", ""), ("downtime", ""),
    ("backlog", "a"), ("layoffs", ""), ("insomnia", ""), ("vulnerabilities", ""), ("homelessness", ""),
];

/// English adjectives that make trouble of what follows: "low test coverage".
pub(super) const TROUBLED_EN: &[&str] = &[
    "high", "low", "poor", "slow", "rising", "declining", "falling", "shrinking", "weak", "bad", "increasing", "late",
    "frequent", "excessive", "growing", "stagnant", "stagnating", "inconsistent", "missed", "failed", "failing",
    "flaky", "aging", "ageing",
];

/// English countable nouns that need an article where they stand alone.
pub(super) const COUNTABLE_EN: &[&str] = &[
    "system", "pipeline", "page", "process", "app", "service", "website", "site", "server", "database", "team",
    "company", "project", "product", "model", "platform", "rate", "school", "hospital", "government", "city",
    "economy", "tax", "factory", "machine", "engine", "store", "shop", "restaurant", "department", "program",
    "programme", "network", "cluster", "meeting", "api", "build", "release", "launch", "portal", "plant", "line",
    "bank", "warehouse", "library", "industry", "market", "startup", "class", "course", "clinic", "form", "button",
    "queue", "ratio", "level", "workflow",
];

/// Words that already determine an English noun.
pub(super) const DETERMINERS_EN: &[&str] = &[
    "the", "a", "an", "our", "my", "your", "their", "his", "her", "its", "this", "that", "these", "those", "some",
    "any", "many", "most", "each", "every", "no", "all",
];

/// Prepositions behind which an English noun phrase only goes on.
pub(super) const PREPOSITIONS_EN: &[&str] = &[
    "of", "in", "for", "at", "on", "to", "among", "between", "with", "from", "after", "before", "during", "under",
    "by", "across", "within", "since", "without", "around", "about", "against", "into", "through", "per", "when",
    "where", "last",
];

/// What the cost of a thing is called, where the query names only the thing.
pub(super) const COST_OF_ZH: &str = "{s}成本";
pub(super) const COST_OF_EN: &str = "the cost of {s}";
pub(super) const COST_WORDS_ZH: &[&str] = &[
    "成本", "费", "价", "开支", "支出", "预算", "租金", "房租", "彩礼", "账单", "亏损", "通胀", "通货膨胀",
];
pub(super) const COST_WORDS_EN: &[&str] = &[
    "cost", "costs", "price", "prices", "pricing", "budget", "budgets", "spend", "spending", "expense", "expenses",
    "bill", "bills", "rent", "rents", "fee", "fees", "tuition", "inflation",
];

/// Words of time and conjunctions in front of a Chinese subject; they stay in no question.
pub(super) const OPENINGS_ZH: &[&str] = &[
    "最近", "近年来", "近几年", "近期", "目前", "如今", "现在", "当前", "今年", "去年", "这几年", "当下", "我发现",
    "我觉得", "总感觉", "感觉", "有时候", "有时", "很多时候", "但是", "但", "可是", "然而", "不过", "而且", "所以",
    "因此", "明明", "最近三个月", "近三个月", "三个月", "最近一年", "过去一年", "近三年", "过去三年",
    "过去几年", "上个月", "这个月", "本月", "上周", "本季度", "今年以来", "一直以来", "每到月底",
];

/// Openings of an English query that ask for a way to do something.
pub(super) const HOW_EN: &[&str] = &[
    "how to", "how do we", "how can we", "how do i", "how can i", "how should we", "how might we", "ways to",
    "how does one",
];

/// English verbs whose object is the matter: "improve retention" is about retention.
pub(super) const IMPROVE_EN: &[&str] = &[
    "improve", "increase", "reduce", "fix", "solve", "prevent", "avoid", "decrease", "boost", "raise", "lower",
    "speed up", "overcome", "address", "optimize", "optimise", "handle", "accelerate", "stop", "get rid of",
    "deal with", "manage", "cut down on", "strengthen", "enhance",
];

/// English verbs that double their last letter before -ing.
pub(super) const DOUBLING_EN: &[&str] = &[
    "run", "get", "sit", "stop", "plan", "forget", "quit", "begin", "hit", "cut", "put", "set", "swim", "ship", "drop",
    "win", "slip", "skip", "chat",
];

/// English adverbs and auxiliaries in front of the verb that a person asks about.
pub(super) const BEFORE_VERB_EN: &[&str] = &[
    "always", "still", "often", "never", "not", "constantly", "usually", "just", "even", "repeatedly", "keep", "so",
    "too",
];

/// English adverbs that end a subject wherever they stand; words in -ly beside them, but for these nouns and adjectives.
pub(super) const ADVERBS_EN: &[&str] = &[
    "so", "too", "always", "still", "often", "never", "not", "again", "already", "even", "just", "only", "also",
    "sometimes", "seldom", "such",
];
pub(super) const NOT_ADVERBS_EN: &[&str] = &[
    "family", "supply", "assembly", "italy", "monthly", "weekly", "daily", "early", "elderly", "friendly", "likely",
    "anomaly", "monopoly", "july", "lonely", "costly", "quarterly", "hourly", "yearly", "reply",
];

/// English words in -ing that are nouns within a subject.
pub(super) const NOUNS_IN_ING_EN: &[&str] = &[
    "onboarding", "hiring", "training", "testing", "learning", "teaching", "marketing", "building", "engineering",
    "funding", "pricing", "housing", "meeting", "planning", "reporting", "manufacturing", "banking", "billing",
    "recycling", "nursing", "computing", "spending", "waiting", "processing", "shipping", "packaging", "parking",
    "charging", "trading", "lending", "mining", "farming", "scheduling", "monitoring", "writing", "reading",
    "morning", "evening", "spring", "king", "thing", "string", "ring", "fishing", "nothing", "everything",
    "something", "anything", "being", "tutoring", "mentoring", "living", "working", "shopping", "advertising",
];
