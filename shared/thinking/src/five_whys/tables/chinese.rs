//! The words of Chinese queries: simplified, as they stand in folded text.

/// What a query without any words is about.
pub(in super::super) const MATTER_ZH: &str = "眼前这件事";

/// In front of the questions 2 to 5 of a ladder; the English question goes on in lower case.
pub(in super::super) const LADDER_ZH: &str = "若上一答案成立，";

/// Chinese words with which a predicate begins, in any query.
pub(in super::super) const PREDICATE_ZH: &[&str] = &[
    "总是", "老是", "一直", "经常", "常常", "往往", "始终", "仍然", "依然", "还是", "越来越", "不断", "持续", "频繁",
    "频频", "屡屡", "屡次", "反复", "迟迟", "突然", "大幅", "逐年", "逐渐", "日益", "连续", "明显", "居高不下",
    "难以", "很难", "无法", "不能", "不会", "不愿", "不敢", "不想", "不了", "不足", "不够", "不高", "不强", "不好",
    "不佳", "不稳定", "不理想", "不如", "很慢", "很差", "很低", "很高", "很少", "很贵", "很大", "不一致", "不及时",
    "不到位", "不满", "没有", "没能", "没人", "这么", "那么", "如此", "特别", "非常", "十分", "太贵", "太慢", "太高",
    "太低", "太多", "太少", "过高", "过低", "过多", "过慢", "容易", "缺乏", "缺少", "坚持不下", "走不出", "留不住",
    "招不到", "卖不动", "跟不上", "落后于", "输给", "必须", "被迫", "几乎", "只有", "取代", "代替", "替代", "导致",
    "引发", "每次", "每天", "每年", "又", "再次", "至今", "时常", "时不时", "动不动", "偶尔", "普遍", "更容易",
    "失灵", "失控",
    "引起", "引来", "遭到", "遭遇", "遭受", "受到", "陷入", "反而", "却", "更加", "只剩", "仅有", "仅为", "不明显", "占不到", "达不到", "上不去",
    "下不来", "降不下来", "提不上", "补不上", "做不", "说不", "看不", "卖不", "用不", "找不", "拿不", "接不", "吃不", "跑不", "学不", "记不", "睡不",
    "转不", "招不", "留不", "打不", "推不", "落不", "管不", "比不", "赶不", "收不", "排不", "都想", "都不", "都在", "一拖再拖", "一降再降",
    "一涨再涨", "一错再错", "一改再改", "打败", "战胜", "反超", "下滑到", "上升到", "涨到", "降到", "跌到", "停滞不前", "屡禁不止", "形同虚设",
    "没跟上", "总", "时好时坏", "三天两头", "动辄", "天天", "年年", "隔三差五", "一天到晚", "一位难求", "供不应求", "偏离",
];

/// More of them, safe only behind 为什么: short words that also stand inside nouns, and everyday verbs.
pub(in super::super) const PREDICATE_ZH_AFTER_WHY: &[&str] = &[
    "会", "能", "可以", "应该", "都", "总", "常", "老", "还", "很", "太", "更", "最", "不", "没", "是", "在", "要",
    "想", "爱", "变", "选择", "喜欢", "离开", "放弃", "拒绝", "害怕", "相信", "需要", "失去", "出现", "变得", "导致",
    "使用", "购买", "投诉", "错过", "逃离", "沉迷", "拖累", "比", "远", "只", "多", "难", "慢", "贵", "火", "被",
    "得不到", "有", "成为", "忘记", "越",
];

/// Short words with which a predicate begins in any query, where no 的 follows and no noun of [`NOUNS_AFTER_NOT_ZH`] ends
/// the clause.
pub(in super::super) const WEAK_PREDICATE_ZH: &[&str] = &["太", "很", "过于", "要", "不", "没", "未", "被", "只", "仅", "越", "更", "从"];

/// Endings of a noun phrase that holds a 不 or 没 itself: 不文明行为.
pub(in super::super) const NOUNS_AFTER_NOT_ZH: &[&str] = &[
    "行为", "现象", "率", "产品", "性", "感", "度", "化", "症", "群体", "人员", "比例", "者", "品", "案件", "事件",
];

/// Adverbs of one character that belong to the predicate behind them: 效果|不明显.
pub(in super::super) const LEADING_ZH: &str = "不没未更也都却就还并仍太很";

