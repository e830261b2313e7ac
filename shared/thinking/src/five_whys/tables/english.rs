//! The words of English queries: lower case.

/// What a query without any words is about.
pub(in super::super) const MATTER_EN: &str = "the matter at hand";

/// In front of the questions 2 to 5 of a ladder, which go on in lower case.
pub(in super::super) const LADDER_EN: &str = "If that is so, ";

/// Whose affairs are ours at work, though they are called mine.
pub(in super::super) const NOT_MINE_EN: &[&str] = &[
    "company", "team", "startup", "business", "department", "organization", "organisation", "employees", "customers",
    "users", "clients", "app", "website", "country", "city", "industry", "factory", "store", "shop", "project", "staff",
];

/// Words of a predicate that is about having or keeping people.
pub(in super::super) const KEEPING_EN: &[&str] = &[
    "leave", "leaving", "quit", "quitting", "resign", "resigning", "scarce", "hard", "difficult", "few", "left",
    "retire", "retiring",
];

/// Words of a predicate that is about bringing a technology into use.
pub(in super::super) const ADOPTING_EN: &[&str] = &[
    "adopt", "adopted", "scale", "stall", "stalling", "stalled", "spread", "progress", "accept", "accepted", "work",
    "fail", "failed", "failing", "slow", "grow", "growing",
    "taken", "took", "take", "caught", "catch", "widespread", "mainstream", "popular",
];

/// English people: what they do is the matter, not what they are.
pub(in super::super) const PEOPLE_EN: &[&str] = &[
    "people", "patients", "students", "users", "customers", "employees", "teachers", "nurses", "doctors", "engineers",
    "developers", "managers", "workers", "children", "kids", "teenagers", "parents", "adults", "men", "women",
    "voters", "citizens", "drivers", "shoppers", "buyers", "consumers", "clients", "subscribers", "visitors",
    "members", "volunteers", "leaders", "founders", "investors", "farmers", "residents", "tenants", "players",
    "readers", "colleagues", "stakeholders", "contributors", "maintainers", "scientists", "researchers", "graduates",
    "staff", "executives", "designers", "programmers", "cats", "dogs", "bees", "birds",
    "management", "government", "hospitals", "schools", "companies", "firms", "banks", "boards", "agencies",
    "police", "competitors", "suppliers",
    "vendors", "salespeople", "reps", "cyclists", "boys", "girls", "babies", "toddlers", "interns", "hackers",
    "passengers", "commuters",
    "candidates", "applicants", "landlords", "politicians", "journalists", "regulators", "recruiters", "bosses",
    "officials", "businesses",
    "startups", "universities", "pedestrians", "tourists", "gamers", "teens", "seniors", "freelancers", "couriers",
    "partners", "couples",
    "neighbours", "neighbors", "guests", "fans", "owners", "pilots", "lawyers", "judges", "soldiers", "prisoners",
    "refugees", "immigrants",
    "migrants", "toddler", "infants", "twins", "siblings", "husbands", "wives", "friends", "nobody", "everyone",
    "anyone", "guys",
];

/// English words that open a topic with a capital only because they stand first.
pub(in super::super) const COMMON_EN: &[&str] = &[
    "water", "food", "energy", "air", "patient", "data", "code", "customer", "user", "power", "traffic", "supply",
    "health", "climate", "urban", "public", "social", "remote", "home", "mental", "online", "local", "global",
    "small", "large", "big", "new", "old", "young", "software", "hardware", "electric", "renewable", "open", "child",
    "student", "teacher", "employee", "team", "product", "project", "test", "machine", "deep", "rural", "senior",
    "junior", "early", "voter", "gender", "income", "wage", "staff", "mobile", "web", "cloud", "digital", "internal",
    "external", "technical", "legacy", "long", "short", "poor", "rich", "good", "bad", "cost", "price", "sales",
    "office", "factory", "people", "plastic", "ocean", "forest", "soil", "road", "rail", "bus", "bike", "car",
    "truck", "drug",
    "our", "my", "the", "login", "checkout", "users", "developers", "engineers", "managers", "marketing", "support",
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "half", "several", "both", "none",
    "another", "nearly", "almost",
    "about", "over", "less", "more", "fewer", "only", "even", "every",
];

