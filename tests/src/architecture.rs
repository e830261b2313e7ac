//! The layering of the workspace, held against the table in docs/ARCHITECTURE.md, and the fence of pure crates.

use cargo_metadata::{Dependency, DependencyKind, Metadata, MetadataCommand, Package};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// Crates that do no I/O and have no clock, environment, randomness or async.
const PURE: [&str; 8] = [
    "meadow-access",
    "meadow-model",
    "meadow-validation",
    "meadow-dynamics",
    "meadow-interchange",
    "meadow-thinking",
    "meadow-notes",
    "meadow-papers",
];

/// What a pure crate may use from outside: hashing, searching, reading and describing values, nothing that acts.
/// unicode-normalization: a name in full-width letters (ＳＷＯＴ) is the same name; the tables of NFKC are no job of ours.
/// serde-saphyr: front matter is YAML that people write by hand; reading it with budgets is no job of ours either.
const ALLOWED_IN_PURE: [&str; 13] = [
    "crc32fast",
    "foldhash",
    "hashbrown",
    "memchr",
    "percent-encoding",
    "roxmltree",
    "serde",
    "serde-saphyr",
    "serde_json",
    "sha2",
    "subtle",
    "thiserror",
    "unicode-normalization",
];

/// Which crate may use which crates of the workspace.
type Edges = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn workspace() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata answers")
}

/// The rows of the table under `## Allowed edges`.
fn table(page: &str) -> Edges {
    let section = page.split_once("\n## Allowed edges\n").expect("the heading").1;
    let section = section.split_once("\n## ").map_or(section, |(before, _)| before);
    let rows = section
        .lines()
        .filter_map(|line| line.trim().strip_prefix('|')?.strip_suffix('|'));
    rows.skip(2)
        .map(|row| {
            let (name, uses) = row.split_once('|').expect("two columns");
            let uses = uses.split(',').map(str::trim).filter(|name| !name.is_empty());
            (name.trim().to_owned(), uses.map(str::to_owned).collect())
        })
        .collect()
}

/// The edges that are really there, those of tests and build scripts included; a crate's edge to itself is none.
fn edges(packages: &[Package]) -> Edges {
    let names: BTreeSet<_> = packages.iter().map(|package| package.name.to_string()).collect();
    let uses = |package: &Package| {
        let inner = package.dependencies.iter().filter(|d| names.contains(&d.name));
        inner
            .map(|d| d.name.clone())
            .filter(|name| package.name != *name)
            .collect()
    };
    packages.iter().map(|p| (p.name.to_string(), uses(p))).collect()
}

/// What `actual` has and `allowed` has not, each as a sentence with its repair.
fn breaches(allowed: &Edges, actual: &Edges) -> Vec<String> {
    let mut found = Vec::new();
    for (name, uses) in actual {
        let Some(may_use) = allowed.get(name) else {
            found.push(format!("{name} has no row in docs/ARCHITECTURE.md, add one"));
            continue;
        };
        let beyond = uses.difference(may_use);
        found.extend(beyond.map(|other| format!("{name} uses {other}, which its row in docs/ARCHITECTURE.md forbids")));
    }
    let gone = allowed.keys().filter(|name| !actual.contains_key(*name));
    found.extend(gone.map(|name| format!("there is no crate {name}, take its row out")));
    found
}

fn is_main(package: &Package) -> bool {
    package.targets.iter().any(|target| target.is_bin())
}

fn outer<'p>(package: &'p Package, inner: &Edges) -> impl Iterator<Item = &'p Dependency> {
    let normal = package
        .dependencies
        .iter()
        .filter(|d| d.kind != DependencyKind::Development);
    normal.filter(|d| !inner.contains_key(&d.name))
}

#[test]
fn crates_depend_as_the_table_says() {
    let page = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("the page");
    let found = breaches(&table(&page), &edges(&workspace().packages));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn nothing_depends_on_a_main() {
    let packages = workspace().packages;
    let mains: BTreeSet<_> = packages
        .iter()
        .filter(|p| is_main(p))
        .map(|p| p.name.to_string())
        .collect();
    assert!(mains.contains("meadow"), "{mains:?}");
    for (name, uses) in edges(&packages) {
        assert!(uses.is_disjoint(&mains), "{name} uses a main: {uses:?}");
    }
}

#[test]
fn pure_crates_use_nothing_that_acts() {
    let packages = workspace().packages;
    let inner = edges(&packages);
    for package in packages.iter().filter(|p| PURE.contains(&p.name.as_str())) {
        for dependency in outer(package, &inner) {
            assert!(
                ALLOWED_IN_PURE.contains(&dependency.name.as_str()),
                "{} uses {}: a pure crate may use {ALLOWED_IN_PURE:?}",
                package.name,
                dependency.name
            );
        }
        for used in &inner[package.name.as_str()] {
            assert!(PURE.contains(&used.as_str()), "{} is pure, {used} is not", package.name);
        }
    }
}

#[test]
fn pure_crates_stand_behind_one_fence() {
    let packages = workspace().packages;
    let fence = |name: &str| {
        let package = packages
            .iter()
            .find(|p| p.name == name)
            .expect("a crate of the workspace");
        let file = package.manifest_path.with_file_name("clippy.toml");
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"))
    };
    let first = fence(PURE[0]);
    let entries = first.matches("{ path = \"std::").count();
    assert!(entries >= 70, "the fence has only {entries} entries");
    for needed in [
        "std::collections::HashMap::new",
        "std::collections::HashSet::new",
        "std::collections::hash_map::RandomState",
        "std::env::args_os",
        "std::env::current_exe",
        "std::env::set_var",
        "std::env::temp_dir",
        "std::env::var",
        "std::env::var_os",
        "std::fs::File",
        "std::fs::copy",
        "std::fs::remove_dir_all",
        "std::fs::rename",
        "std::io::stderr",
        "std::io::stdin",
        "std::io::stdout",
        "std::net::TcpStream",
        "std::net::UdpSocket",
        "std::os::unix::net::UnixStream",
        "std::path::Path::exists",
        "std::path::Path::metadata",
        "std::process::Command",
        "std::sync::Mutex",
        "std::thread::Builder::spawn",
        "std::thread::scope",
        "std::thread::spawn",
        "std::time::Instant::now",
        "std::time::SystemTime::now",
    ] {
        assert!(
            first.contains(&format!("{{ path = \"{needed}\", reason = ")),
            "the fence lets {needed} through"
        );
    }
    for name in PURE {
        assert_eq!(fence(name), first, "the fence of {name} is another");
    }
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    for package in workspace().packages {
        let manifest = fs::read_to_string(&package.manifest_path).expect("its manifest");
        assert!(manifest.contains("[lints]\nworkspace = true"), "{}", package.name);
    }
}

#[test]
fn a_breach_is_named() {
    let page = "# A\n\n## Allowed edges\n\nwords\n\n| crate | may use |\n|---|---|\n| a | |\n| b | a, c |\n| d | a |\n\n## Next\n| e | f |\n";
    let actual = [("a", vec!["b"]), ("b", vec!["a"]), ("c", vec![])];
    let actual = actual.map(|(name, uses)| (name.to_owned(), uses.into_iter().map(str::to_owned).collect()));
    assert_eq!(
        breaches(&table(page), &Edges::from(actual)),
        [
            "a uses b, which its row in docs/ARCHITECTURE.md forbids",
            "c has no row in docs/ARCHITECTURE.md, add one",
            "there is no crate d, take its row out",
        ]
    );
}
