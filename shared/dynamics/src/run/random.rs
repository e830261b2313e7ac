//! Random draws that repeat: a generator for each call site, seeded from the run's seed, never from a clock.
//!
//! `SplitMix64` spreads the seed, xoshiro256++ draws (Blackman and Vigna, "Scrambled linear pseudorandom number
//! generators", ACM TOMS 47(4), 2021).

use crate::program::Distribution;
use std::f64::consts::TAU;

/// The generator of one call site.
#[derive(Debug, Clone)]
pub(crate) struct Generator([u64; 4]);

impl Generator {
    /// The generator of call site number `site`, or of every call site with the same seed argument.
    pub(crate) fn new(run_seed: u64, site: u32, argument: Option<f64>) -> Self {
        let mut spread = run_seed;
        let (kind, number) = match argument {
            Some(seed) => (1, seed.to_bits()),
            None => (0, u64::from(site)),
        };
        for part in [kind, number] {
            spread = split_mix(&mut spread) ^ part;
        }
        Self(std::array::from_fn(|_| split_mix(&mut spread)))
    }

    fn next(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Evenly between 0 (included) and 1 (excluded).
    fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (-53_f64).exp2()
    }

    /// Normal with mean 0 and standard deviation 1 (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (TAU * self.uniform()).cos()
    }

    /// One draw; NaN where the arguments describe no distribution.
    pub(crate) fn draw(&mut self, distribution: Distribution, arguments: [f64; 4]) -> f64 {
        let [a, b, c, d] = arguments;
        match distribution {
            Distribution::Uniform => a + (b - a) * self.uniform(),
            Distribution::Exponential => -a * (1.0 - self.uniform()).ln(),
            Distribution::Normal if b >= 0.0 => a + b * self.normal(),
            Distribution::LogNormal if a > 0.0 && b >= 0.0 => {
                let variance = (b / a).powi(2).ln_1p();
                (a.ln() - variance / 2.0 + variance.sqrt() * self.normal()).exp()
            }
            Distribution::Poisson if a >= 0.0 => self.poisson(a),
            Distribution::TruncatedNormal if a <= b && d >= 0.0 => {
                // Vensim draws again until the value lies within; far from the mean that would never end.
                (0..TRIES)
                    .map(|_| c + d * self.normal())
                    .find(|x| (a..=b).contains(x))
                    .unwrap_or_else(|| c.clamp(a, b))
            }
            _ => f64::NAN,
        }
    }

    /// A count of mean `mean`.
    fn poisson(&mut self, mean: f64) -> f64 {
        if mean < 10.0 {
            // Knuth: uniform numbers until their product falls below e^-mean.
            let limit = (-mean).exp();
            let mut product = self.uniform();
            let mut count = 0.0;
            while product > limit {
                product *= self.uniform();
                count += 1.0;
            }
            return count;
        }
        if !mean.is_finite() {
            return f64::NAN;
        }
        // Hörmann's transformed rejection with squeeze, "The transformed rejection method for generating Poisson
        // random variables" (1993), algorithm PTRS; three tries in four are taken.
        let root = mean.sqrt();
        let b = 0.931 + 2.53 * root;
        let a = -0.059 + 0.02483 * b;
        let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
        let taken = 0.9277 - 3.6224 / (b - 2.0);
        for _ in 0..TRIES {
            let u = self.uniform() - 0.5;
            let v = self.uniform();
            let us = 0.5 - u.abs();
            let k = ((2.0 * a / us + b) * u + mean + 0.43).floor();
            if us >= 0.07 && v <= taken {
                return k;
            }
            if k < 0.0 || (us < 0.013 && v > us) {
                continue;
            }
            let left = (v * inverse_alpha / (a / (us * us) + b)).ln();
            if left <= k * mean.ln() - mean - ln_factorial(k) {
                return k;
            }
        }
        mean.round()
    }
}

/// How often a draw is tried again. Only distributions that hold almost nothing come near it.
const TRIES: u32 = 1_000;

