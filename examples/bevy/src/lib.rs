//! An asset loader of Bevy: `.psk` and `.pskx` with a `.psa` (Unreal `ActorX`), `.pmd` with a `.psa` (0 A.D.).
//!
//! ```no_run
//! use bevy_app::App;
//! use bevy_asset::AssetServer;
//! use skelmap_bevy_example::{Skeletal, SkeletalPlugin, SkeletalSettings};
//!
//! let mut app = App::new();
//! app.add_plugins(SkeletalPlugin); // after the plugins of Bevy
//! let animation = |settings: &mut SkeletalSettings| settings.animation = Some("fox.psa".into());
//! let fox = app.world().resource::<AssetServer>().load_builder().with_settings(animation).load::<Skeletal>("fox.psk");
//! ```
//!
//! [`Skeletal::spawn`] makes the entities. All values are in metres, y up, right-handed.

mod clip;
mod loader;
mod scene;

pub use loader::{LoadError, SkeletalLoader, SkeletalSettings};
pub use scene::{Joint, Part, Skeletal, Spawned};

use bevy_app::{App, Plugin};
use bevy_asset::AssetApp as _;

/// Adds the loader.
#[derive(Debug)]
pub struct SkeletalPlugin;

impl Plugin for SkeletalPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<Skeletal>().register_asset_loader(SkeletalLoader);
    }
}