/// Adverbs of more characters that belong to a state behind them: 薪资|长期停滞.
pub(in super::super) const LEADING_WORDS_ZH: &[&str] = &[
    "长期", "持续", "逐月", "逐季", "大量", "集体", "大面积", "快速", "迅速", "急剧", "大规模", "突然", "相对", "比较", "整体", "加速", "连年", "反复",
    "大幅", "严重", "极其", "极度", "明显", "略", "极", "特别", "过于",
];

/// Abstract heads of noun phrases: what stands in front of them tells the kind, 老年人慢病|管理. In front of any other head it
/// tells nothing: 大学生就业 is no education.
pub(in super::super) const NEUTRAL_ZH: &[&str] = &[
    "管理", "质量", "服务", "建设", "发展", "体系", "水平", "资源", "制度", "模式", "能力", "机制", "效率", "平台", "系统", "项目", "工作",
    "进展", "推广", "覆盖", "普及", "过程", "流程", "方案", "环境", "行业", "产业", "领域", "参与度", "满意度", "积极性", "效果", "状况",
    "氛围", "改造", "升级", "实践", "工具", "产品", "率", "供给", "公平", "均衡", "现象", "网络", "业务", "执行", "实施", "落实", "推行",
    "推进", "程度", "集群", "接口", "部署", "上线",
];

/// Verbs inside a subject that make a clause of it: 公司推行OKR.
pub(in super::super) const ACTS_ZH: &[&str] = &[
    "推行", "实施", "推出", "采用", "引入", "引进", "使用", "启用", "购买", "改用", "开始", "举办", "开展",
];

/// Whose affairs are ours at work, though they are called mine.
pub(in super::super) const NOT_MINE_ZH: &[&str] = &[
    "我们", "我国", "我司", "我校", "我院", "我省", "我市", "我县", "我厂", "我部门", "我公司", "我团队", "我组", "我行", "我方", "我区",
];

/// Characters with which a comparison ends: 比人写的|高.
pub(in super::super) const COMPARED_ZH: &str = "多少高低大小长短快慢好坏差难贵重强弱";

/// Ends of a subject that is a figure: nothing is the matter with it but its height.
pub(in super::super) const FIGURES_ZH: &[&str] = &["率", "次数", "数量", "比例", "占比", "人数", "时长", "指数", "分数"];

/// Ends of a clause that has no other sign of a predicate: 看病三分钟, 被攻击两次.
pub(in super::super) const MEASURES_ZH: &[&str] = &[
    "分钟", "小时", "秒", "天", "周", "个月", "年", "次", "倍", "万", "亿", "元", "块", "块钱", "成", "遍", "个百分点",
];

/// How to bring somebody to do something; what is brought about has to be, so it stays a matter to be worked on.
pub(in super::super) const BRINGING_ZH: &[&str] = &["让", "使", "使得", "叫"];

/// Nouns and verbs in which one of those short words is no adverb.
pub(in super::super) const NOT_PREDICATE_ZH: &[&str] = &[
    "社会", "会议", "机会", "协会", "工会", "学会", "会员", "会计", "委员会", "国会", "基金会", "理事会", "奥运会",
    "会诊", "能源", "智能", "功能", "能力", "性能", "节能", "能耗", "产能", "可能", "太阳能", "储能", "技能", "职能",
    "人工智能", "能效", "首都", "成都", "都市", "总部", "总成本", "总量", "总体", "总统", "总经理", "总裁", "总结",
    "常规", "常州", "日常", "异常", "老人", "老年", "老师", "老板", "老旧", "老龄", "养老", "老家", "还款", "还贷",
    "太阳", "太原", "太平", "太子", "太湖", "太空", "太太", "太极", "更年", "更新", "变更", "最低", "最高", "最近", "最后", "最终", "最优", "不锈",
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
    "未来", "未成年", "未婚", "未知", "不法", "不明飞行物", "不等式", "不粘", "不定期", "不可再生", "不可抗力", "不正当竞争", "不安全感", "不丹",
    "不同", "不当", "不实", "没有", "未遂", "不朽", "老总", "总监", "总工", "总公司", "总包", "总店", "总决赛", "总价", "总分", "总理", "总书记",
    "汇总", "总机", "总装", "总线", "总行", "总平", "被动", "被褥", "棉被", "植被", "被保险", "冷却", "忘却", "不可", "看不见",
    "不足", "总产量", "总收入", "总人口", "总支出", "总资产", "总和", "总销量", "总长", "总务", "总司", "总领事", "总干事", "总编", "总导演",
    "总共", "总称", "总则",
    "提高", "减少", "多少", "大小", "至少", "增长", "成长", "校长", "部长", "家长", "特长", "时长", "身高", "新高", "扩大", "加大", "强大", "放大",
    "加强", "体重", "比重", "尊重", "加重", "减弱", "损坏", "破坏", "降低", "加快", "愉快", "注重", "侧重", "双重", "多重", "混乱", "骚乱", "战乱",
    "最大", "加拿大", "北大", "人大", "重大", "庞大", "巨大", "缩短", "良好", "众多", "繁多", "过多", "太多", "增多", "很高", "过高", "偏高", "升高",
    "崇高", "缺少", "太少", "过少", "变少", "很少", "院长", "处长", "局长", "行长", "市长", "班长", "组长", "店长", "船长", "延长", "生长", "周长",
    "擅长", "专长", "助长", "董事长", "秘书长", "负重", "载重", "病重", "保重", "起重", "隆重", "贵重", "超重", "严重", "过大", "壮大", "更大",
    "增大", "变大", "变强", "顽强", "富强", "列强", "增强", "坚强", "年少", "儿少", "不少", "失重", "自重", "净重", "毛重", "登高",
    "拔高", "过长", "太长", "漫长", "全长", "波长", "边长", "首长", "酋长", "凉快", "畅快", "爽快", "痛快", "赶快", "尽快", "飞快", "外快",
    "明快", "轻快", "勤快", "特快", "薄弱", "削弱", "虚弱", "脆弱", "衰弱", "软弱", "柔弱", "示弱", "微弱", "紊乱", "扰乱", "动乱", "叛乱", "捣乱",
    "错乱", "忙乱", "慌乱", "霍乱",
];

