//! `ModelStore` and `TokenStore` on DynamoDB.
