//! Assets from bytes that come from anywhere, such as a network: `cargo run --example network`
//!
//! Any owner of bytes will do: `Bytes`, `Arc<[u8]>`, `Vec<u8>`. Nothing is copied after the bytes have arrived.

use std::sync::Arc;

use bytes::Bytes;
use skelmap::model::{Transform, Wrap};
use skelmap::{Asset, AssetBuf};

/// Stands for a request: a body that the client has received.
fn receive(name: &str) -> std::io::Result<Bytes> {
    std::fs::read(name).map(Bytes::from)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A view borrows the body.
    let body = receive("corpus/fox.psk")?;
    let asset = Asset::parse(&body)?;
    println!("{}: {:?}", asset.format(), asset.mesh().and_then(|mesh| mesh.bounds()));

    // An owned form keeps the body and can be stored. Clones of `Bytes` share their memory.
    let animation = AssetBuf::parse(receive("corpus/fox.psa")?)?;
    let shared: AssetBuf<Arc<[u8]>> = AssetBuf::parse(Arc::from(receive("corpus/fox_walk.psa")?.as_ref()))?;
    for asset in [animation.view(), shared.view()] {
        for clip in asset.clips() {
            let mut pose = vec![Transform::IDENTITY; clip.track_count()];
            clip.sample(0.5, Wrap::Loop, &mut pose)?;
            println!("{:?} of {}: {:?}", clip.name(), asset.format(), pose.last().map(|bone| bone.translation));
        }
    }
    Ok(())
}