/// Chinese verbs and states that end a subject: 销量|下滑. With `true` they read well behind 会.
pub(in super::super) const ENDS_ZH: &[(&str, bool)] = &[
    ("大幅下滑", true), ("大跌", true), ("破裂", true), ("覆灭", true), ("解体", true), ("灭亡", true), ("两极分化", false), ("打折", true), ("低落", false), ("涣散", false), ("高涨", false), ("缩水", true), ("下行", true), ("腰斩", true), ("崩盘", true), ("衰落", true), ("下滑", true), ("下降", true), ("下跌", true), ("减少", true), ("流失", true),
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
    ("被攻击", true), ("频发", false), ("多发", false), ("高发", false), ("过长", false), ("过短", false),
    ("过大", false), ("过多", false), ("过少", false), ("太长", false), ("太少", false), ("太多", false),
    ("增加", true), ("升高", true), ("降低", true), ("变差", true), ("变少", true), ("受挫", true), ("遇冷", true), ("起火", true), ("爆炸", true), ("亏空", true), ("屡禁不止", false), ("推行不下去", false), ("落不了地", false), ("做不起来", false),
    ("形同虚设", false), ("流于形式", false), ("名存实亡", false), ("乱停乱放", false), ("效果差", false),
    ("差", false), ("多", false), ("高", false), ("少", false), ("大", false), ("长", false), ("重", false), ("弱", false), ("乱", false), ("强", false), ("快", false), ("不均", false), ("不齐", false), ("不合理", false), ("不公平", false), ("不透明", false), ("不规范", false), ("不匹配", false), ("不及", false), ("泛滥", true), ("失真", true), ("走低", true), ("走高", true), ("失联", true), ("断层", false), ("告急", false), ("告罄", false), ("断供", true), ("遇阻", true), ("受限", true), ("受损", true), ("脱销", true), ("回落", true), ("反弹", true), ("波动", true), ("超标", true), ("超员", false), ("打架", true), ("扯皮", true), ("推诿", true), ("大涨", true), ("大增", true), ("激增", true), ("暴增", true), ("翻倍", true), ("翻番", true), ("回升", true), ("烂尾", true), ("堵车", true),
    ("厌学", true), ("负担重", false), ("负担过重", false), ("压力大", false), ("任务重", false),
];

/// Rates and the like that say what the trouble of the people in front of them is: 员工|离职率 上升.
pub(in super::super) const RATES_ZH: &[&str] = &["离职率", "流失率", "辍学率", "失业率", "主动离职", "离职"];

/// Rates that are better low: where they rise, nothing is to be supported.
pub(in super::super) const BAD_RATES_ZH: &[&str] = &[
    "退货率", "投诉率", "违约率", "死亡率", "犯罪率", "离婚率", "空置率", "差评率", "跳出率", "故障率", "失业率",
    "流失率", "辍学率", "自杀率", "事故率",
    "不良率", "次品率", "报废率", "误报率", "错误率", "逃课率", "延误率", "坏账率", "返工率", "弃购率", "逾期率",

    "bug率", "事故数", "投诉量", "退款率", "退款量",
];

