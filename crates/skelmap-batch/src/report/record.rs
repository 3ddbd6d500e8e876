//! Records: rows whose columns have the kinds of their values, so that an array says its kinds without a row.

use skelmap::{Name, Text};

use super::cell::Cell;
use super::column::Kind;

/// A value with a kind that is known before the first row.
pub trait Value {
    /// The kind.
    const KIND: Kind;

    /// The value.
    fn cell(&self) -> Cell<'_>;
}

/// Values that are copied into cells.
macro_rules! values {
    ($($kind:ident: $($value:ty),+;)+) => {$($(
        impl Value for $value {
            const KIND: Kind = Kind::$kind;

            fn cell(&self) -> Cell<'_> {
                (*self).into()
            }
        }
    )+)+};
}

values! {
    Integer: u64, u32, u16, u8, usize, i64, i32, i16;
    Float: f32;
    Double: f64;
    Text: &str, Text<'_>;
}

impl Value for String {
    const KIND: Kind = Kind::Text;

    fn cell(&self) -> Cell<'_> {
        self.into()
    }
}

impl<const N: usize> Value for &Name<N> {
    const KIND: Kind = Kind::Text;

    fn cell(&self) -> Cell<'_> {
        (*self).into()
    }
}

impl<T: Value> Value for Option<T> {
    const KIND: Kind = T::KIND;

    fn cell(&self) -> Cell<'_> {
        self.as_ref().map(T::cell).into()
    }
}

/// A row of `N` values.
pub trait Record<const N: usize> {
    /// The kinds of the values.
    const KINDS: [Kind; N];

    /// The values.
    fn cells(&self) -> [Cell<'_>; N];
}

macro_rules! records {
    ($($length:literal: $($value:ident)+;)+) => {$(
        #[expect(non_snake_case, reason = "a value has the name of its type")]
        impl<$($value: Value),+> Record<$length> for ($($value,)+) {
            const KINDS: [Kind; $length] = [$($value::KIND),+];

            fn cells(&self) -> [Cell<'_>; $length] {
                let ($($value,)+) = self;
                [$($value.cell()),+]
            }
        }
    )+};
}

records! {
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
    9: A B C D E F G H I;
    10: A B C D E F G H I J;
    11: A B C D E F G H I J K;
    12: A B C D E F G H I J K L;
    13: A B C D E F G H I J K L M;
    14: A B C D E F G H I J K L M O;
    15: A B C D E F G H I J K L M O P;
    16: A B C D E F G H I J K L M O P Q;
}
