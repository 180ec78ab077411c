//! One file per engine behind one trait.
