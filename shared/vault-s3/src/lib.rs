//! Notes in a bucket, where Remotely Save finds them.
