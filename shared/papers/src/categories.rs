//! arXiv's categories, those of old times included (arXiv's category taxonomy, and the archives it took in until 2007).

use crate::text::distance;

/// An archive and its subject classes. Without classes the archive is a category itself.
struct Archive {
    name: &'static str,
    /// Separated by spaces.
    classes: &'static str,
    /// Whether papers have the bare name, too: those from before there were classes.
    bare: bool,
    /// What Semantic Scholar calls its field.
    field: &'static str,
}

const fn archive(name: &'static str, classes: &'static str, bare: bool, field: &'static str) -> Archive {
    Archive {
        name,
        classes,
        bare,
        field,
    }
}

const CS: &str = "Computer Science";
const MATH: &str = "Mathematics";
const PHYSICS: &str = "Physics";

const ARCHIVES: &[Archive] = &[
    archive(
        "cs",
        "AI AR CC CE CG CL CR CV CY DB DC DL DM DS ET FL GL GR GT HC IR IT LG LO MA MM MS NA NE NI OH OS PF PL RO SC SD SE SI SY",
        false,
        CS,
    ),
    archive(
        "math",
        "AC AG AP AT CA CO CT CV DG DS FA GM GN GR GT HO IT KT LO MG MP NA NT OA OC PR QA RA RT SG SP ST",
        false,
        MATH,
    ),
    archive("stat", "AP CO ME ML OT TH", false, MATH),
    archive("econ", "EM GN TH", false, "Economics"),
    archive("eess", "AS IV SP SY", false, "Engineering"),
    archive("q-bio", "BM CB GN MN NC OT PE QM SC TO", true, "Biology"),
    archive("q-fin", "CP EC GN MF PM PR RM ST TR", false, "Economics"),
    archive(
        "physics",
        "acc-ph ao-ph app-ph atm-clus atom-ph bio-ph chem-ph class-ph comp-ph data-an ed-ph flu-dyn gen-ph geo-ph hist-ph ins-det med-ph optics plasm-ph pop-ph soc-ph space-ph",
        false,
        PHYSICS,
    ),
    archive("astro-ph", "CO EP GA HE IM SR", true, PHYSICS),
    archive(
        "cond-mat",
        "dis-nn mes-hall mtrl-sci other quant-gas soft stat-mech str-el supr-con",
        true,
        PHYSICS,
    ),
    archive("nlin", "AO CD CG PS SI", false, PHYSICS),
    archive("gr-qc", "", true, PHYSICS),
    archive("hep-ex", "", true, PHYSICS),
    archive("hep-lat", "", true, PHYSICS),
    archive("hep-ph", "", true, PHYSICS),
    archive("hep-th", "", true, PHYSICS),
    archive("math-ph", "", true, PHYSICS),
    archive("nucl-ex", "", true, PHYSICS),
    archive("nucl-th", "", true, PHYSICS),
    archive("quant-ph", "", true, PHYSICS),
    // Archives that were taken into others; their papers keep these names.
    archive("acc-phys", "", true, PHYSICS),
    archive("adap-org", "", true, PHYSICS),
    archive("alg-geom", "", true, MATH),
    archive("ao-sci", "", true, PHYSICS),
    archive("atom-ph", "", true, PHYSICS),
    archive("bayes-an", "", true, MATH),
    archive("chao-dyn", "", true, PHYSICS),
    archive("chem-ph", "", true, PHYSICS),
    archive("cmp-lg", "", true, CS),
    archive("comp-gas", "", true, PHYSICS),
    archive("dg-ga", "", true, MATH),
    archive("funct-an", "", true, MATH),
    archive("mtrl-th", "", true, PHYSICS),
    archive("patt-sol", "", true, PHYSICS),
    archive("plasm-ph", "", true, PHYSICS),
    archive("q-alg", "", true, MATH),
    archive("solv-int", "", true, PHYSICS),
    archive("supr-con", "", true, PHYSICS),
];