/// Words of a predicate by which a figure rises, and by which it falls.
pub(in super::super) const RISING_EN: &[&str] = &[
    "growing", "rising", "increasing", "surging", "soaring", "grow", "rise", "increase", "surge", "soar", "grew",
    "rose",
    "increased", "surged", "soared", "doubled", "tripled", "up", "climbing", "climbed", "booming", "boomed",
    "recovering",
];
pub(in super::super) const FALLING_EN: &[&str] = &[
    "less", "cheap", "cheaper", "low", "lower", "falling", "fell", "fallen", "fall", "dropped", "drop", "dropping",
    "declining", "decline", "declined", "decreased", "decreasing", "sinking", "down",
];

/// Words that make the cost of a thing the matter, where its name does not.
pub(in super::super) const COSTLY_EN: &[&str] = &[
    "expensive", "pricey", "cost", "costs", "overspend", "overspends", "exceed", "exceeds", "exceeded", "over", "cheap", "high", "rising",
];

/// English verbs of hiring in front of the people that are the matter: "hiring senior engineers".
pub(in super::super) const HIRING_EN: &[&str] = &[
    "hiring", "recruiting", "finding", "retaining", "attracting", "keeping", "training",
];

/// Endings of English words that are hardly ever names, and names that have them nevertheless.
pub(in super::super) const COMMON_ENDINGS_EN: &[&str] = &[
    "ment", "tion", "sion", "ness", "ity", "ance", "ence", "ship", "ism", "age", "ing", "ure", "ers", "ees",
    "ents", "ants", "ices", "ists", "ings", "ments", "tions", "ities", "ances", "ences", "ages", "ures", "oyees",
    "ables",
];

/// Names with the endings of common words.
pub(in super::super) const NAMES_EN: &[&str] = &[
    "beijing", "nanjing", "boeing", "ising", "lessing", "trinity", "france", "florence", "provence", "carnegie",
];

/// English words that begin a predicate wherever they stand behind the subject.
pub(in super::super) const AUXILIARIES_EN: &[&str] = &[
    "is", "am", "are", "was", "were", "has", "have", "had", "can", "can't", "cannot", "could", "couldn't", "will", "won't",
    "would", "wouldn't", "should", "shouldn't", "isn't", "aren't", "wasn't", "weren't", "hasn't", "haven't", "does",
    "doesn't", "do", "don't", "did", "didn't", "must", "might", "may",
];

/// English adverbs, adjectives and the like that begin a predicate behind an auxiliary and a subject.
pub(in super::super) const PREDICATE_EN: &[&str] = &[
    "so", "too", "always", "still", "often", "never", "not", "again", "being", "getting", "such", "usually", "rarely",
    "constantly", "suddenly", "already", "even", "just", "only", "also", "sometimes", "seldom", "frequently",
    "repeatedly", "slow", "late", "low", "high", "expensive", "hard", "difficult", "poor", "bad", "weak", "unstable",
    "flaky", "down", "up", "blue", "important", "popular", "successful", "broken", "behind", "over", "unhappy",
    "good", "better", "worse", "more", "less", "stuck", "unable", "overdue", "scarce", "rare", "common", "unreliable",
    "a", "an", "the", "no", "all", "failing", "falling", "rising", "declining", "growing", "losing", "leaving",
    "dropping", "increasing", "shrinking", "slipping", "crashing", "breaking", "taking", "stalling", "struggling",
    "missing", "spending", "burning", "quitting", "been", "become", "lost", "kept", "gotten", "fallen", "risen",
    "grown", "failed", "dropped",
    "gone", "hacked", "delayed", "empty", "full", "tired", "happy", "red", "green", "salty", "hot", "cold", "dying",
    "red", "red-faced", "ageing", "aging", "underpaid", "understaffed", "ignored", "rejected", "low-paid",
    "inconsistent", "incomplete", "inaccurate", "ineffective", "inefficient", "overrun", "insecure", "vulnerable",
    "wrong",
    "taken", "made", "come", "done", "seen", "caught", "spread", "begun", "driven", "given", "known", "shown",
    "written", "found", "held", "led",
    "left", "met", "paid", "put", "said", "sent", "set", "sold", "spent", "stood", "taught", "told", "thought",
    "understood", "won", "worn", "got",
    "had", "cut", "hit", "built", "bought", "brought", "stopped", "useless", "boring", "ugly", "unclear", "unfair",
    "unsafe", "dangerous", "noisy",
    "messy", "confusing", "complicated", "complex", "toxic", "dead", "sick", "ill", "fat", "thin", "rich", "cheap",
    "short", "long", "small", "big",
    "large", "strong", "early", "fast", "quiet", "loud", "dirty", "cloudy", "wet", "dry", "dark", "bright", "sweet",
    "bitter", "sour", "angry",
    "afraid", "scared", "reluctant", "willing", "likely", "unlikely", "unpopular", "invisible", "irrelevant",
    "outdated", "obsolete", "overworked",
    "lonely", "bored", "addicted", "obsessed", "demotivated", "disengaged", "underfunded", "underrated", "overrated",
    "overpriced", "below", "above",
    "resistant", "opposed", "interested", "uninterested", "different", "similar", "worth", "effective",
    "efficient", "here", "there", "yet", "ready", "unprepared", "banned", "blocked",
];

