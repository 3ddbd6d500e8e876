//! The choices of files for games: the same for the command, for Python and for other programs.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use skelmap_write::pyrogenesis::{Frames, JointAxes, UnknownBones};

use crate::Target;
use crate::kind::GameKind;

/// Every choice of files for games. What is converted, and where to, is no choice.
///
/// ```
/// use skelmap_batch::game::GameOptions;
///
/// let options: GameOptions = serde_json::from_str(r#"{"axes": "blender", "frames": "loop"}"#)?;
/// assert!(options.axes.is_some() && options.object.is_none());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct GameOptions {
    /// The kind of the files: by default that of the extension of the output, else that of the target, else [`GameKind::Pmd`].
    pub to: Option<GameKind>,
    /// The program that should read the files: the kind is its kind, and a file that it would refuse is not written.
    pub target: Option<Target>,
    /// Metres in a unit of `ActorX` files, which do not state it: a centimetre by default.
    pub metres: f32,
    /// The most bytes of all files of an input: see [`OutputLimit`](crate::OutputLimit).
    pub max_output: Option<u64>,
    /// Files of skeletons (`art/skeletons/*.xml`), or folders of such. Without any: those of the nearest `art/skeletons` above the output or the input.
    pub skeletons: Vec<PathBuf>,
    /// Whether bones are the joints in their own order, and no skeleton is looked for.
    pub joint_order: bool,
    /// The axes of the joints, if they are known.
    pub axes: Option<JointAxes>,
    /// A mesh of the game with the same skeleton, which tells the axes.
    pub like: Option<PathBuf>,
    /// The treatment of joints that the skeleton does not have.
    pub unknown: UnknownBones,
    /// The frames of animations.
    pub frames: Frames,
    /// The name of the mesh node.
    pub object: Option<String>,
    /// The names of the animations that are converted; all if there is none.
    pub sequences: Vec<String>,
    /// Whether an actor is written for each mesh.
    pub new_actor: bool,
    /// Whether outputs have the names of what the game made of a source of its own (`horse.dae.cached.pmd`): they replace models of the game.
    pub replaces: bool,
}

impl Default for GameOptions {
    fn default() -> Self {
        Self {
            to: None,
            target: None,
            metres: 0.01,
            max_output: None,
            skeletons: Vec::new(),
            joint_order: false,
            axes: None,
            like: None,
            unknown: UnknownBones::default(),
            frames: Frames::default(),
            object: None,
            sequences: Vec::new(),
            new_actor: false,
            replaces: false,
        }
    }
}
