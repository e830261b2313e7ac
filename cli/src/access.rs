//! Who may reach a server: everybody on this machine, or everybody with a token.

use crate::failure::Failure;
use crate::options::Options;
use crate::store::{Place, Stores};
use clap::{Args, ValueEnum};
use std::net::SocketAddr;
use std::sync::Arc;

/// How callers show who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Auth {
    /// Not at all: whoever reaches Meadow may read and write every model of the workspace
    None,
    /// By an access token, which `meadow token new` makes
    Token,
}

/// Who may reach a server.
#[derive(Debug, Args)]
pub(crate) struct Reach {
    /// How callers show who they are: none (this machine's own addresses only) or token, made by meadow token new
    #[arg(
        long,
        env = "MEADOW_AUTH",
        value_name = "MODE",
        default_value = "none",
        hide_possible_values = true,
        hide_env_values = true
    )]
    auth: Auth,

    /// A further Host that requests may name, such as the one that a tunnel or proxy uses; repeat for more
    #[arg(long, value_name = "HOST", value_parser = meadow_http::read_host)]
    allow_host: Vec<String>,

    /// A further Origin whose pages may send requests and read the answers, such as `https://app.example.org`; repeat for more
    #[arg(long, value_name = "ORIGIN", value_parser = meadow_http::read_origin)]
    allow_origin: Vec<String>,

    /// Requests that are worked on at a time; more are told to come again (503)
    #[arg(long, env = "MEADOW_MAX_REQUESTS", value_name = "N", default_value = "512", value_parser = clap::value_parser!(u16).range(1..), hide_env_values = true)]
    max_requests: u16,
}

impl Reach {
    /// Fails where `address` could be reached by whom it should not, or by nobody.
    pub(crate) fn check(&self, address: SocketAddr, place: &Place) -> Result<(), Failure> {
        let here = address.ip().is_loopback();
        match self.auth {
            Auth::None if !here => Err(Failure::Usage(format!(
                "--listen {address}: without access by token only this machine's own addresses can be listened on, such \
                 as 127.0.0.1:8787: whoever reaches Meadow may read and write every model. Use --auth token, or a tunnel, \
                 such as ssh -L 8787:127.0.0.1:8787 HOST"
            ))),
            Auth::Token if !place.lasts() => Err(Failure::Usage(format!(
                "--auth token with --store {place}: no token can be made for a store that is gone at exit; use \
                 sqlite:PATH, and meadow token new with the same --store"
            ))),
            Auth::Token if self.allow_origin.iter().any(|origin| origin == "*") => Err(Failure::Usage(
                "--allow-origin *: with --auth token pages are allowed by name only, such as --allow-origin \
                 https://app.example.org; a token is not for every page that gets hold of it"
                    .to_owned(),
            )),
            Auth::Token if !here && self.allow_host.is_empty() => Err(Failure::Usage(format!(
                "--listen {address}: requests from elsewhere name a Host that is not allowed yet; name it with \
                 --allow-host, such as --allow-host models.example.org (the name or address that clients use), or * for all"
            ))),
            Auth::None | Auth::Token => Ok(()),
        }
    }

    /// What surrounds the routes.
    pub(crate) fn config(&self, stores: &Stores, options: &Options) -> meadow_http::Config {
        let mut config = meadow_http::Config {
            access: match self.auth {
                Auth::None => meadow_http::Access::Open(options.caller()),
                Auth::Token => meadow_http::Access::Tokens(Arc::new(stores.tokens())),
            },
            at_once: self.max_requests.into(),
            ..meadow_http::Config::default()
        };
        config.hosts.extend_from_slice(&self.allow_host);
        config.origins.extend_from_slice(&self.allow_origin);
        config
    }

    /// Who is let in, for people.
    pub(crate) fn described(&self, options: &Options) -> String {
        match self.auth {
            Auth::None => format!("workspace {}", options.caller().workspace),
            Auth::Token => "access by token (meadow token new)".to_owned(),
        }
    }

    /// Whether a token has to be sent.
    pub(crate) fn by_token(&self) -> bool {
        self.auth == Auth::Token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(auth: Auth, address: &str, host: Option<&str>, place: &str, expected: Result<(), &str>) {
        let reach = Reach {
            auth,
            allow_host: host.map(str::to_owned).into_iter().collect(),
            allow_origin: Vec::new(),
            max_requests: 1,
        };
        let checked = reach.check(address.parse().unwrap(), &place.parse().unwrap());
        match (checked, expected) {
            (Ok(()), Ok(())) => {}
            (Err(Failure::Usage(said)), Err(part)) => assert!(said.contains(part), "{said}"),
            other => panic!("{address}: {other:?}"),
        }
    }

    #[test]
    fn without_tokens_only_this_machine_is_listened_on() {
        for here in ["127.0.0.1:8787", "127.9.9.9:1", "[::1]:80"] {
            check(Auth::None, here, None, "memory:", Ok(()));
        }
        for elsewhere in ["0.0.0.0:8787", "[::]:8787", "192.168.1.2:80", "[::ffff:10.0.0.1]:80"] {
            check(Auth::None, elsewhere, None, "memory:", Err("Use --auth token"));
            check(
                Auth::None,
                elsewhere,
                Some("a.example"),
                "memory:",
                Err("Use --auth token"),
            );
            check(Auth::Token, elsewhere, None, "sqlite:m.db", Err("--allow-host"));
            check(Auth::Token, elsewhere, Some("a.example"), "sqlite:m.db", Ok(()));
        }
    }

    #[test]
    fn with_tokens_pages_are_allowed_by_name() {
        let reach = |auth, origin: &str| Reach {
            auth,
            allow_host: Vec::new(),
            allow_origin: vec![origin.to_owned()],
            max_requests: 1,
        };
        let (here, place) = ("127.0.0.1:1".parse().unwrap(), "sqlite:m.db".parse().unwrap());
        assert!(reach(Auth::None, "*").check(here, &place).is_ok());
        assert!(
            reach(Auth::Token, "https://app.example.org")
                .check(here, &place)
                .is_ok()
        );
        let Err(Failure::Usage(said)) = reach(Auth::Token, "*").check(here, &place) else {
            panic!("not refused")
        };
        assert!(said.contains("by name only"), "{said}");
    }

    #[test]
    fn tokens_need_a_store_that_lasts() {
        check(
            Auth::Token,
            "127.0.0.1:1",
            None,
            "memory:",
            Err("gone at exit; use sqlite:PATH"),
        );
        check(Auth::Token, "127.0.0.1:1", None, "sqlite:m.db", Ok(()));
    }
}
