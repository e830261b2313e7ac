//! Links the functions without their symbols, 3 MB of each.
//!
//! `strip` of the profile does not do it: cargo forgets it for a package that has an `opt-level` of its own.

use std::env::var;

fn main() {
    let is = |name: &str, value: &str| var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "release") && is("CARGO_CFG_TARGET_OS", "linux") {
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-all");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
