//! Placeholder for the uri room.
