//! Copies of models in PostgreSQL.
