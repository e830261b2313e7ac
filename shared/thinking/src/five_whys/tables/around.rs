//! What stands around the matter: the name of the method, polite and analytic words.

/// Names of the method, wherever they stand: they are no part of the matter.
pub(in super::super) const METHOD: &[&str] = &[
    "5 whys", "5whys", "5-whys", "five whys", "5 why", "5why", "5-why", "five why", "五个为什么", "5个为什么",
    "5 个为什么", "五次为什么", "5次为什么", "五问法", "5问法", "五why", "追问五次", "追问5次",
];

pub(in super::super) const BEFORE_METHOD: &[&str] = &[
    "使用", "利用", "运用", "采用", "通过", "基于", "按照", "用", "以", "按", "做", "的", "using the", "using",
    "with the", "with", "use the", "use", "by the", "run a", "run the", "do a", "do the", "apply the", "apply", "a",
    "the", "generate",
    "从", "依据", "根据", "请用", "照", "借助", "套用",
];

pub(in super::super) const AFTER_METHOD: &[&str] = &[
    "分析法", "分析方法", "方法", "框架", "模型", "工具", "法", "来", "去", "的", "method", "technique", "framework",
    "analysis", "approach", "questions", "to", "for", "on", "about", "of", ":", "：", "-",
    "的角度", "角度", "视角", "的视角", "思路", "思维", "的思路", "的方式", "方式", "出发", "的方法", "工具来", "思考法", "分析一下", "style",
    "exercise", "analysis on", "analysis of",
];

/// Words in front of the matter, stripped again and again.
pub(in super::super) const HEADS: &[&str] = &[
    "请你", "请问", "请", "麻烦你", "麻烦", "帮我", "帮忙", "给我", "你能", "能不能", "能否", "可不可以", "可以",
    "我想知道", "我想了解", "我想", "我要", "想知道", "想问", "想了解", "深入", "详细", "全面", "系统地", "系统分析", "系统性地",
    "认真", "仔细", "分析一下", "分析下", "分析", "研究一下", "研究", "探讨一下", "探讨", "调查一下", "调查",
    "解释一下", "解释", "说明", "了解一下", "了解", "看看", "看一下", "聊聊", "谈谈", "讨论一下", "讨论", "梳理一下",
    "梳理", "诊断一下", "诊断", "剖析", "挖掘", "找出", "找到", "生成", "关于", "针对", "围绕", "有关", "一下",
    "为什么说", "是什么导致了", "是什么导致", "是什么造成了", "是什么造成", "什么导致了", "造成", "导致", "什么是",
    "何谓", "如何才能", "如何", "怎样才能", "怎样", "怎么才能", "怎么样", "怎么做", "防止", "预防", "防范", "克服", "遏制", "消除", "缓解", "加强", "增强",
    "提振", "改善", "改进", "解决", "应对",
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
    "the obstacles to", "problems with", "problems in", "problems of", "the problem of",
    "the problem with", "problem with", "problem of", "issues with", "issues in", "issue with", "bottlenecks in",
    "bottlenecks of", "the bottlenecks in", "what is wrong with", "what's wrong with", "what is", "what are",
    "improve", "increase",
    "reduce", "fix", "solve", "prevent", "avoid", "decrease", "boost", "raise", "about", "regarding", "concerning",
    "topic:", "question:", "problem:", "subject:", "issue:", "re:", "on the topic of",
    "what leads to", "what led to", "the reason why", "the root causes behind", "root causes behind",
    "root cause behind",
    "what's behind", "what is behind", "what lies behind", "whats behind", "whats causing", "what's causing",
    "causes behind", "a root cause for",
    "root causes for", "找根因", "找一下", "查一下", "排查", "深挖", "复盘一下", "复盘", "追问", "想请教", "请教", "求助", "求问", "求解",
    "figure out", "work out", "help figure out", "i need", "we need", "looking for", "understanding", "want to know",
    "wondering", "i'd like",
    "i want", "curious about", "curious", "anyone know", "does anyone know", "can someone explain",
    "can anyone explain", "eli5",
    "root cause analysis:", "root cause:", "rca:", "rca for", "rca of", "rca on", "problem statement:", "context:",
    "background:", "situation:",
    "symptom:", "incident:", "complaint:", "challenge:", "goal:", "task:", "query:", "问题描述:", "背景:", "现状:", "情况:",
    "需求:", "任务:",
    "故障描述:", "问题如下:",
    "想问下", "想问一下", "问下", "问一下", "请教下", "想请教下", "想请教一下", "说说", "聊下", "讲讲", "说下", "讲下", "看下", "查下", "帮忙看看",
    "帮忙看下", "is there a reason why", "is there any reason for", "what would explain", "can you tell me",
    "do you know", "any thoughts on",
    "thoughts on", "your take on",
];

/// Chinese words that begin like a head and are none.
pub(in super::super) const NOT_HEADS: &[&str] = &[
    "研究生", "研究员", "研究所", "研究院", "研究型", "研究机构", "研究经费", "研究资金", "分析师", "分析型", "请假", "调查员",
    "调查问卷", "解释器", "诊断试剂", "诊断率", "说明书", "讨论课", "生成式", "优化算法", "促进会", "改善型",
];

/// Words behind the matter, stripped again and again, the longest first.
pub(in super::super) const TAILS: &[&str] = &[
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
    "有多大", "有多少", "有多严重", "的深层", "的根本", "的真正", "的本质", "的根源", "根源", "的成因", "成因", "的症结", "症结", "怎么破",
    "怎么解决", "如何解决", "该怎么办", "为哪般", "求解", "帮我找根因", "帮我分析", "no idea", "i have no idea", "we have no idea", "not sure",
    "i'm not sure", "i don't know", "we don't know", "don't know", "i wonder", "can't figure out", "can you explain",
    "any ideas", "any idea", "help",
    "的深层次",
    "怎么治理", "如何治理", "怎么改善", "如何改善", "怎么改", "怎么提升", "如何提升", "怎么提高", "如何提高", "怎么优化", "如何优化", "怎么应对",
    "如何应对", "咋整", "咋办", "怎么弄", "怎么搞", "怎么避免", "如何避免", "怎么降", "怎么改进", "如何改进",
    "是", "到底是", "究竟是", "这是",
];

/// Chinese words that end like a tail and are whole.
pub(in super::super) const NOT_TAILS: &[&str] = &[
    "基础研究", "科学研究", "学术研究", "临床研究", "科研究", "数据分析", "财务分析", "商业分析", "统计分析",
    "年度报告", "财务报告", "市场研究", "用户研究", "社会问题", "世界问题", "就业困难", "融资困难", "呼吸困难",
    "工作报告", "心理问题", "气候问题", "药物研究", "军事问题", "目的", "标的", "普及", "饱和", "共和", "缓和",
    "温和", "埃及", "参与", "碳中和", "涉及", "语言障碍", "睡眠障碍", "情报分析", "安全问题", "质量问题", "技术报告",
    "成本", "基本", "有求解",
    "火了", "死了", "病了", "倒了", "哭了", "变了", "坏了", "没了", "黄了", "凉了", "丢了", "停了", "跌了", "涨了", "走了", "了解",
    "不了问题", "不了", "出问题", "没问题", "有问题", "出了问题", "解决问题", "什么问题", "遇到问题", "遇到困难", "有困难", "出状况", "发现问题",
    "看不出问题",
];
