//! Registers laid out side by side, and the program as a whole.

use super::{BITS, CLASSES, Class, Emitter, Operand, register};
use crate::compile::order::{Limit, Schedule, Task};
use crate::grid::{Grid, Method};
use crate::model::Kind;
use crate::problem::Problem;
use crate::program::{Basin, Code, Column, ColumnKind, Keeps, Place, Program, Register};

impl Emitter<'_, '_> {
    /// Lays the registers out and makes the program.
    pub(super) fn finish(
        mut self,
        schedule: &Schedule,
        grid: Grid,
        codes: [Code; 2],
        values: usize,
    ) -> (Program, Vec<Problem>) {
        self.used[Class::Constant as usize] = self.constants.len() as u32;
        self.used[Class::Scratch as usize] = self.most_scratch;
        let mut first = [0; CLASSES];
        let mut size = 0;
        for (first, used) in first.iter_mut().zip(self.used) {
            *first = size;
            size += used;
        }
        let place = |r: Register| first[(r >> BITS) as usize] + (r & ((1 << BITS) - 1));
        let start_of = |class: Class| first[class as usize] as usize;

        let mut memory = vec![0.0; size as usize];
        for (&bits, &index) in &self.constants {
            memory[place(register(Class::Constant, index)) as usize] = f64::from_bits(bits);
        }
        let [initial, step] = codes.map(|mut code| {
            for op in &mut code.ops {
                *op = op.with_registers(place);
            }
            code
        });
        for ring in &mut self.rings {
            ring.input = place(ring.input);
            ring.initial = place(ring.initial);
            ring.time = ring.time.map(place);
        }
        for draw in &mut self.draws {
            draw.arguments = place(draw.arguments);
            draw.seed = draw.seed.map(place);
        }

        let row = start_of(Class::Stock)..start_of(Class::StageRate);
        let columns: Vec<Column> = self
            .resolved
            .variables
            .iter()
            .zip(&self.values)
            .map(|(variable, value)| Column {
                name: variable.name.clone(),
                kind: match variable.kind {
                    Kind::Stock { .. } => ColumnKind::Stock,
                    Kind::Flow { .. } => ColumnKind::Flow,
                    Kind::Auxiliary => ColumnKind::Auxiliary,
                },
                unit: variable.unit.clone(),
                pointer: variable.pointer.clone(),
                place: match *value {
                    Operand::Constant(value) => Place::Constant(value),
                    Operand::Register(r) => Place::Row(place(r) - row.start as u32),
                },
            })
            .collect();
        let basins = (0..columns.len())
            .filter_map(|v| self.basin(v, schedule.limits[v].as_ref(), &grid, place))
            .collect();
        for net in &mut self.nets {
            *net = net.map(place);
        }
        let stocks = (0..columns.len() as u32).filter(|v| columns[*v as usize].kind == ColumnKind::Stock);
        let others = schedule.tasks.iter().filter_map(|task| match task {
            Task::Evaluate(v) => Some(*v),
            Task::Settle(_) => None,
        });
        let order = stocks
            .chain(others)
            .filter(|v| matches!(columns[*v as usize].place, Place::Row(_)))
            .collect();
        let program = Program {
            nets: self.nets,
            basins,
            grid,
            order,
            columns,
            advice: Vec::new(),
            memory,
            states: start_of(Class::Variable),
            row,
            rates: start_of(Class::StageRate),
            time: place(self.time),
            initial,
            step,
            values,
            tables: self.resolved.tables.clone(),
            rings: self.rings,
            draws: self.draws,
        };
        (program, self.problems)
    }

    /// What is to be known of a stock that may fall below zero.
    fn basin(
        &self,
        v: usize,
        limit: Option<&Limit>,
        grid: &Grid,
        place: impl Fn(Register) -> Register,
    ) -> Option<Basin> {
        let ends = &self.resolved.ends[v];
        if limit.is_none() && ends.outflows.is_empty() {
            return None;
        }
        let value = |v: u32| match self.values[v as usize] {
            Operand::Register(r) => Some(place(r)),
            // A rate of change has needed it.
            Operand::Constant(x) => {
                let index = *self.constants.get(&x.to_bits())?;
                Some(place(register(Class::Constant, index)))
            }
        };
        Some(Basin {
            state: value(v as u32)?,
            column: v as u32,
            inflows: ends.inflows.iter().filter_map(|flow| value(*flow)).collect(),
            outflows: ends.outflows.iter().filter_map(|flow| value(*flow)).collect(),
            keeps: match limit {
                None => Keeps::Nothing,
                Some(limit) if limit.floor || grid.method == Method::Rk4 => Keeps::Zero,
                Some(_) => Keeps::Dust,
            },
        })
    }
}
