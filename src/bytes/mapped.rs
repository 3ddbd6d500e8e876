//! Macros that declare iterators with known length.

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

/// Makes an iterator with known length from a type that counts the items left in a field. `$next` reads the next item.
macro_rules! counted {
    ($iterator:ident<$lifetime:lifetime>.$left:ident => $item:ty, $next:expr) => {
        impl<$lifetime> Iterator for $iterator<$lifetime> {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                self.$left = self.$left.checked_sub(1)?;
                $next(self)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = usize::try_from(self.$left).unwrap_or(usize::MAX);
                (left, Some(left))
            }
        }

        impl ExactSizeIterator for $iterator<'_> {}
        impl core::iter::FusedIterator for $iterator<'_> {}
    };
}
pub(crate) use counted;
