//! The parts of records in every family, all of alignment 1: vectors, and the macro that declares a record.
//!
//! Fields are private little-endian bytes; accessors return native values. The records live in the families.

use zerocopy::little_endian::F32;

/// Declares a value of a record: a type over wire bytes, the accessor of its native value, and its conversions.
macro_rules! value {
    (
        $(#[$meta:meta])*
        $name:ident($wire:ty) as $native:ty,
        $(#[$doc:meta])* $get:ident = |$this:pat_param| $value:expr
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        #[derive(zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::Immutable, zerocopy::KnownLayout, zerocopy::Unaligned)]
        #[repr(transparent)]
        pub struct $name($wire);

        const _: () = assert!(size_of::<$name>() == size_of::<$native>() && align_of::<$name>() == 1);

        impl $name {
            $(#[$doc])*
            #[inline]
            pub const fn $get(&self) -> $native {
                let $this = &self.0;
                $value
            }
        }

        impl From<$name> for $native {
            #[inline]
            fn from(value: $name) -> Self {
                value.$get()
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.$get().fmt(f)
            }
        }

        #[cfg(feature = "bytemuck")]
        impl $crate::bytes::native::Twin for $name {
            type Native = $native;
        }
    };
}
pub(crate) use value;

value! {
    /// One float, 4 bytes.
    Float(F32) as f32,
    /// The native float.
    get = |value| value.get()
}
value! {
    /// Two floats, 8 bytes: a texture coordinate.
    Vec2([F32; 2]) as [f32; 2],
    /// The components in file order, as native floats.
    get = |[x, y]| [x.get(), y.get()]
}
value! {
    /// Three floats, 12 bytes: a position, an offset or a normal.
    Vec3([F32; 3]) as [f32; 3],
    /// The components in file order, as native floats.
    get = |[x, y, z]| [x.get(), y.get(), z.get()]
}
value! {
    /// Four floats, 16 bytes: a quaternion with the scalar last, or a tangent.
    Vec4([F32; 4]) as [f32; 4],
    /// The components in file order (x, y, z, w), as native floats.
    get = |[x, y, z, w]| [x.get(), y.get(), z.get(), w.get()]
}

impl Vec2 {
    /// The value as it is stored.
    pub const fn new([x, y]: [f32; 2]) -> Self {
        Self([F32::new(x), F32::new(y)])
    }
}

impl Vec3 {
    /// The value as it is stored.
    pub const fn new([x, y, z]: [f32; 3]) -> Self {
        Self([F32::new(x), F32::new(y), F32::new(z)])
    }
}

impl Vec4 {
    /// The value as it is stored.
    pub const fn new([x, y, z, w]: [f32; 4]) -> Self {
        Self([F32::new(x), F32::new(y), F32::new(z), F32::new(w)])
    }
}

/// Declares a record as the bytes lie in the file, with its size, an accessor for each field and `as_bytes`.
///
/// ```text
/// record! {
///     /// The record.
///     pub struct Influence[12] as InfluenceNative {
///         /// The field.
///         weight: F32 => with_weight,
///     }
/// }
/// ```
///
/// A field with `=>` can be written: the method returns the record with another value. The default of a record is zeros.
///
/// With `as`, the record has an aligned twin of native values (feature `bytemuck`), made of the same fields.
macro_rules! record {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident[$size:literal] as $native:ident { $($fields:tt)+ }
    ) => {
        $crate::bytes::record! {
            $(#[$meta])*
            $vis struct $name[$size] { $($fields)+ }
        }
        $crate::bytes::record!(@native $name $native { $($fields)+ });
    };
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident[$size:literal] {
            $($(#[$doc:meta])* $field:ident: $wire:tt $(=> $with:ident)?,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        #[derive(zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::Immutable, zerocopy::KnownLayout, zerocopy::Unaligned)]
        #[repr(C)]
        $vis struct $name {
            $($field: $crate::bytes::record!(@wire $wire),)+
        }

        const _: () = assert!(size_of::<$name>() == $size && align_of::<$name>() == 1);

        #[allow(dead_code, reason = "every record has every accessor")]
        impl $name {
            $($crate::bytes::record!(@accessor $vis $field $wire $(#[$doc])*);)+
            $($($crate::bytes::record!(@setter $vis $field $wire $with);)?)+

            /// The bytes as stored.
            #[inline]
            $vis fn as_bytes(&self) -> &[u8] {
                zerocopy::IntoBytes::as_bytes(self)
            }
        }

        impl Default for $name {
            fn default() -> Self {
                zerocopy::FromZeros::new_zeroed()
            }
        }
    };

    (@native $name:ident $native:ident { $($(#[$doc:meta])* $field:ident: $wire:tt $(=> $with:ident)?,)+ }) => {
        #[doc = concat!("The aligned twin of [`", stringify!($name), "`]: the same bytes on a little-endian host.")]
        #[cfg(feature = "bytemuck")]
        #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        pub struct $native {
            $($(#[$doc])* pub $field: $crate::bytes::record!(@value $wire),)+
        }

        #[cfg(feature = "bytemuck")]
        impl From<$name> for $native {
            #[inline]
            fn from(record: $name) -> Self {
                Self { $($field: record.$field(),)+ }
            }
        }

        #[cfg(feature = "bytemuck")]
        impl $crate::bytes::native::Twin for $name {
            type Native = $native;
        }
    };

    (@accessor $vis:vis $field:ident $wire:tt $(#[$doc:meta])*) => {
        $(#[$doc])*
        #[inline]
        $vis const fn $field(&self) -> $crate::bytes::record!(@value $wire) {
            $crate::bytes::record!(@get self.$field, $wire)
        }
    };

    (@setter $vis:vis $field:ident $wire:tt $with:ident) => {
        #[doc = concat!("This record with another value of [`", stringify!($field), "`](Self::", stringify!($field), ").")]
        #[inline]
        #[must_use]
        $vis const fn $with(self, value: $crate::bytes::record!(@value $wire)) -> Self {
            Self { $field: $crate::bytes::record!(@new value, $wire), ..self }
        }
    };

    // The stored type of a field, and the type that its accessor returns.
    (@wire F32) => { zerocopy::little_endian::F32 };
    (@wire I32) => { zerocopy::little_endian::I32 };
    (@wire U16) => { zerocopy::little_endian::U16 };
    (@wire U32) => { zerocopy::little_endian::U32 };
    (@wire U16x3) => { [zerocopy::little_endian::U16; 3] };
    (@wire U32x3) => { [zerocopy::little_endian::U32; 3] };
    (@wire u8x4) => { [u8; 4] };
    (@wire Name64) => { $crate::bytes::Name<64> };
    (@wire Vec2) => { $crate::bytes::Vec2 };
    (@wire Vec3) => { $crate::bytes::Vec3 };
    (@wire Vec4) => { $crate::bytes::Vec4 };
    (@wire $byte:ident) => { $byte };
    (@value F32) => { f32 };
    (@value I32) => { i32 };
    (@value U16) => { u16 };
    (@value U32) => { u32 };
    (@value U16x3) => { [u16; 3] };
    (@value U32x3) => { [u32; 3] };
    (@value u8x4) => { [u8; 4] };
    (@value Name64) => { &$crate::bytes::Name<64> };
    (@value Vec2) => { [f32; 2] };
    (@value Vec3) => { [f32; 3] };
    (@value Vec4) => { [f32; 4] };
    (@value $byte:ident) => { $byte };
    (@new $value:ident, F32) => { zerocopy::little_endian::F32::new($value) };
    (@new $value:ident, I32) => { zerocopy::little_endian::I32::new($value) };
    (@new $value:ident, U16) => { zerocopy::little_endian::U16::new($value) };
    (@new $value:ident, U32) => { zerocopy::little_endian::U32::new($value) };
    (@new $value:ident, U16x3) => { $crate::bytes::record!(@new3 $value, U16) };
    (@new $value:ident, U32x3) => { $crate::bytes::record!(@new3 $value, U32) };
    (@new3 $value:ident, $wire:ident) => {{
        let [a, b, c] = $value;
        [
            zerocopy::little_endian::$wire::new(a),
            zerocopy::little_endian::$wire::new(b),
            zerocopy::little_endian::$wire::new(c),
        ]
    }};
    (@new $value:ident, Name64) => { *$value };
    (@new $value:ident, Vec2) => { $crate::bytes::Vec2::new($value) };
    (@new $value:ident, Vec3) => { $crate::bytes::Vec3::new($value) };
    (@new $value:ident, Vec4) => { $crate::bytes::Vec4::new($value) };
    (@new $value:ident, $wire:ident) => { $value };
    (@get $this:ident.$field:ident, Name64) => { &$this.$field };
    (@get $this:ident.$field:ident, U16x3) => { $crate::bytes::record!(@get3 $this.$field) };
    (@get $this:ident.$field:ident, U32x3) => { $crate::bytes::record!(@get3 $this.$field) };
    (@get3 $this:ident.$field:ident) => {{
        let [a, b, c] = &$this.$field;
        [a.get(), b.get(), c.get()]
    }};
    (@get $this:ident.$field:ident, u8x4) => { $this.$field };
    (@get $this:ident.$field:ident, u8) => { $this.$field };
    (@get $this:ident.$field:ident, $wire:ident) => { $this.$field.get() };
}
pub(crate) use record;