/// English finite verbs that are hardly ever nouns: with them a sentence without "why" has a predicate.
pub(in super::super) const FINITE_EN: &[&str] = &[
    "fails", "keeps", "takes", "breaks", "loses", "stops", "goes", "remains", "lacks", "stays", "seems", "gets",
    "makes", "becomes", "keep", "lose", "leave", "quit", "fell", "dropped", "failed", "grew", "lost", "broke",
    "slipped", "declined", "crashed", "stalled", "rose", "missed", "exceeded", "lags", "struggle", "struggles",
    "suffers",
    "throws", "doubled", "tripled", "halved", "refuses", "complain", "arrives", "arrive", "refuse", "forget", "ignore",
];

/// English words with which a clause goes on behind the verb; the word in front of them is taken for the verb.
pub(in super::super) const FUNCTION_EN: &[&str] = &[
    "at", "in", "on", "to", "for", "from", "with", "without", "after", "before", "during", "when", "while", "if",
    "than", "like", "as", "by", "into", "over", "under", "because", "and", "but", "about", "their", "our", "its",
    "every", "each", "so", "too", "the", "a", "an", "until", "of", "despite", "out", "off", "up", "down", "away",
    "back", "faster", "slower",
];

/// Words at which a cut English subject must not end.
pub(in super::super) const DANGLING_EN: &[&str] = &[
    "of", "in", "on", "at", "for", "to", "and", "or", "the", "a", "an", "with", "from", "by", "as", "our", "their",
    "its", "that", "which", "is", "are", "my", "your", "into", "than", "very", "more", "who", "when",
];

/// Words that alone are no matter, beside determiners, prepositions, auxiliaries and pronouns.
pub(in super::super) const EMPTY_EN: &[&str] = &[
    "and", "or", "not", "so", "but", "if", "why", "how", "what", "who", "as", "yes", "ok", "then",
];

/// Contractions as they are typed without their apostrophe.
pub(in super::super) const CONTRACTIONS_EN: &[(&str, &str)] = &[
    ("dont", "don't"), ("doesnt", "doesn't"), ("didnt", "didn't"), ("isnt", "isn't"), ("arent", "aren't"),
    ("wasnt", "wasn't"), ("werent", "weren't"), ("hasnt", "hasn't"), ("havent", "haven't"), ("cant", "can't"),
    ("couldnt", "couldn't"), ("wont", "won't"), ("wouldnt", "wouldn't"), ("shouldnt", "shouldn't"), ("im", "I'm"),
];

/// What asks for that which keeps somebody "from doing" something.
pub(in super::super) const HINDERS_EN: &[&str] = &[
    "what's stopping", "whats stopping", "what is stopping", "what stops", "what's preventing", "whats preventing",
    "what is preventing", "what prevents", "what's keeping", "whats keeping", "what is keeping", "what keeps",
    "what's holding back", "whats holding back", "what is holding back", "what holds back", "what discourages",
];

/// Units of measure that belong to the predicate: "3 years late".
pub(in super::super) const UNITS_EN: &[&str] = &[
    "year", "years", "month", "months", "week", "weeks", "day", "days", "hour", "hours", "minute", "minutes", "times",
    "percent", "points", "degrees", "kg", "km", "miles", "x",
];

