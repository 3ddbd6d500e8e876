//! The axes of joints: the same skin has two sets of local frames, and a mesh of one set folds with animations of the other.
//!
//! With the place G of a joint in a glTF scene, S = diag(1, 1, -1) and P the exchange of y and z: bones of Blender point along +y of G, and the
//! game's frame is S G P. What came out of the game through this project has the game's own axes, and the frame is S G S. The two differ by a quarter
//! turn about x.

use std::fmt;

use crate::affine::{Place, dot};
use crate::model::Model;

/// The axes of the joints of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "there is no third set")]
pub enum JointAxes {
    /// Those of a rig that was made in Blender: bones point along +y.
    Blender,
    /// Those of the game: of files that came from it through this project, also after a trip through Blender.
    Game,
}

/// The axes cannot be told from the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "cannot tell whose axes the joints have: {blender} of {pairs} children lie along +y of their joint (a rig made in Blender), {game} along -z \
     (a model of the game); say which, or name a model of the game with these bones"
)]
#[non_exhaustive]
pub struct AxesError {
    /// The number of joints with a parent.
    pub pairs: usize,
    /// Those that lie along the parent's +y.
    pub blender: usize,
    /// Those that lie along the parent's -z.
    pub game: usize,
}

/// The cosine from which a child lies along an axis.
const ALONG: f64 = 0.9995;

/// The fewest children along one axis that tell the axes, or their part of all.
const MIN_CHILDREN: usize = 4;
const MIN_PART: usize = 4;

impl fmt::Display for JointAxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blender => "Blender",
            Self::Game => "the game",
        })
    }
}

impl JointAxes {
    /// The axes of the joints of a model, from the program that wrote it or from the directions of its bones.
    ///
    /// # Errors
    /// [`AxesError`] if neither tells.
    pub fn of(model: &Model) -> Result<Self, AxesError> {
        if model.is_ours() || model.joints.is_empty() {
            return Ok(Self::Game);
        }
        let (mut pairs, mut blender, mut game) = (0_usize, 0_usize, 0_usize);
        for joint in &model.joints {
            let Some(parent) = joint.parent.and_then(|parent| model.joints.get(parent)) else { continue };
            pairs = pairs.saturating_add(1);
            let [x, y, z] = joint.place.seen_from(&parent.place).translation;
            let length = dot([x, y, z], [x, y, z]).sqrt();
            blender = blender.saturating_add((y > ALONG * length).into());
            game = game.saturating_add((-z > ALONG * length).into());
        }
        let is_told = |count: usize, other: usize| {
            count > other && (count >= MIN_CHILDREN || count.saturating_mul(MIN_PART) >= pairs)
        };
        match (is_told(blender, game), is_told(game, blender)) {
            (true, _) => Ok(Self::Blender),
            (_, true) => Ok(Self::Game),
            _ => Err(AxesError { pairs, blender, game }),
        }
    }

    /// The place of a bone in the game, of the place of its joint in the scene.
    pub(crate) fn bone(self, joint: &Place) -> Place {
        let [x, y, z] = joint.translation;
        let [qx, qy, qz, qw] = joint.rotation;
        // S G S: the vector of a rotation is an axis, which a mirror turns the other way.
        let mirrored = [-qx, -qy, qz, qw];
        let rotation = match self {
            Self::Game => mirrored,
            // S G P = (S G S)(S P), and S P is a quarter turn about x.
            Self::Blender => crate::affine::rotation_product(mirrored, QUARTER),
        };
        Place { translation: [x, y, -z], rotation }
    }

    /// The place of a prop point in the game, of its place L. R is S or P, as the axes of joints say. Seen from its joint, that of an object is the inverse of
    /// R times L S, and that of a bone the inverse of R times L R; in the scene, it is S L S.
    pub(crate) fn prop(self, place: &Place, seen: Seen) -> Place {
        let ([x, y, z], [qx, qy, qz, qw]) = (place.translation, place.rotation);
        let mirrored = [-qx, -qy, qz, qw];
        match (self, seen) {
            (Self::Game, _) | (_, Seen::FromScene) => Place { translation: [x, y, -z], rotation: mirrored },
            (Self::Blender, Seen::FromJoint) => {
                let rotation = crate::affine::rotation_product(crate::affine::conjugated(QUARTER), mirrored);
                Place { translation: [x, z, y], rotation }
            }
            (Self::Blender, Seen::BoneFromJoint) => Place { translation: [x, z, y], rotation: [-qx, -qz, -qy, qw] },
        }
    }
}

/// How the place of a prop point is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// In the scene.
    FromScene,
    /// Of an object, seen from its joint.
    FromJoint,
    /// Of a joint, seen from the one above it.
    BoneFromJoint,
}

/// S P: y becomes -z and z becomes y.
const QUARTER: [f64; 4] = [-std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];

/// The position or direction of a scene in the space of the game.
pub(crate) const fn mirrored([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, y, -z]
}

#[cfg(test)]
mod tests {
    use skelmap::model::Matrix;

    use super::*;
    use crate::affine::Affine;

    /// Both rules as products of matrices.
    #[test]
    fn the_rules_are_products_of_matrices() {
        let of = |matrix: Matrix| Affine::of_matrix(&matrix);
        let mirror = of([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        let exchange = of([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        let rotation = crate::affine::unit([0.1, -0.4, 0.3, 0.8]).unwrap();
        let joint = Affine::of_parts([1.0, 2.0, 3.0], rotation, [1.0; 3]);
        for (axes, right) in [(JointAxes::Game, mirror), (JointAxes::Blender, exchange)] {
            let expected = Place::of(&mirror.product(&joint).product(&right));
            let found = axes.bone(&Place::of(&joint));
            let sign = if found.rotation[3] * expected.rotation[3] < 0.0 { -1.0 } else { 1.0 };
            assert_eq!(found.translation, expected.translation);
            for (found, expected) in found.rotation.into_iter().zip(expected.rotation) {
                assert!((found - sign * expected).abs() < 1e-12, "{axes:?}");
            }
        }
    }
}
