//! Calls that remember something: their registers, their values, their rates of change, and what they start from.

use super::{BITS, Class, Emitter, MOST_STAGES, Operand, Owned, register};
use crate::compile::resolve::{Ir, SiteKind};
use crate::numbers::{few_digits, shortest};
use crate::problem::{Level, Problem};
use crate::program::{Draw, Held, Many, Op, Register, Ring};

impl Emitter<'_, '_> {
    /// Gives a call site its registers.
    pub(super) fn own(&mut self, s: u32) {
        let (kind, has_initial) = (self.site(s).kind, self.site(s).initial.is_some());
        let arguments = self.site(s).arguments.len() as u32;
        let mut owned = Owned::default();
        match kind {
            SiteKind::Material(_) | SiteKind::Smooth(_) => {
                let count = self.stages(s);
                owned.stages = self.new_stages(count);
            }
            SiteKind::Trend | SiteKind::Forecast => owned.stages = self.new_stages(1),
            _ => {}
        }
        owned.value = match kind {
            SiteKind::Smooth(_) => register(Class::Stage, owned.stages.0 + owned.stages.1 - 1),
            _ => self.new_register(Class::Held),
        };
        match kind {
            // The time of one stage.
            SiteKind::Material(_) => owned.arguments = self.new_register(Class::Held),
            // The arguments, then the average.
            SiteKind::Trend | SiteKind::Forecast => {
                owned.arguments = self.new_registers(Class::Held, arguments + 1);
            }
            SiteKind::Draw(distribution) => {
                owned.arguments = self.new_registers(Class::Held, arguments);
                owned.index = self.draws.len() as u32;
                let seed = has_initial.then(|| self.new_register(Class::Held));
                self.draws.push(Draw {
                    distribution,
                    arguments: owned.arguments,
                    count: arguments,
                    seed,
                });
            }
            SiteKind::Previous | SiteKind::Delay => {
                owned.index = self.rings.len() as u32;
                let initial = self.new_register(Class::Held);
                let time = (kind == SiteKind::Delay).then(|| self.new_register(Class::Held));
                self.rings.push(Ring {
                    input: initial,
                    initial,
                    time,
                    owner: self.site(s).owner,
                });
            }
            _ => {}
        }
        self.owned[s as usize] = owned;
    }

    fn new_stages(&mut self, count: u32) -> (u32, u32) {
        let first = self.used[Class::Stage as usize];
        self.new_registers(Class::Stage, count);
        self.new_registers(Class::StageRate, count);
        (first, count)
    }

    /// How many stages a delay or an average has.
    fn stages(&mut self, s: u32) -> u32 {
        let resolved = self.resolved;
        let site = &resolved.sites[s as usize];
        if let SiteKind::Material(fixed @ 1..) | SiteKind::Smooth(fixed @ 1..) = site.kind {
            return fixed;
        }
        let order = site.order.as_ref().map(|order| self.expression(order, None));
        match order {
            Some(Operand::Constant(n)) if (1.0..=MOST_STAGES).contains(&n.round()) => n.round() as u32,
            _ => {
                let found = match order {
                    Some(Operand::Constant(n)) => format!("is {}", shortest(n)),
                    _ => "is no constant".to_owned(),
                };
                let message = format!("the order of {} {found}", site.spelling);
                let fix = format!("give a whole number from 1 to {MOST_STAGES}");
                self.problems.push(
                    Problem::in_equation(self.variable(site.owner), "wrong-arguments", Level::Error, message, fix)
                        .at(site.span.clone()),
                );
                1
            }
        }
    }

    /// The time that one stage of a call takes, into `d`.
    fn stage_time(&mut self, s: u32, d: Register) {
        let resolved = self.resolved;
        let site = &resolved.sites[s as usize];
        let stages = f64::from(self.owned[s as usize].stages.1);
        let time = self.expression(&site.arguments[1], Some(d));
        if let Operand::Constant(time) = time
            && self.running
            && time > 0.0
            && time / stages < self.dt
        {
            let per = if stages > 1.0 { " for each of its stages" } else { "" };
            let message = format!(
                "{} takes {}{per}, less than one step of {}: its value swings or grows without bound",
                site.spelling,
                few_digits(time / stages),
                shortest(self.dt)
            );
            let fix = format!("choose dt at most {}", few_digits(time / stages / 2.0));
            self.problems.push(
                Problem::in_equation(self.variable(site.owner), "dt-too-large", Level::Warning, message, fix)
                    .at(site.span.clone()),
            );
        }
        let a = self.load(time);
        let b = self.constant(stages);
        self.push(Op::StageTime { d, a, b });
    }