/// Words of a predicate by which a figure rises, and by which it falls.
pub(in super::super) const RISING_ZH: &[&str] = &[
    "大涨", "暴涨", "上涨", "上升", "增长", "翻倍", "翻番", "提升", "增加", "飙升", "回升", "激增", "大增", "创新高", "反弹",
];
pub(in super::super) const FALLING_ZH: &[&str] = &[
    "下降", "下跌", "降价", "便宜", "暴跌", "跌", "走低", "回落", "降低", "很低", "偏低", "腰斩",
];

/// Last words of Chinese subjects that are people: what they do is the matter, not what they are.
pub(in super::super) const PEOPLE_ZH: &[&str] = &[
    "年轻人", "老年人", "老人", "男人", "女人", "人们", "工人", "病人", "客人", "家人", "行人", "路人", "农民",
    "居民", "市民", "网民", "孩子", "儿童", "青少年", "学生", "毕业生", "研究生", "医生", "家长", "父母", "员工",
    "同事", "经理", "领导", "管理层", "骑手", "司机", "客户", "用户", "顾客", "患者", "消费者", "投资者", "开发者",
    "维护者", "创业者", "管理者", "工程师", "程序员", "教师", "老师", "护士", "志愿者", "青年", "妇女", "女性",
    "男性", "读者", "观众", "玩家", "乘客", "旅客", "商家", "店主", "科学家", "官员", "公务员", "程序员", "设计师",
    "新人", "大家", "猫", "狗",
    "医院", "诊所", "学校", "大学", "高校", "企业", "公司", "银行", "政府", "工厂", "机构", "国家", "供应商", "男生", "女生", "宝宝", "婴儿", "小孩",
    "大人", "中年人", "打工人", "职场人", "博士生", "大学生", "中学生", "小学生", "投资人", "股民", "游客", "房东", "租客", "业主", "村民", "候选人",
    "面试官", "老板", "上司", "下属", "很多人", "人类", "中国人", "美国人", "日本人", "外国人", "鸟", "鱼", "运动员", "球迷", "同学", "朋友", "甲方",
    "团队", "部门", "组织", "小组", "科室", "董事会", "委员会", "店员", "厂家", "车主", "家庭", "乡镇", "村委会",
];

/// Words of a predicate that is about having or keeping people.
pub(in super::super) const KEEPING_ZH: &[&str] = &[
    "离职", "流失", "短缺", "不足", "跳槽", "留不住", "招不到", "招聘", "缺", "离开", "辞职", "稀缺", "供不应求",
    "太少", "不够", "外流", "难招", "难留", "断层", "青黄不接", "匮乏", "减少", "出走", "逃离",
];

/// Words of a predicate that is about bringing a technology into use.
pub(in super::super) const ADOPTING_ZH: &[&str] = &[
    "落地", "推广", "普及", "推进", "规模", "落后", "受阻", "采用", "滞后", "应用", "接受", "停滞", "失败", "缓慢",
    "放缓", "发展",
];

/// Last words of Chinese subjects that are the trouble itself.
pub(in super::super) const TROUBLE_ZH: &[&str] = &[
    "危机", "焦虑", "问题", "困难", "障碍", "缺口", "鸿沟", "差距", "乱象", "浪费", "内耗", "矛盾", "冲突", "短板", "事故", "风险", "压力",
    "不平等", "污染", "通货膨胀", "通胀", "漏洞", "垄断", "歧视", "贫困", "错误", "故障", "缺陷", "倦怠", "荒",
    "焦虑症", "诈骗", "谣言", "暴力", "霸凌", "拥堵", "陷阱", "失衡", "错配", "滥用", "依赖", "误差", "孤独", "恐惧",
    "延迟", "投诉", "质量问题", "安全问题", "社会问题", "就业困难", "融资困难", "呼吸困难", "睡眠障碍", "语言障碍",
    "数据孤岛", "孤岛", "偏见", "幻觉", "老龄化", "bug", "流浪猫", "流浪狗", "流浪动物", "内涝", "空心化", "荒漠化",
    "雾霾", "干旱", "洪水", "少子化", "偏差", "超差", "开裂", "变形", "缺货", "断货", "积压", "沉迷", "成瘾", "拖欠",
    "抄袭", "造假", "腐败", "内卷", "噪音", "噪声",
    "灾害", "火灾", "事件", "纠纷", "误诊", "短缺症", "疲劳", "懒政", "浮躁", "骚扰", "失眠症", "断层", "瓶颈期", "死锁", "内存泄漏", "掉发", "脱发",
    "不良", "破损", "脱销", "断链", "堵塞", "拥挤", "疲软", "失窃", "错发", "漏发", "虚焊", "超时", "卡顿", "闪退", "失眠", "肥胖", "内耗严重",
];

