//! The promises of a store.

use super::{Table, server};
use crate::DynamoStore;
use meadow_service::contract::{assert_keeps_the_contract, cache, slots, tokens};
use meadow_service::{Cache, ModelStore, Slots, TokenStore};
use std::sync::Arc;
use tokio::runtime::Handle;

/// With this many rounds 10,108 raced writes are acknowledged; each takes a dozen requests.
const ROUNDS: usize = 76;

/// A store in a new table.
fn store(url: &str) -> Arc<DynamoStore> {
    let made = async { Arc::new(Table::new(url).await.store().await) };
    tokio::task::block_in_place(|| Handle::current().block_on(made))
}

/// Two stores on a new table, as two functions have them.
fn two(url: &str) -> [Arc<DynamoStore>; 2] {
    let made = async {
        let table = Table::new(url).await;
        [Arc::new(table.store().await), Arc::new(table.store().await)]
    };
    tokio::task::block_in_place(|| Handle::current().block_on(made))
}

async fn keeps_the_contract(url: &str, rounds: usize) {
    let raced = assert_keeps_the_contract(|| store(url) as Arc<dyn ModelStore>, rounds).await;
    println!("{raced} raced writes were acknowledged");
    tokens::assert_keeps_the_contract(|| store(url) as Arc<dyn TokenStore>, rounds).await;
}

async fn keeps_what_is_shared(url: &str, rounds: usize) {
    cache::assert_keeps_the_contract(|| two(url).map(|store| store as Arc<dyn Cache>), rounds).await;
    slots::assert_keeps_the_contract(|| two(url).map(|store| store as Arc<dyn Slots>), rounds).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keeps_the_contract_of_stores() {
    if let Some(url) = server("MEADOW_DYNAMODB") {
        keeps_the_contract(&url, ROUNDS).await;
    }
}

/// The same on a server of other hands.
#[tokio::test(flavor = "multi_thread")]
async fn keeps_the_contract_on_ministack() {
    if let Some(url) = server("MEADOW_MINISTACK") {
        keeps_the_contract(&url, 4).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keeps_the_contract_of_caches_and_turns() {
    for (server_of, rounds) in [("MEADOW_DYNAMODB", ROUNDS), ("MEADOW_MINISTACK", 8)] {
        if let Some(url) = server(server_of) {
            keeps_what_is_shared(&url, rounds).await;
        }
    }
}
