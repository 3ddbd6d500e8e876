//! Files of a million records, made for every walk, look-up and check to take long over.

use crate::bounds::ends;
use test_support::swat3::worst::WORST;
use test_support::worst::A_MILLION;

#[test]
fn a_hundred_megabytes_take_linear_time() {
    ends(A_MILLION, &WORST, "");
}