/// Characters that alone are no matter.
pub(in super::super) const EMPTY_ZH: &str = "的地得了着过是不没有未都也就还和与在被只会能要把又而及吗呢啊吧啦么这那它他她你";

/// Words that name a cost.
pub(in super::super) const COST_WORDS_ZH: &[&str] = &[
    "成本", "费", "价", "开支", "支出", "预算", "租金", "房租", "彩礼", "账单", "亏损", "通胀", "通货膨胀",
];

/// Words of time and conjunctions in front of a Chinese subject; they stay in no question.
pub(in super::super) const OPENINGS_ZH: &[&str] = &[
    "最近", "近年来", "近几年", "近期", "目前", "如今", "现在", "当前", "今年", "去年", "这几年", "当下", "我发现",
    "我觉得", "总感觉", "感觉", "有时候", "有时", "很多时候", "但是", "但", "可是", "然而", "不过", "而且", "所以",
    "因此", "明明", "最近三个月", "近三个月", "三个月", "最近一年", "过去一年", "近三年", "过去三年",
    "过去几年", "上个月", "这个月", "本月", "上周", "本季度", "今年以来", "一直以来", "每到月底",
    "数据显示", "数据表明", "报告显示", "调查显示", "研究显示", "研究表明", "研究发现", "统计显示", "调查发现", "我注意到", "我们发现", "据说",
    "听说", "双十一之后", "最进", "首先是", "首先", "其次是", "其次", "另外", "还有就是", "昨天", "今天", "前几天", "这几天", "这段时间", "不知道", "不明白", "搞不懂", "想不通", "真的", "其实",
];

/// Chinese subjects that are only a word for a person or thing: the whole clause is the matter.
pub(in super::super) const PRONOUNS_ZH: &[&str] = &[
    "我们", "咱们", "我", "自己", "你", "你们", "他", "她", "它", "他们", "她们", "它们", "这", "那", "这个", "那个", "这样",
    "这件事", "大家", "人", "人们", "有人",
];

/// Words for why, in Chinese.
pub(in super::super) const WHY_ZH: &[&str] = &["为什么", "为什麽", "为甚么", "为何", "为啥", "何以"];

/// Words for how that ask why in front of the characters below.
pub(in super::super) const HOW_COME_ZH: &[&str] = &["怎么", "怎麽", "咋"];
pub(in super::super) const HOW_COME_GOES_ON_ZH: &str = "会还又这那都就没不总老越";

/// Words that only insist.
pub(in super::super) const FILLERS_ZH: &[&str] = &["到底", "究竟"];

/// What is hard is to be brought about.
pub(in super::super) const HARD_ZH: &str = "很难";

/// Ends of what one thing does to another.
pub(in super::super) const EFFECTS_ZH: &[&str] = &["的影响", "的冲击", "的作用", "的改变"];

/// A phrase of time: before its numerals, its units, and behind them.
pub(in super::super) const TIME_BEFORE_ZH: &[&str] = &[
    "自从", "自", "从", "去年", "今年", "前年", "明年", "本", "上", "这", "近", "最近", "过去", "第", "上个", "这个", "每到",
];
pub(in super::super) const TIME_UNITS_ZH: &[&str] = &[
    "年", "季度", "月", "个月", "个季度", "周", "个星期", "天", "日", "年底", "年初", "月底", "月初", "月份", "半年", "上半年", "下半年",
];
pub(in super::super) const TIME_BEHIND_ZH: &[&str] = &["以来", "来", "之后", "以后", "起", "开始", "期间", "里", "内"];

/// Where a clause that is too long may end.
pub(in super::super) const JOINING_ZH: &[&str] = &[
    "而且", "并且", "但是", "但", "导致", "使得", "因为", "由于", "所以", "甚至", "还经常", "还", "以至于", "、", " ",
];

/// With them a clause tells what is over.
pub(in super::super) const PAST_ZH: &[&str] = &["当年", "当初", "当时", "曾经", "最终", "历史上", "年代", "世纪"];

