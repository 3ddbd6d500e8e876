//! An object in a store, as an item.

use std::io;
use std::sync::Arc;

use skelmap::archive::Address;
use skelmap::mapping::{Object, Store};

/// An object that is no archive, and the way to it.
#[derive(Debug)]
pub(super) struct StoredItem {
    store: Arc<dyn Store>,
    /// The address with the parts that are not shown.
    location: String,
    /// The object, if a list had it.
    object: Option<Arc<dyn Object>>,
}

impl StoredItem {
    pub(super) fn new(store: &Arc<dyn Store>, location: String, object: Option<Arc<dyn Object>>) -> Self {
        Self { store: Arc::clone(store), location, object }
    }

    pub(super) fn address(&self) -> Address {
        Address::of_file(&self.location)
    }

    pub(super) fn size_hint(&self) -> u64 {
        self.object.as_ref().map_or(0, |object| object.size())
    }

    pub(super) fn store(&self) -> &dyn Store {
        &*self.store
    }

    pub(super) fn location(&self) -> &str {
        &self.location
    }

    pub(super) fn open(&self) -> io::Result<Arc<dyn Object>> {
        self.object.as_ref().map_or_else(|| self.store.open(&self.location), |object| Ok(Arc::clone(object)))
    }
}
