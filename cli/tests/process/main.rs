//! The binary as its users start it: processes, sockets, streams, signals, exit codes.

#[cfg(test)]
mod check;
#[cfg(test)]
mod client;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod leaving;
#[cfg(test)]
mod models;
#[cfg(test)]
mod postgres;
#[cfg(test)]
mod search;
#[cfg(test)]
mod serve;
#[cfg(test)]
mod stdio;
#[cfg(test)]
mod token;
