//! Workers, limits, journal.