/// English nouns of what happened once and for all, where "of" follows.
pub(in super::super) const ONCE_EN: &[&str] = &[
    "failure", "collapse", "fall", "bankruptcy", "demise", "downfall", "crash", "breakup", "explosion", "disaster",
    "scandal", "defeat", "death", "sinking", "loss",
];

/// English words behind "has" and "have" that are no participles of it: there it is the verb itself.
pub(in super::super) const HAD_EN: &[&str] = &[
    "more", "less", "fewer", "so", "such", "too", "higher", "lower", "better", "worse", "trouble", "problems", "low",
    "high", "poor", "bad", "good", "little", "much", "few", "several", "only", "one", "two", "three", "difficulty",
    "weak", "to", "longer", "bigger", "smaller", "frequent", "nothing", "nobody",
    "everything", "most", "something", "anything", "things", "their", "everyone", "it",
];

/// Ends of English adjectives.
pub(in super::super) const ADJECTIVE_ENDINGS_EN: &[&str] = &[
    "ible", "able", "ful", "less", "ous", "ive", "ing", "ed", "ant",
];

/// Past tenses with which a clause without "why" may go on, and their verbs.
pub(in super::super) const PAST_EN: &[(&str, &str)] = &[
    ("fell", "fall"), ("dropped", "drop"), ("failed", "fail"), ("grew", "grow"), ("lost", "lose"),
    ("broke", "break"), ("slipped", "slip"), ("declined", "decline"), ("crashed", "crash"), ("stalled", "stall"),
    ("rose", "rise"), ("went", "go"), ("doubled", "double"), ("tripled", "triple"), ("halved", "halve"),
    ("increased", "increase"), ("decreased", "decrease"), ("stopped", "stop"), ("jumped", "jump"),
    ("shrank", "shrink"), ("collapsed", "collapse"), ("started", "start"), ("spiked", "spike"), ("slowed", "slow"),
    ("plummeted", "plummet"), ("surged", "surge"), ("climbed", "climb"), ("ended", "end"), ("exploded", "explode"),
    ("quit", "quit"), ("left", "leave"), ("came", "come"), ("sank", "sink"), ("dipped", "dip"), ("soared", "soar"),
    ("missed", "miss"), ("exceeded", "exceed"), ("worsened", "worsen"), ("improved", "improve"),
    ("expired", "expire"), ("leaked", "leak"), ("disappeared", "disappear"), ("vanished", "vanish"),
    ("got", "get"), ("took", "take"), ("gave", "give"), ("ran", "run"), ("forgot", "forget"), ("stole", "steal"),
    ("chose", "choose"), ("wrote", "write"), ("began", "begin"), ("drove", "drive"), ("ate", "eat"),
    ("threw", "throw"), ("saw", "see"), ("knew", "know"), ("wore", "wear"), ("hid", "hide"), ("won", "win"),
    ("felt", "feel"), ("kept", "keep"), ("became", "become"),
];

/// Those of them that are never participles: an object may follow.
pub(in super::super) const PLAIN_PAST_EN: &[&str] = &[
    "fell", "grew", "broke", "rose", "went", "shrank", "came", "sank", "got", "took", "gave", "ran", "forgot", "stole",
    "chose", "wrote", "began", "drove", "ate", "threw", "saw", "knew", "wore", "hid", "became",
];

