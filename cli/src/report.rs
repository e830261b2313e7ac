//! What commands write: lines for people, JSON for programs.

use crate::failure::Failure;
use meadow_dynamics::problem::{Level, Problem};
use serde::Serialize;
use std::fmt::{Display, Write as _};
use std::io::{self, Write as _};

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().write_all(text.as_bytes()) {
        // A reader that has seen enough, such as `head`, changes nothing.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::World(format!("standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a value as one line of JSON.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string(value).map_err(|error| Failure::World(error.to_string()))?;
    text.push('\n');
    print(&text)
}

/// Adds a line.
pub(crate) fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

/// Adds a heading and its items; nothing where there are none. Further lines of an item are indented.
pub(crate) fn section(out: &mut String, heading: &str, items: impl Iterator<Item = impl Display>) {
    let mut items = items.peekable();
    if items.peek().is_some() {
        line(out, format_args!("\n{heading}"));
    }
    for item in items {
        let item = item.to_string().replace('\n', "\n    ");
        line(out, format_args!("  {item}"));
    }
}

/// Adds problems by their weight.
pub(crate) fn problems(out: &mut String, problems: &[Problem]) {
    for (level, heading) in [
        (Level::Error, "Errors"),
        (Level::Warning, "Warnings"),
        (Level::Info, "Worth a look"),
    ] {
        let of_level = problems.iter().filter(|problem| problem.level == level);
        section(out, heading, of_level.map(one));
    }
}

/// A problem as a text of several lines.
pub(crate) fn one(problem: &Problem) -> String {
    let place = match problem.variable.as_str() {
        "" => String::new(),
        name => format!("{name}: "),
    };
    // An equation and the carets below it begin on a line of their own.
    let separator = if problem.message.contains('\n') { "\n" } else { "" };
    let place = if separator.is_empty() {
        place
    } else {
        place.trim_end().to_owned()
    };
    let then = if problem.message.ends_with('.') { " " } else { "; " };
    format!(
        "{place}{separator}{}{then}{} ({})",
        problem.message, problem.fix, problem.code
    )
}

/// Adds a table whose columns are as wide as they need to be; the last ones of a row may be missing. Columns of
/// numbers stand to the right.
pub(crate) fn table(out: &mut String, rows: &[Vec<String>], numbers: std::ops::Range<usize>) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let mut text = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let blanks = " ".repeat(width - cell.chars().count());
            text.push_str("  ");
            if numbers.contains(&column) {
                text.push_str(&blanks);
                text.push_str(cell);
            } else {
                text.push_str(cell);
                text.push_str(&blanks);
            }
        }
        line(out, format_args!("{}", text.trim_end()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_aligned() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let mut out = String::new();
        table(
            &mut out,
            &[
                row(&["name", "end", "how"]),
                row(&["水", "1.5", "growth"]),
                row(&["b", "100"]),
            ],
            1..2,
        );
        assert_eq!(out, "  name  end  how\n  水     1.5  growth\n  b     100\n");
    }

    #[test]
    fn what_has_carets_begins_on_a_line_of_its_own() {
        let mut problem = Problem::of_model("undefined-name", Level::Error, "2 * x\n    ^\n`x` is unknown", "add it");
        problem.variable = "f".into();
        let mut out = String::new();
        problems(&mut out, &[problem]);
        assert_eq!(
            out,
            "\nErrors\n  f:\n    2 * x\n        ^\n    `x` is unknown; add it (undefined-name)\n"
        );
    }
}
