//! Files of a million records, made for every walk, look-up and check to take long over.

use crate::bounds::ends;
use test_support::ueformat::worst::WORST;
use test_support::worst::A_MILLION;

#[test]
fn a_million_records_take_linear_time() {
    ends(A_MILLION, &WORST, "");
}
