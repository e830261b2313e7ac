//! A model as a flat program over numbered registers: what [`crate::compile`] makes and [`crate::run`] computes.

use crate::grid::Grid;
use crate::model::Graphical;
use crate::problem::Problem;
use serde::Serialize;
use std::ops::Range;

/// A place in the memory of a run.
pub(crate) type Register = u32;

/// A compiled model.
#[derive(Debug, Clone)]
pub struct Program {
    /// The points of time.
    pub grid: Grid,
    /// The model's variables in its own order.
    pub columns: Vec<Column>,
    /// What could be better; nothing of level error.
    pub advice: Vec<Problem>,
    /// What every register holds before the run.
    pub(crate) memory: Vec<f64>,
    /// How many registers, from the first on, are integrated: hidden stages, then stocks.
    pub(crate) states: usize,
    /// The registers of one row: the stocks and the variables that change.
    pub(crate) row: Range<usize>,
    /// The first of the registers that hold the rates of change of the states, in the states' order.
    pub(crate) rates: usize,
    /// The register of TIME.
    pub(crate) time: Register,
    /// The initial pass.
    pub(crate) initial: Code,
    /// A step: auxiliaries and flows in topological order, then rates of change and the inputs of rings.
    pub(crate) step: Code,
    /// How many instructions of a step give auxiliaries and flows.
    pub(crate) values: usize,
    /// Graphical functions.
    pub(crate) tables: Vec<Graphical>,
    /// Values that come back later: DELAY, PREVIOUS.
    pub(crate) rings: Vec<Ring>,
    /// Call sites of random functions.
    pub(crate) draws: Vec<Draw>,
    /// The rate of change of each stock that has flows: its register, and those of what comes in and what goes out.
    pub(crate) nets: Vec<[Register; 3]>,
    /// The stocks that are non-negative, or have outflows.
    pub(crate) basins: Vec<Basin>,
    /// The columns that change, in the order in which they are computed.
    pub(crate) order: Vec<u32>,
}

/// A variable of the model in the results.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ColumnKind,
    /// Its unit; empty where unknown.
    pub unit: String,
    /// Where it stands in our document; empty for other sources.
    pub pointer: String,
    /// Where its values are.
    pub(crate) place: Place,
}

/// What a variable is, for ordering the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// An accumulation.
    Stock,
    /// A rate between stocks.
    Flow,
    /// Anything else.
    Auxiliary,
}

/// Where the values of a variable are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Place {
    /// It never changes.
    Constant(f64),
    /// The index in each row.
    Row(u32),
}

/// Instructions, and whose they are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// The column whose equation the instructions before each index come from, ascending.
    pub(crate) owners: Vec<(u32, u32)>,
}

impl Code {
    /// The column whose equation instruction `at` comes from.
    pub(crate) fn owner(&self, at: usize) -> u32 {
        let next = self.owners.partition_point(|&(end, _)| end as usize <= at);
        self.owners.get(next).map_or(0, |&(_, owner)| owner)
    }
}

/// One instruction. `d` is the register of the result, `a` and `b` those of the operands. Functions with three or
/// more operands take them from `a` on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Op {
    Copy {
        d: Register,
        a: Register,
    },
    Negate {
        d: Register,
        a: Register,
    },
    Not {
        d: Register,
        a: Register,
    },
    Add {
        d: Register,
        a: Register,
        b: Register,
    },
    Subtract {
        d: Register,
        a: Register,
        b: Register,
    },
    Multiply {
        d: Register,
        a: Register,
        b: Register,
    },
    Divide {
        d: Register,
        a: Register,
        b: Register,
    },
    Modulo {
        d: Register,
        a: Register,
        b: Register,
    },
    Power {
        d: Register,
        a: Register,
        b: Register,
    },
    Less {
        d: Register,
        a: Register,
        b: Register,
    },
    LessEqual {
        d: Register,
        a: Register,
        b: Register,
    },
    Equal {
        d: Register,
        a: Register,
        b: Register,
    },
    NotEqual {
        d: Register,
        a: Register,
        b: Register,
    },
    And {
        d: Register,
        a: Register,
        b: Register,
    },
    Or {
        d: Register,
        a: Register,
        b: Register,
    },
    Min {
        d: Register,
        a: Register,
        b: Register,
    },
    Max {
        d: Register,
        a: Register,
        b: Register,
    },
    /// Goes on after `otherwise` when `condition` is zero. When it is NaN, so is `d`, and the jump that stands
    /// before `otherwise` and leads behind both branches is taken.
    Branch {
        d: Register,
        condition: Register,
        otherwise: u32,
    },
    Jump {
        to: u32,
    },
    /// A function of one number.
    One {
        function: One,
        d: Register,
        a: Register,
    },
    /// A function of several numbers.
    Many {
        function: Many,
        d: Register,
        a: Register,
    },
    /// A function of several numbers that keeps its value of the step's start in the stages of RK4.
    Held {
        function: Held,
        d: Register,
        a: Register,
    },
    /// A graphical function.
    Lookup {
        d: Register,
        table: u32,
        a: Register,
    },
    /// `a / b`, the time of one of `b` stages; NaN when `a` is not positive.
    StageTime {
        d: Register,
        a: Register,
        b: Register,
    },
    /// Limits an outflow to what is available, and takes it from there.
    LimitOutflow {
        flow: Register,
        available: Register,
    },
    /// Limits a negative inflow to what is available, and takes it from there.
    LimitInflow {
        flow: Register,
        available: Register,
    },
    /// The value that a ring gives back.
    Ring {
        d: Register,
        ring: u32,
    },
    /// `d = a` when `condition` is true.
    Sample {
        d: Register,
        condition: Register,
        a: Register,
    },
    /// A random draw, one a step.
    Draw {
        d: Register,
        site: u32,
    },
}