/// ln k! for k >= 0: by Stirling's series, exact to 1e-10 from 10 on; below, by adding up.
fn ln_factorial(k: f64) -> f64 {
    if k < 10.0 {
        return (2..=k as u32).map(|i| f64::from(i).ln()).sum();
    }
    let x = k + 1.0;
    let correction = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * x * x)) / (x * x)) / x;
    (x - 0.5) * x.ln() - x + 0.5 * TAU.ln() + correction
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn moments(distribution: Distribution, arguments: [f64; 4], mean: f64, deviation: f64) {
        let mut generator = Generator::new(1, 0, None);
        let n = 200_000;
        let draws: Vec<f64> = (0..n).map(|_| generator.draw(distribution, arguments)).collect();
        let found = draws.iter().sum::<f64>() / f64::from(n);
        let variance = draws.iter().map(|x| (x - found).powi(2)).sum::<f64>() / f64::from(n);
        // Five standard errors of the mean; the deviation within 2 %.
        assert!(
            (found - mean).abs() <= 5.0 * deviation / f64::from(n).sqrt(),
            "mean {found}"
        );
        assert!(
            (variance.sqrt() - deviation).abs() <= 0.02 * deviation,
            "deviation {}",
            variance.sqrt()
        );
    }

    #[test]
    fn distributions_have_their_moments() {
        use Distribution::{Exponential, LogNormal, Normal, Poisson, TruncatedNormal, Uniform};
        moments(Uniform, [2.0, 5.0, 0.0, 0.0], 3.5, 3.0 / 12_f64.sqrt());
        moments(Exponential, [4.0, 0.0, 0.0, 0.0], 4.0, 4.0);
        moments(Normal, [-3.0, 2.0, 0.0, 0.0], -3.0, 2.0);
        moments(LogNormal, [5.0, 2.0, 0.0, 0.0], 5.0, 2.0);
        for mean in [0.5, 9.9, 10.0, 15.0, 1_000.0, 1e9] {
            moments(Poisson, [mean, 0.0, 0.0, 0.0], mean, mean.sqrt());
        }
        moments(TruncatedNormal, [-1e9, 1e9, 7.0, 3.0], 7.0, 3.0);
    }

    #[test]
    fn truncated_draws_stay_within() {
        let mut generator = Generator::new(1, 0, None);
        for _ in 0..1_000 {
            let x = generator.draw(Distribution::TruncatedNormal, [1.0, 2.0, 0.0, 1.0]);
            assert!((1.0..=2.0).contains(&x));
        }
        assert_eq!(
            generator.draw(Distribution::TruncatedNormal, [50.0, 51.0, 0.0, 1.0]),
            50.0
        );
    }

    #[test]
    fn impossible_arguments_are_nan() {
        let mut generator = Generator::new(1, 0, None);
        for (distribution, arguments) in [
            (Distribution::Normal, [0.0, -1.0, 0.0, 0.0]),
            (Distribution::LogNormal, [-1.0, 1.0, 0.0, 0.0]),
            (Distribution::Poisson, [-1.0, 0.0, 0.0, 0.0]),
            (Distribution::Poisson, [f64::NAN, 0.0, 0.0, 0.0]),
            (Distribution::Poisson, [f64::INFINITY, 0.0, 0.0, 0.0]),
            (Distribution::TruncatedNormal, [2.0, 1.0, 0.0, 1.0]),
        ] {
            assert!(generator.draw(distribution, arguments).is_nan());
        }
    }

    #[test]
    fn a_seed_argument_gives_one_stream_wherever_it_stands() {
        let first = |seed, site, argument| Generator::new(seed, site, argument).next();
        assert_eq!(first(1, 0, Some(7.0)), first(1, 5, Some(7.0)));
        assert_ne!(first(1, 0, Some(7.0)), first(2, 0, Some(7.0)));
        assert_ne!(first(1, 0, Some(7.0)), first(1, 0, Some(8.0)));
        assert_ne!(first(1, 0, None), first(1, 1, None));
        assert_eq!(first(1, 3, None), first(1, 3, None));
    }

    #[test]
    fn the_generators_are_the_published_ones() {
        // First outputs of SplitMix64 for the state 1234567, as the reference implementation prints them.
        let mut state = 1_234_567;
        assert_eq!(split_mix(&mut state), 6_457_827_717_110_365_317);
        assert_eq!(split_mix(&mut state), 3_203_168_211_198_807_973);
        // First outputs of xoshiro256++ for the state 1, 2, 3, 4, likewise.
        let mut generator = Generator([1, 2, 3, 4]);
        let drawn: Vec<u64> = (0..4).map(|_| generator.next()).collect();
        assert_eq!(
            drawn,
            [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386]
        );
    }
}