/// A category, or all of an archive.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Category(String);

impl Category {
    /// A category (`cs.AI`, `hep-th`), or all of an archive (`cs.*`, `cs`); in whatever case it is written.
    ///
    /// # Errors
    /// What it is not, with the nearest names.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let wanted = text.to_ascii_lowercase();
        if let Some(archive) = ARCHIVES.iter().find(|archive| archive.name == wanted) {
            let all = !archive.bare;
            return Ok(Self(format!("{}{}", archive.name, if all { ".*" } else { "" })));
        }
        let starred = wanted.strip_suffix(".*").or_else(|| wanted.strip_suffix('*'));
        if let Some(archive) = starred.and_then(|name| ARCHIVES.iter().find(|archive| archive.name == name)) {
            let dot = if archive.classes.is_empty() { "" } else { ".*" };
            return Ok(Self(format!("{}{dot}", archive.name)));
        }
        if let Some(name) = all().find(|name| name.eq_ignore_ascii_case(&wanted)) {
            return Ok(Self(name));
        }
        let mut near: Vec<_> = all()
            .map(|name| (distance(&name.to_ascii_lowercase(), &wanted), name))
            .collect();
        near.sort();
        let near: Vec<_> = near.into_iter().take(3).map(|(_, name)| name).collect();
        Err(format!(
            "{:?} is no category of arXiv; the nearest are {}; a whole archive is such as cs.*",
            crate::text::cut(text, 40),
            near.join(", ")
        ))
    }

    /// The name as arXiv's queries have it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The field of Semantic Scholar that it belongs to.
    #[must_use]
    pub fn field(&self) -> &'static str {
        let name = self.0.split('.').next().unwrap_or_default();
        let archive = ARCHIVES.iter().find(|archive| archive.name == name);
        archive.map_or(PHYSICS, |archive| archive.field)
    }
}

/// The names of all categories.
fn all() -> impl Iterator<Item = String> {
    ARCHIVES.iter().flat_map(|archive| {
        let classes = archive
            .classes
            .split_whitespace()
            .map(|class| format!("{}.{class}", archive.name));
        archive.bare.then(|| archive.name.to_owned()).into_iter().chain(classes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(Category::read(text).as_ref().map(Category::as_str), Ok(expected));
    }

    #[test]
    fn categories_old_and_new_are_known() {
        // 155 of today (arXiv's taxonomy), 18 archives of old, and the bare names of three.
        assert_eq!(all().count(), 155 + 18 + 3);
        for name in all() {
            check(&name, &name);
            check(&name.to_uppercase(), &name);
        }
        for (text, expected) in [
            ("cs", "cs.*"),
            ("cs.*", "cs.*"),
            ("math.*", "math.*"),
            ("hep-th.*", "hep-th"),
            ("astro-ph", "astro-ph"),
            ("astro-ph.*", "astro-ph.*"),
            (" CS.ai ", "cs.AI"),
            ("solv-int", "solv-int"),
            ("cmp-lg", "cmp-lg"),
        ] {
            check(text, expected);
        }
        assert_eq!(Category::read("cs.CL").unwrap().field(), "Computer Science");
        assert_eq!(Category::read("q-bio.*").unwrap().field(), "Biology");
    }

    #[test]
    fn others_are_refused_with_the_nearest() {
        for (text, near) in [
            ("cs.ZZ", "cs."),
            ("cs.A1", "cs.AI"),
            ("quant-phy", "quant-ph"),
            ("solve-int", "solv-int"),
            ("", "cs."),
        ] {
            let said = Category::read(text).unwrap_err();
            assert!(said.contains(near) && said.contains("no category"), "{said}");
        }
        for text in ["*", "*.AI", "cs.*.AI", "xx.*", "cs.AI OR cat:x", "机器学习"] {
            assert!(Category::read(text).is_err(), "{text}");
        }
    }
}