/// What works or fails as a thing, whoever uses it.
pub(in super::super) const TECHNICAL_ZH: &[&str] = &[
    "系统", "数据库", "服务器", "接口", "api", "app", "网站", "网页", "页面", "小程序", "软件", "代码", "程序启动", "登录", "缓存", "内存", "磁盘", "容器",
    "集群", "微服务", "microservice", "部署", "构建", "编译", "流水线", "ci", "单元测试", "自动化测试", "模型", "算法", "机器人", "bug", "网络", "wifi", "路由器", "电池",
    "充电", "打印机", "空调", "电梯", "设备", "机器", "产线", "焊接", "传感器", "电机", "发动机", "车机", "手机", "电脑", "屏幕", "蓝牙", "同步",
    "链路", "日志", "脚本", "前端", "后端", "客户端", "服务端", "版本", "固件", "硬件", "备份", "队列", "k8s", "kubernetes", "docker", "redis",
    "mysql", "kafka", "质量", "良率", "不良率", "次品率", "产品合格率", "cpu", "gpu", "pod", "sdk", "函数", "线程",
];

/// What people like, want or believe.
pub(in super::super) const OPINION_ZH: &[&str] = &[
    "反感", "喜欢", "讨厌", "信任", "相信", "不信", "不愿", "愿意", "不想", "想要", "抵触", "排斥", "担心", "害怕", "支持", "反对", "热衷",
    "追捧", "认为", "觉得", "看好", "看不起", "歧视", "不敢", "迷信", "抗拒", "嫌", "偏爱", "热爱", "感兴趣", "躺平", "更焦虑", "不婚", "都想", "羡慕",
    "痴迷", "沉迷", "上瘾",
];

/// Words in front of what is ours at work.
pub(in super::super) const OURS_ZH: &[&str] = &[
    "我们", "咱们", "我司", "我公司", "我部门", "我团队", "我组", "公司", "团队", "部门", "本公司",
];

/// People who are not ours, though we call them so.
pub(in super::super) const OUTSIDERS_ZH: &[&str] = &["客户", "用户", "顾客", "学生", "家长", "患者", "孩子", "供应商"];

/// What follows a 怎么 that asks for a way.
pub(in super::super) const HOW_TO_ZH: &str = "办样才做提改解优避降治应弄搞破整用让使写选看学";

/// What happens once and for all.
pub(in super::super) const OVER_ZH: &[&str] = &["失败", "倒闭", "破产", "破裂", "灭亡", "覆灭", "解体", "倒下", "崩盘", "出局", "落败"];

/// What nature loses is our affair.
pub(in super::super) const LOST_ZH: &[&str] = &["死亡", "消失", "减少", "灭绝", "融化", "濒危", "锐减", "越来越少", "泛滥"];

/// What goes on behind people who do something.
pub(in super::super) const FOLLOWING_PEOPLE_ZH: [char; 14] =
    ['对', '们', '在', '一', '从', '把', '被', '向', '为', '跟', '和', '与', '学', '用'];

/// Ends of noun phrases that look like verbs.
pub(in super::super) const NOUN_ENDS_ZH: &[&str] = &[
    "谈判", "采购", "保护", "监测", "评估", "规划", "交易", "物流", "供应链", "保险", "保障", "旅游", "文化", "经济", "社区", "生态",
    "政策", "战略", "结构", "关系", "需求", "供应", "竞争", "创新", "合作", "生活", "消费", "交通", "运输", "就业", "招生", "饮食",
    "习惯", "状态", "心态", "方式", "标准", "规范", "设计", "运营", "营销", "研发", "研究", "教育", "市场", "人才", "城市", "企业",
];

/// What takes its time: slow, it waits.
pub(in super::super) const PROCESS_ZH: &[&str] = &[
    "审批", "流程", "推进", "进展", "进度", "办理", "建设", "改造", "项目", "交付", "响应", "处理", "发货", "物流", "报销", "招聘", "上线",
    "施工", "验收", "回复",
];

/// Ends of nouns that look like those of 不文明行为 and are whole words.
pub(in super::super) const WHOLE_NOUNS_ZH: &[&str] = &["进度", "制度", "态度", "速度", "温度", "产品", "反感", "人员"];

/// How long something takes, which is asked about as too long.
pub(in super::super) const DURATIONS_ZH: &[&str] = &["等待时间", "等候时间", "候诊时间", "排队时间", "处理时间", "交货周期", "研发周期", "审批周期"];

/// Says that it takes too long.
pub(in super::super) const TOO_LONG_ZH: &str = "太长";
