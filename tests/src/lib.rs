//! Tests that need more than one crate. Tests of the processes are in `cli/tests`, beside the binary they start.

#[cfg(test)]
mod architecture;
#[cfg(test)]
mod reports;
