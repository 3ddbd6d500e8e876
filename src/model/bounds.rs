//! Bounding boxes.

use super::space::Space;

/// The bounding box of points, without points whose coordinates are not finite.
///
/// ```
/// use skelmap::model::{Bounds, Space};
///
/// let bounds = Bounds::of([[0.0, 1.0, 2.0], [4.0, 1.0, -3.0], [f32::NAN, 0.0, 0.0]]).ok_or("no point")?;
/// assert_eq!((bounds.min, bounds.max), ([0.0, 1.0, -3.0], [4.0, 1.0, 2.0]));
/// assert_eq!(bounds.height(&Space::ACTORX), 5.0);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[expect(clippy::exhaustive_structs, reason = "a box is two corners")]
pub struct Bounds {
    /// The minimum along each axis.
    pub min: [f32; 3],
    /// The maximum along each axis.
    pub max: [f32; 3],
}

impl Bounds {
    /// The bounding box of these points; `None` if no point is finite. O(points).
    pub fn of(points: impl IntoIterator<Item = [f32; 3]>) -> Option<Self> {
        let finite = points.into_iter().filter(|point| point.iter().all(|value| value.is_finite()));
        finite.fold(None, |bounds, point| {
            let Self { mut min, mut max } = bounds.unwrap_or(Self { min: point, max: point });
            min.iter_mut().zip(point).for_each(|(least, value)| *least = least.min(value));
            max.iter_mut().zip(point).for_each(|(greatest, value)| *greatest = greatest.max(value));
            Some(Self { min, max })
        })
    }

    /// The lengths of the edges.
    pub fn size(&self) -> [f32; 3] {
        let ([x, y, z], [to_x, to_y, to_z]) = (self.min, self.max);
        [to_x - x, to_y - y, to_z - z]
    }

    /// The length of the vertical edge in a space.
    pub fn height(&self, space: &Space) -> f32 {
        space.up().0.of(self.size())
    }
}
