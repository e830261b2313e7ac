//! A run as CSV: every saved step and every variable, in the shortest digits that give the same number.

use crate::numbers::{push_shortest, shortest};
use crate::program::{Place, Program};
use crate::run::{Limits, Outcome, each_row};
use std::io::{self, Write};
use std::ops::ControlFlow;

/// Runs a program and writes each saved row as it is computed: `time` first, then every variable in the model's
/// order. Fields are quoted as RFC 4180 says, lines end with a newline. A line end within a name is a blank, which is
/// the same name, so that each row is one line. Only the limit of operations counts.
///
/// # Errors
/// What writing to `out` failed with; the run ends there.
pub fn write(program: &Program, limits: &Limits, out: &mut impl Write) -> io::Result<Outcome> {
    let mut line = String::from("time");
    for column in &program.columns {
        line.push(',');
        push_field(&mut line, &column.name);
    }
    line.push('\n');
    out.write_all(line.as_bytes())?;

    let constants: Vec<String> = program
        .columns
        .iter()
        .map(|column| match column.place {
            Place::Constant(value) => shortest(value),
            Place::Row(_) => String::new(),
        })
        .collect();
    let mut written = Ok(());
    let outcome = each_row(program, limits, None, |row| {
        line.clear();
        push_shortest(&mut line, row.time);
        for (column, constant) in program.columns.iter().zip(&constants) {
            line.push(',');
            match column.place {
                Place::Constant(_) => line.push_str(constant),
                Place::Row(at) => push_shortest(&mut line, row.values[at as usize]),
            }
        }
        line.push('\n');
        written = out.write_all(line.as_bytes());
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    written?;
    out.flush()?;
    Ok(outcome)
}

/// A name as a field; in quotes where it holds a comma or a quote.
fn push_field(line: &mut String, name: &str) {
    let text = name.replace(char::is_control, " ");
    if text.contains([',', '"']) {
        line.push('"');
        line.push_str(&text.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(&text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;
    use crate::model::{Kind, Model, Specs, Variable};
    use proptest::prelude::*;

    fn program() -> Program {
        let variable = |name: &str, kind, equation: &str| Variable {
            name: name.to_owned(),
            kind,
            equation: Some(equation.to_owned()),
            ..Variable::default()
        };
        let stock = Kind::Stock {
            inflows: vec!["in, \"fast\"".to_owned()],
            outflows: Vec::new(),
            non_negative: false,
        };
        let model = Model {
            specs: Specs {
                stop: Some("0.3".to_owned()),
                dt: "0.1".to_owned(),
                save: Some("0.2".to_owned()),
                ..Specs::default()
            },
            variables: vec![
                variable("水", stock, "1"),
                variable("in, \"fast\"", Kind::Flow { uniflow: false }, "水 / 3"),
                variable("two\nlines", Kind::Auxiliary, "1 / 3"),
                variable("tiny", Kind::Auxiliary, "IF TIME > 0.15 THEN 1e-7 ELSE 1 / 0"),
            ],
            ..Model::default()
        };
        compile(&model).unwrap()
    }

    #[test]
    fn every_saved_step_and_every_variable_in_full() {
        let mut out = Vec::new();
        let outcome = write(&program(), &Limits::default(), &mut out).unwrap();
        assert!(outcome.complete);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "time,水,\"in, \"\"fast\"\"\",two lines,tiny\n\
             0,1,0.3333333333333333,0.3333333333333333,inf\n\
             0.2,1.067777777777778,0.355925925925926,0.3333333333333333,1e-7\n\
             0.3,1.1033703703703706,0.3677901234567902,0.3333333333333333,1e-7\n"
        );
    }

    #[test]
    fn a_writer_that_fails_ends_the_run() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let error = write(&program(), &Limits::default(), &mut Full(2)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }

    proptest! {
        #[test]
        fn numbers_come_back_as_they_were(value: f64) {
            let text = shortest(value);
            prop_assert!(!text.ends_with(".0"));
            prop_assert!(text.parse::<f64>().unwrap().to_bits() == value.to_bits() || value.is_nan());
        }
    }
}
