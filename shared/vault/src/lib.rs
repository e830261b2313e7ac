//! Notes in a folder of this machine.