/// English nouns that are the trouble itself, with the article that a bare singular needs.
pub(in super::super) const TROUBLE_EN: &[(&str, &str)] = &[
    ("misuse", ""), ("abuse", ""),
    ("stockouts", ""),
    ("rework", ""), ("overload", ""), ("fatigue", ""), ("stress", ""), ("dropout", ""), ("dropouts", ""),
    ("injuries", ""),
    ("violence", ""), ("corruption", ""), ("misinformation", ""), ("mistakes", ""), ("spikes", ""), ("resistance", ""),
    ("stagnation", ""), ("addiction", ""), ("dissatisfaction", ""), ("overtime", ""), ("deaths", ""), ("recalls", ""),
    ("shortage", "a"), ("shortages", ""), ("lack", "a"), ("delay", "a"), ("delays", ""), ("failure", "a"),
    ("failures", ""), ("crash", "a"), ("crashes", ""), ("outage", "an"), ("outages", ""), ("bug", "a"), ("bugs", ""),
    ("error", "an"), ("errors", ""), ("defects", ""), ("incidents", ""), ("decline", "a"), ("drop", "a"),
    ("loss", "a"), ("losses", ""), ("increase", "an"), ("rise", "a"), ("spike", "a"), ("fall", "a"), ("turnover", ""),
    ("attrition", ""), ("churn", ""), ("burnout", ""), ("overruns", ""), ("overrun", "an"), ("inflation", ""),
    ("pollution", ""), ("congestion", ""), ("debt", ""), ("breach", "a"), ("breaches", ""), ("leak", "a"),
    ("leaks", ""), ("attacks", ""), ("fraud", ""), ("gap", "a"), ("gaps", ""), ("inequality", ""), ("poverty", ""),
    ("obesity", ""), ("waste", ""), ("crisis", "a"), ("conflict", ""), ("conflicts", ""), ("complaints", ""),
    ("accidents", ""), ("hallucination", ""), ("bias", ""), ("drift", ""), ("issues", ""), ("problems", ""),
    ("challenges", ""), ("barriers", ""), ("falls", ""), ("hallucinations", ""),
    ("silos", ""), ("underrepresentation", ""), ("underfunding", ""), ("hesitancy", ""), ("overfishing", ""), ("deforestation", ""), ("neglect", ""), ("mistrust", ""), ("distrust", ""), ("disengagement", ""), ("gentrification", ""), ("absenteeism", ""), ("unemployment", ""), ("loneliness", ""), ("timeouts", ""), ("downtime", ""),
    ("backlog", "a"), ("layoffs", ""), ("insomnia", ""), ("vulnerabilities", ""), ("homelessness", ""),
];

/// English adjectives that make trouble of what follows: "low test coverage".
pub(in super::super) const TROUBLED_EN: &[&str] = &[
    "high", "low", "poor", "slow", "rising", "declining", "falling", "shrinking", "weak", "bad", "increasing", "late",
    "frequent", "excessive", "growing", "stagnant", "stagnating", "inconsistent", "missed", "failed", "failing",
    "flaky", "aging", "ageing",
    "recurring", "repeated", "insufficient", "inadequate", "unclear", "outdated", "chronic", "persistent",
    "constant", "unfair", "unreliable",
    "inefficient", "ineffective", "limited", "wasteful", "dangerous", "delayed", "overcrowded", "wrong", "missing",
    "broken", "incorrect",
    "incomplete", "uneven", "unequal", "unexpected", "sudden", "poorly", "badly", "constantly", "underperforming",
    "unhappy", "dissatisfied",
    "disengaged", "unnecessary", "unsafe", "negative", "stalled", "lost", "toxic", "wasted", "lengthy", "unstable",
    "unpaid", "understaffed",
    "inaccurate", "duplicate", "careless", "frequently", "rampant", "widespread", "deteriorating", "dwindling",
    "plummeting", "soaring",
    "skyrocketing", "unused", "abandoned",
];

/// English countable nouns that need an article where they stand alone.
pub(in super::super) const COUNTABLE_EN: &[&str] = &[
    "system", "pipeline", "page", "process", "app", "service", "website", "site", "server", "database", "team",
    "company", "project", "product", "model", "platform", "rate", "school", "hospital", "government", "city",
    "economy", "tax", "factory", "machine", "engine", "store", "shop", "restaurant", "department", "program",
    "programme", "network", "cluster", "meeting", "api", "build", "release", "launch", "portal", "plant", "line",
    "bank", "warehouse", "library", "industry", "market", "startup", "class", "course", "clinic", "form", "button",
    "queue", "layout", "rating", "score", "ratio", "level", "workflow",
    "chatbot", "printer", "camera", "phone", "laptop", "robot", "vehicle", "elevator", "lift", "tool", "plan",
    "feature", "dashboard", "screen",
    "vendor", "supplier", "car", "train", "bus", "bridge", "road", "building", "office", "device", "sensor",
    "battery", "motor", "pump", "valve",
    "oven", "fridge", "dishwasher", "router", "modem", "browser", "script", "report", "survey", "campaign", "ad",
    "newsletter",
    "podcast", "channel", "bakery", "gym", "hotel", "airport", "station", "kitchen", "bathroom", "roof", "boiler",
    "heater", "bot", "agent",
    "assistant", "classifier", "algorithm", "backup", "deployment", "rollout", "pilot", "trial",
];

