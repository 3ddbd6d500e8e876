//! Files of a million records, made for every walk, look-up and check to take long over.

use crate::bounds::ends;
use crate::support::pyrogenesis::worst::WORST;
use crate::support::worst::A_MILLION;

#[test]
fn a_million_records_are_no_square() {
    ends(A_MILLION, &WORST, "");
}
