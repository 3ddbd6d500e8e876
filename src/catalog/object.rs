//! An object in a store, as an item.

use crate::archive::Address;
use crate::remote::{Listed, Object, Remote, RemoteError};

/// An object that is no archive, and the way to it.
#[derive(Debug)]
pub(super) struct RemoteItem {
    pub(super) remote: Remote,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Named { location: String, address: Address },
    Listed(Listed),
}

impl RemoteItem {
    pub(super) fn address(&self) -> Address {
        match &self.kind {
            Kind::Named { address, .. } => address.clone(),
            Kind::Listed(listed) => Address::of_file(&listed.address),
        }
    }

    pub(super) fn size_hint(&self) -> u64 {
        match &self.kind {
            Kind::Named { .. } => 0,
            Kind::Listed(listed) => listed.size,
        }
    }

    pub(super) const fn remote(&self) -> &Remote {
        &self.remote
    }

    /// The address with its query.
    pub(super) fn location(&self) -> &str {
        match &self.kind {
            Kind::Named { location, .. } => location,
            Kind::Listed(listed) => &listed.address,
        }
    }

    pub(super) fn open(&self) -> Result<Object, RemoteError> {
        match &self.kind {
            Kind::Named { location, .. } => self.remote.object(location),
            Kind::Listed(listed) => Ok(self.remote.listed(listed)),
        }
    }
}
