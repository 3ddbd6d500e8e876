//! A macro that declares iterators over the items of other iterators.

/// Makes a double-ended iterator with known length from a type with such an iterator in a field. `$map` converts the items.
macro_rules! mapped {
    ($iterator:ident<$($parameter:tt $(: $bound:ident)?),+>.$field:ident => $item:ty, $map:expr) => {
        impl<$($parameter $(: $bound)?),+> Iterator for $iterator<$($parameter),+> {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                self.$field.next().and_then(|inner| $map(self, inner))
            }

            #[inline]
            fn nth(&mut self, n: usize) -> Option<$item> {
                self.$field.nth(n).and_then(|inner| $map(self, inner))
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.$field.size_hint()
            }
        }

        impl<$($parameter $(: $bound)?),+> DoubleEndedIterator for $iterator<$($parameter),+> {
            #[inline]
            fn next_back(&mut self) -> Option<$item> {
                self.$field.next_back().and_then(|inner| $map(self, inner))
            }

            fn nth_back(&mut self, n: usize) -> Option<$item> {
                self.$field.nth_back(n).and_then(|inner| $map(self, inner))
            }
        }

        impl<$($parameter $(: $bound)?),+> ExactSizeIterator for $iterator<$($parameter),+> {}
        impl<$($parameter $(: $bound)?),+> core::iter::FusedIterator for $iterator<$($parameter),+> {}
    };
}
pub(crate) use mapped;