/// Words that already determine an English noun.
pub(in super::super) const DETERMINERS_EN: &[&str] = &[
    "the", "a", "an", "our", "my", "your", "their", "his", "her", "its", "this", "that", "these", "those", "some",
    "any", "many", "most", "each", "every", "no", "all",
];

/// Prepositions behind which an English noun phrase only goes on.
pub(in super::super) const PREPOSITIONS_EN: &[&str] = &[
    "of", "in", "for", "at", "on", "to", "among", "between", "with", "from", "after", "before", "during", "under",
    "by", "across", "within", "since", "without", "around", "about", "against", "into", "through", "per", "when",
    "where", "last",
    "near", "towards", "toward", "inside", "outside", "onto", "along", "via",
];

/// Words that name a cost.
pub(in super::super) const COST_WORDS_EN: &[&str] = &[
    "cost", "costs", "price", "prices", "pricing", "budget", "budgets", "spend", "spending", "expense", "expenses",
    "bill", "bills", "rent", "rents", "fee", "fees", "tuition",
];

/// English words that ask for what makes something so.
pub(in super::super) const MAKES_EN: &[&str] = &[
    "what makes", "what made", "what is making", "what's making", "whats making",
];

/// Openings of an English query that ask for a way to do something.
pub(in super::super) const HOW_EN: &[&str] = &[
    "how to", "how do we", "how can we", "how do i", "how can i", "how should we", "how might we", "ways to",
    "how does one",
];

/// The same, asked about somebody: "how can hospitals reduce errors".
pub(in super::super) const ASKING_HOW_EN: &[&str] = &[
    "how can", "how could", "how do", "how does", "how should", "how might", "how would", "how will", "how did",
];

/// English verbs whose object is the matter: "improve retention" is about retention.
pub(in super::super) const IMPROVE_EN: &[&str] = &[
    "improve", "increase", "reduce", "fix", "solve", "prevent", "avoid", "decrease", "boost", "raise", "lower",
    "speed up", "overcome", "address", "optimize", "optimise", "handle", "accelerate", "stop", "get rid of",
    "deal with", "manage", "cut down on", "strengthen", "enhance",
];

/// English verbs that double their last letter before -ing.
pub(in super::super) const DOUBLING_EN: &[&str] = &[
    "run", "get", "sit", "stop", "plan", "forget", "quit", "begin", "hit", "cut", "put", "set", "swim", "ship", "drop",
    "win", "slip", "skip", "chat", "cancel", "travel", "label", "control", "prefer", "refer", "occur", "admit", "commit",
    "submit", "permit", "regret", "equip", "rebel", "signal", "fuel", "transfer", "defer",
];

/// English adverbs and auxiliaries in front of the verb that a person asks about.
pub(in super::super) const BEFORE_VERB_EN: &[&str] = &[
    "always", "still", "often", "never", "not", "constantly", "usually", "just", "even", "repeatedly", "keep", "so",
    "too",
    "all", "both", "mostly",
];

/// English adverbs that end a subject wherever they stand; words in -ly beside them, but for these nouns and adjectives.
pub(in super::super) const ADVERBS_EN: &[&str] = &[
    "so", "too", "always", "still", "often", "never", "not", "again", "already", "even", "just", "only", "also",
    "sometimes", "seldom", "such",
];

/// English words in -ly that are no adverbs.
pub(in super::super) const NOT_ADVERBS_EN: &[&str] = &[
    "family", "supply", "assembly", "italy", "monthly", "weekly", "daily", "early", "elderly", "friendly", "likely",
    "anomaly", "monopoly", "july", "lonely", "costly", "quarterly", "hourly", "yearly", "reply",
    "apply", "rely", "comply", "imply", "multiply", "bully", "rally", "ally", "tally", "belly", "bubbly", "curly",
    "ugly", "silly", "holy", "jelly",
];

