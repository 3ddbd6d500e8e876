#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| skelmap_fuzz::any_bytes::loose(bytes));
