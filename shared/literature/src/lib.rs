//! Papers from arXiv and Semantic Scholar.