/// English words in -ing that are nouns within a subject.
pub(in super::super) const NOUNS_IN_ING_EN: &[&str] = &[
    "onboarding", "hiring", "training", "testing", "learning", "teaching", "marketing", "building", "engineering",
    "funding", "pricing", "housing", "meeting", "planning", "reporting", "manufacturing", "banking", "billing",
    "recycling", "nursing", "computing", "spending", "waiting", "processing", "shipping", "packaging", "parking",
    "charging", "trading", "lending", "mining", "farming", "scheduling", "monitoring", "writing", "reading",
    "morning", "evening", "spring", "king", "thing", "string", "ring", "fishing", "nothing", "everything",
    "something", "anything", "being", "spelling", "cooking", "cleaning", "tutoring", "mentoring", "living", "working", "shopping", "advertising",
];

/// English subjects that are only a word for a person or thing: the whole clause is the matter.
pub(in super::super) const PRONOUNS_EN: &[&str] = &[
    "we", "us", "i", "me", "they", "he", "she", "you", "it", "this", "that", "these", "there", "everyone", "everybody",
    "anyone", "anybody", "someone", "somebody", "nobody", "things",
];

/// Verbs that only tell who says or sees what the matter is.
pub(in super::super) const REPORTING_EN: &[&str] = &[
    "say", "says", "said", "report", "reports", "reported", "reporting", "complain", "complains", "complained",
    "complaining", "claim", "claims", "claimed", "notice", "noticed", "found", "find", "observe", "observed", "mention",
    "mentioned", "seems", "shows", "tells", "told", "heard", "saying",
];

/// What one thing does to another, which is neither good nor bad.
pub(in super::super) const EFFECTS_EN: &[&str] = &["effect", "effects", "impact", "impacts", "influence"];

/// Where a clause that is too long may end.
pub(in super::super) const JOINING_EN: &[&str] = &[
    "whenever", "because", "when", "while", "after", "before", "since", "and", "but", "so", "if", "although", "though",
    "despite", "which", "until", "unless", "for", "in", "on", "at", "during", "with", "without", "from", "by",
];

/// What works or fails as a thing, whoever uses it.
pub(in super::super) const TECHNICAL_EN: &[&str] = &[
    "app", "suite", "system", "platform", "tool", "battery", "update", "server", "database", "api", "website", "site", "page", "pipeline", "ci", "build",
    "checkout", "login", "printer", "elevator", "lift", "internet", "software", "code", "query", "queries", "sync", "network", "wifi",
    "wi-fi", "router", "laptop", "phone", "screen", "camera", "sensor", "machine", "engine", "pump", "heating", "heater",
    "boiler", "oven", "fridge", "dishwasher", "lights", "search", "feature", "kubernetes", "cluster", "container",
    "cache", "memory", "cpu", "gpu", "disk", "backup", "deploy", "deployment", "release", "test", "model", "chatbot",
    "bot", "algorithm", "firmware", "browser", "endpoint", "latency", "microservice", "service", "queue", "script",
    "dashboard", "pod", "car", "motor", "valve", "pressure", "import", "export", "upload", "download", "notification", "bluetooth", "charger", "plugin",
];

/// What people like, want or believe.
pub(in super::super) const OPINION_EN: &[&str] = &[
    "like", "hate", "love", "trust", "distrust", "mistrust", "believe", "want", "prefer", "think", "feel", "fear",
    "support", "oppose", "vote", "dislike", "enjoy", "resist", "worry", "doubt", "care", "afraid", "scared", "reluctant",
    "suspicious", "interested", "obsessed", "addicted", "skeptical", "sceptical", "hesitant", "refuse", "choose",
];