    /// The value of a call now, from its state and what it needs at once.
    pub(super) fn site_value(&mut self, s: u32) {
        let resolved = self.resolved;
        let site = &resolved.sites[s as usize];
        let owned = self.owned[s as usize];
        let d = owned.value;
        match site.kind {
            SiteKind::Init | SiteKind::Smooth(_) => {}
            SiteKind::Previous | SiteKind::Delay => self.push(if self.running {
                Op::Ring { d, ring: owned.index }
            } else {
                Op::Copy {
                    d,
                    a: self.rings[owned.index as usize].initial,
                }
            }),
            SiteKind::Material(_) => {
                if self.running {
                    self.stage_time(s, owned.arguments);
                }
                self.push(Op::Divide {
                    d,
                    a: register(Class::Stage, owned.stages.0 + owned.stages.1 - 1),
                    b: owned.arguments,
                });
            }
            SiteKind::Trend | SiteKind::Forecast => {
                if self.running {
                    self.averaged(s);
                }
                let average = owned.arguments + site.arguments.len() as u32;
                self.copy(Operand::Register(register(Class::Stage, owned.stages.0)), average);
                let function = match site.kind {
                    SiteKind::Trend => Many::Trend,
                    _ => Many::Forecast,
                };
                self.push(Op::Many {
                    function,
                    d,
                    a: owned.arguments,
                });
            }
            SiteKind::Sample => {
                let condition = self.expression(&site.arguments[0], None);
                let a = self.expression(&site.arguments[1], None);
                let (condition, a) = (self.load(condition), self.load(a));
                self.push(Op::Sample { d, condition, a });
            }
            SiteKind::Draw(_) => {
                for (at, argument) in (owned.arguments..).zip(&site.arguments) {
                    self.expression_to(argument, at);
                }
                self.push(Op::Draw { d, site: owned.index });
            }
            SiteKind::Held(function) => self.held(function, &site.arguments, d),
        }
    }

    fn held(&mut self, function: Held, arguments: &[Ir], d: Register) {
        let a = self.new_registers(Class::Scratch, arguments.len() as u32);
        for (at, argument) in (a..).zip(arguments) {
            self.expression_to(argument, at);
        }
        self.push(Op::Held { function, d, a });
    }

    /// The arguments of TREND and FORCST: x, the averaging time, the horizon.
    fn averaged(&mut self, s: u32) {
        let resolved = self.resolved;
        let first = self.owned[s as usize].arguments;
        for (at, argument) in resolved.sites[s as usize].arguments.iter().enumerate() {
            let d = first + at as u32;
            match at {
                1 => self.stage_time(s, d),
                _ => self.expression_to(argument, d),
            }
        }
    }

    /// The rates of change of a call's stages, and what goes into its ring.
    pub(super) fn site_change(&mut self, s: u32) {
        let resolved = self.resolved;
        let site = &resolved.sites[s as usize];
        let owned = self.owned[s as usize];
        let (first, count) = owned.stages;
        let stages = (first..first + count).map(|i| (register(Class::Stage, i), register(Class::StageRate, i)));
        match site.kind {
            SiteKind::Material(_) => {
                let input = self.expression(&site.arguments[0], None);
                let mut before = self.load(input);
                for (stage, rate) in stages {
                    let after = if stage == register(Class::Stage, first + count - 1) {
                        owned.value
                    } else {
                        let d = self.new_register(Class::Scratch);
                        self.push(Op::Divide {
                            d,
                            a: stage,
                            b: owned.arguments,
                        });
                        d
                    };
                    self.push(Op::Subtract {
                        d: rate,
                        a: before,
                        b: after,
                    });
                    before = after;
                }
            }
            SiteKind::Smooth(_) => {
                let time = self.new_register(Class::Scratch);
                self.stage_time(s, time);
                let input = self.expression(&site.arguments[0], None);
                let mut before = self.load(input);
                for (stage, rate) in stages {
                    self.approach(before, stage, time, rate);
                    before = stage;
                }
            }
            SiteKind::Trend | SiteKind::Forecast => {
                let (x, time) = (owned.arguments, owned.arguments + 1);
                for (stage, rate) in stages {
                    self.approach(x, stage, time, rate);
                }
            }
            SiteKind::Previous | SiteKind::Delay => {
                let input = match self.expression(&site.arguments[0], None) {
                    // Scratch is used again before the rings are filled.
                    Operand::Register(r) if r >> BITS == Class::Scratch as u32 => {
                        let d = self.new_register(Class::Held);
                        self.copy(Operand::Register(r), d);
                        d
                    }
                    operand => self.load(operand),
                };
                self.rings[owned.index as usize].input = input;
            }
            SiteKind::Init | SiteKind::Sample | SiteKind::Draw(_) | SiteKind::Held(_) => {}
        }
    }

