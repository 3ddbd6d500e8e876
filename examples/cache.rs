//! A cache of animations that threads share: `cargo run --example cache`
//!
//! An animation is parsed once and stored with its bytes. Each thread takes clips of it, which borrow the bytes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

use skelmap::model::{Transform, Wrap};
use skelmap::{AssetBuf, mapping::Mapping};

type Animation = Arc<AssetBuf<Mapping<'static>>>;

/// Animations by their path.
#[derive(Default)]
struct Cache(Mutex<HashMap<PathBuf, Animation>>);

impl Cache {
    fn get(&self, path: &Path) -> Result<Animation, Box<dyn std::error::Error + Send + Sync>> {
        if let Some(animation) = self.0.lock().map_err(|_| "a thread panicked")?.get(path) {
            return Ok(Arc::clone(animation));
        }
        // Read without the lock: other threads go on.
        let animation = Arc::new(AssetBuf::parse(Mapping::read(path)?).map_err(|error| error.to_string())?);
        self.0.lock().map_err(|_| "a thread panicked")?.insert(path.to_owned(), Arc::clone(&animation));
        Ok(animation)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let cache = Cache::default();
    thread::scope(|scope| {
        let player = |seconds: f64| {
            let cache = &cache;
            scope.spawn(move || -> Result<f32, Box<dyn std::error::Error + Send + Sync>> {
                let animation = cache.get(Path::new("corpus/fox.psa"))?;
                let asset = animation.view();
                let clip = asset.clips().next().ok_or("no clip")?;
                let mut pose = vec![Transform::IDENTITY; clip.track_count()];
                clip.sample(seconds, Wrap::Loop, &mut pose)?;
                Ok(pose.iter().map(|bone| bone.translation[2]).fold(f32::MIN, f32::max))
            })
        };
        let players: Vec<_> = (0..4).map(|player_number| player(f64::from(player_number) * 0.1)).collect();
        for player in players {
            println!("{:?}", player.join().map_err(|_| "a thread panicked")??);
        }
        Ok(())
    })
}