/// Past tenses beside those that tell a clause, for a verb behind "did".
pub(in super::super) const IRREGULAR_EN: &[(&str, &str)] = &[
    ("made", "make"), ("found", "find"), ("had", "have"), ("did", "do"), ("led", "lead"), ("met", "meet"), ("paid", "pay"),
    ("put", "put"), ("cut", "cut"), ("hit", "hit"), ("set", "set"), ("let", "let"), ("hurt", "hurt"), ("cost", "cost"),
    ("beat", "beat"), ("bet", "bet"), ("shut", "shut"), ("spread", "spread"), ("read", "read"), ("said", "say"),
    ("sent", "send"), ("sold", "sell"), ("spent", "spend"), ("stood", "stand"), ("taught", "teach"), ("told", "tell"),
    ("thought", "think"), ("understood", "understand"), ("brought", "bring"), ("bought", "buy"), ("built", "build"),
    ("caught", "catch"), ("fought", "fight"), ("held", "hold"), ("heard", "hear"), ("meant", "mean"), ("slept", "sleep"),
    ("swept", "sweep"), ("shot", "shoot"), ("struck", "strike"), ("stuck", "stick"), ("sought", "seek"), ("dealt", "deal"),
    ("drew", "draw"), ("flew", "fly"), ("froze", "freeze"), ("overtook", "overtake"), ("overran", "overrun"),
    ("overcame", "overcome"), ("spoke", "speak"), ("swore", "swear"), ("tore", "tear"), ("withdrew", "withdraw"),
    ("sang", "sing"), ("rang", "ring"), ("swam", "swim"), ("spun", "spin"), ("shook", "shake"), ("bent", "bend"),
    ("lent", "lend"), ("lit", "light"), ("laid", "lay"), ("lay", "lie"), ("rode", "ride"), ("woke", "wake"),
    ("bore", "bear"), ("bit", "bite"), ("blew", "blow"), ("bled", "bleed"), ("fed", "feed"), ("fled", "flee"),
    ("dug", "dig"), ("hung", "hang"), ("sat", "sit"), ("split", "split"), ("burst", "burst"), ("broadcast", "broadcast"),
    ("misunderstood", "misunderstand"), ("underpaid", "underpay"), ("overspent", "overspend"), ("rebuilt", "rebuild"),
    ("forgave", "forgive"), ("forbade", "forbid"), ("arose", "arise"), ("bid", "bid"), ("bound", "bind"),
];

/// Words of a predicate that is about coming into use.
pub(in super::super) const SPREADING_EN: &[&str] = &[
    "off", "adopt", "adopted", "mainstream", "popular", "widespread", "spread", "spreading",
];

/// Words that open a sentence with what only goes with its clause.
pub(in super::super) const OPENINGS_EN: &[&str] = &[
    "since", "after", "before", "when", "whenever", "if", "while", "during", "in", "on", "at", "every", "despite",
    "although", "with", "for", "as",
];

/// People who are not ours, though we call them so.
pub(in super::super) const OUTSIDERS_EN: &[&str] = &[
    "customers", "users", "clients", "subscribers", "visitors", "students", "patients", "kids", "children", "suppliers", "supplier", "vendor", "competitor", "competitors", "customer",
];

/// What something may be, said of a noun without a verb: "sales down 20%".
pub(in super::super) const STATES_EN: &[&str] = &["down", "stuck", "offline", "unable", "overdue", "unavailable", "unresponsive"];

/// What nature loses is our affair.
pub(in super::super) const LOST_EN: &[&str] = &[
    "dying", "die", "declining", "decline", "disappearing", "disappear", "vanishing", "shrinking", "melting", "extinct",
    "endangered", "bleaching", "retreating",
];

/// Words that count, and take no article in front of "of".
pub(in super::super) const NUMBERS_EN: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "half", "both", "none", "neither", "most",
    "many", "few", "several", "part", "much",
];

/// How fast something may be done.
pub(in super::super) const PACES_EN: &[&str] = &[
    "fast", "much", "many", "hard", "often", "long", "far", "badly", "well", "high", "low", "loud", "late", "early", "little",
];

/// What time is taken by: "wait times".
pub(in super::super) const DURATIONS_EN: &[&str] = &[
    "wait", "waiting", "lead", "response", "loading", "load", "delivery", "cycle", "processing", "turnaround", "queue",
    "build", "travel", "commute", "resolution",
];

/// What sells or earns, rather than who buys: it alone may be asked about.
pub(in super::super) const FIGURES_EN: &[&str] = &[
    "sales", "revenue", "revenues", "profit", "profits", "demand", "exports", "margin", "margins", "share", "retention",
    "subscriptions", "sign-ups", "signups", "growth", "market",
];