    /// `rate = (goal - level) / time`
    fn approach(&mut self, goal: Register, level: Register, time: Register, rate: Register) {
        self.push(Op::Subtract {
            d: rate,
            a: goal,
            b: level,
        });
        self.push(Op::Divide {
            d: rate,
            a: rate,
            b: time,
        });
    }

    /// What a call remembers at the start.
    pub(super) fn start_site(&mut self, s: u32) {
        let resolved = self.resolved;
        let site = &resolved.sites[s as usize];
        let owned = self.owned[s as usize];
        let (first, count) = owned.stages;
        // What it starts from: what is given, else the input.
        let start = site.initial.as_ref().or(site.arguments.first());
        match site.kind {
            SiteKind::Init => self.expression_to(&site.arguments[0], owned.value),
            SiteKind::Previous | SiteKind::Delay => {
                let initial = self.rings[owned.index as usize].initial;
                if let Some(start) = start {
                    self.expression_to(start, initial);
                }
            }
            SiteKind::Material(_) => {
                self.stage_time(s, owned.arguments);
                let start = start.map_or(Operand::Constant(f64::NAN), |start| self.expression(start, None));
                let a = self.load(start);
                for stage in first..first + count {
                    self.push(Op::Multiply {
                        d: register(Class::Stage, stage),
                        a,
                        b: owned.arguments,
                    });
                }
            }
            SiteKind::Smooth(_) => {
                let start = start.map_or(Operand::Constant(f64::NAN), |start| self.expression(start, None));
                for stage in first..first + count {
                    self.copy(start, register(Class::Stage, stage));
                }
            }
            SiteKind::Trend | SiteKind::Forecast => {
                self.averaged(s);
                let average = register(Class::Stage, first);
                let trend = site
                    .initial
                    .as_ref()
                    .map_or(Operand::Constant(0.0), |trend| self.expression(trend, None));
                // x / (1 + trend * time)
                let (a, one) = (self.load(trend), self.constant(1.0));
                let d = self.new_register(Class::Scratch);
                self.push(Op::Multiply {
                    d,
                    a,
                    b: owned.arguments + 1,
                });
                self.push(Op::Add { d, a: d, b: one });
                self.push(Op::Divide {
                    d: average,
                    a: owned.arguments,
                    b: d,
                });
            }
            SiteKind::Sample => {
                if let Some(initial) = &site.initial {
                    self.expression_to(initial, owned.value);
                }
            }
            SiteKind::Draw(_) => {
                if let (Some(initial), Some(seed)) = (&site.initial, self.draws[owned.index as usize].seed) {
                    self.expression_to(initial, seed);
                }
            }
            SiteKind::Held(_) => {}
        }
        self.site_value(s);
        self.end_of(site.owner);
    }

    /// The times of all DELAYs, which are read once.
    pub(super) fn start_delay_times(&mut self) {
        let resolved = self.resolved;
        for (s, site) in resolved.sites.iter().enumerate() {
            if site.kind != SiteKind::Delay {
                continue;
            }
            let Some(time) = self.rings[self.owned[s].index as usize].time else {
                continue;
            };
            let operand = self.expression(&site.arguments[1], Some(time));
            if let Operand::Register(r) = operand
                && r >> BITS != Class::Held as u32
            {
                let message = format!(
                    "the time of {} can change, but only its value at the start counts",
                    site.spelling
                );
                let fix = "use DELAY1, DELAY3 or DELAYN where the delay time changes";
                self.problems.push(
                    Problem::in_equation(
                        self.variable(site.owner),
                        "delay-time-changes",
                        Level::Info,
                        message,
                        fix,
                    )
                    .at(site.span.clone()),
                );
            }
            self.copy(operand, time);
            self.end_of(site.owner);
        }
    }
}