impl Op {
    /// What it costs, in additions; measured roughly.
    pub(crate) fn cost(self) -> u64 {
        match self {
            Self::Power { .. } | Self::Many { .. } | Self::Held { .. } => 20,
            Self::One { .. } | Self::Modulo { .. } | Self::Lookup { .. } => 10,
            Self::Draw { .. } => 100,
            _ => 1,
        }
    }

    /// The same instruction over other registers.
    pub(crate) fn with_registers(self, f: impl Fn(Register) -> Register) -> Self {
        macro_rules! registers {
            ($($kind:ident { $($register:ident)* $(; $($other:ident)*)? })*) => {
                match self {
                    $(Self::$kind { $($register,)* $($($other),*)? } => Self::$kind { $($register: f($register),)* $($($other),*)? },)*
                }
            };
        }
        registers! {
            Copy { d a }
            Negate { d a }
            Not { d a }
            Add { d a b }
            Subtract { d a b }
            Multiply { d a b }
            Divide { d a b }
            Modulo { d a b }
            Power { d a b }
            Less { d a b }
            LessEqual { d a b }
            Equal { d a b }
            NotEqual { d a b }
            And { d a b }
            Or { d a b }
            Min { d a b }
            Max { d a b }
            Branch { d condition; otherwise }
            Jump { ; to }
            One { d a; function }
            Many { d a; function }
            Held { d a; function }
            Lookup { d a; table }
            StageTime { d a b }
            LimitOutflow { flow available }
            LimitInflow { flow available }
            Ring { d; ring }
            Sample { d condition a }
            Draw { d; site }
        }
    }
}

/// Functions of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum One {
    Abs,
    ArcCos,
    ArcSin,
    ArcTan,
    Cos,
    Exp,
    Floor,
    Ln,
    Log10,
    Sin,
    Sqrt,
    Tan,
    Truncate,
}

/// Functions of several numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Many {
    /// slope, start, end
    Ramp,
    /// a, b, value when b is zero
    SafeDivide,
    /// a, b, value when b is nearly zero (Vensim)
    NearSafeDivide,
    /// x, q
    Quantum,
    /// x, base
    Logarithm,
    /// x, b: the remainder has the sign of x (Vensim)
    Remainder,
    /// x, tau, average
    Trend,
    /// x, tau, horizon, average
    Forecast,
}

/// Functions of several numbers that are held in the stages of RK4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    /// height, time
    Step,
    /// magnitude, first, interval
    Pulse,
    /// start, width (Vensim)
    VensimPulse,
    /// start, width, between, end (Vensim)
    PulseTrain,
}

/// Values that come back after a number of steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ring {
    /// The register of what comes in.
    pub(crate) input: Register,
    /// The register of what comes out before anything came in.
    pub(crate) initial: Register,
    /// The register of the time that it takes; none: one step.
    pub(crate) time: Option<Register>,
    /// The column whose equation it comes from.
    pub(crate) owner: u32,
}

/// A call site of a random function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draw {
    pub(crate) distribution: Distribution,
    /// The first of the registers of its arguments.
    pub(crate) arguments: Register,
    /// How many there are.
    pub(crate) count: u32,
    /// The register of its seed, where one is given.
    pub(crate) seed: Option<Register>,
}

/// How random values are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Distribution {
    /// low, high
    Uniform,
    /// mean
    Exponential,
    /// mean, deviation
    Normal,
    /// mean, deviation of the variable itself
    LogNormal,
    /// mean
    Poisson,
    /// low, high, mean, deviation
    TruncatedNormal,
}

/// A stock that must not, or should not, fall below zero.
#[derive(Debug, Clone)]
pub(crate) struct Basin {
    /// Its register.
    pub(crate) state: Register,
    /// Its column.
    pub(crate) column: u32,
    /// The registers of the flows that fill it.
    pub(crate) inflows: Vec<Register>,
    /// The registers of the flows that drain it.
    pub(crate) outflows: Vec<Register>,
    /// What is done when it is negative after a step.
    pub(crate) keeps: Keeps,
}

/// What is done when a stock is negative after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeps {
    /// Nothing; it is said when its outflows did it.
    Nothing,
    /// What rounding left becomes zero.
    Dust,
    /// It becomes zero.
    Zero,
}
