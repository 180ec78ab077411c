//! Analyses as passes over the model: each a pure function with one result type, in a file of its own with its tests.
//!
//! Bodies are read in `parse` while its cursors are at hand (`elements`, `table_indices`, `pointer_ranges`, `nullness`,
//! `only_read`, `casts`, `union_tags`, `field_usage`), keyed by declaration; the results are kept with parameters and
//! members. The passes here combine that over functions and classes:
//!
//! - [`allocates`]: whether a function hands out memory that it, or a callee, has allocated.
//! - [`anonymous_members`]: the structure or union that an unnamed member is ([`anonymous_members::within`]), and the
//!   member by which a whole union is set and compared ([`anonymous_members::whole`]).
//! - [`default_construction`]: whether `Class object{}` compiles; for constructors, stubs and empty handles.
//! - [`definitions`]: classes whose constructor only gives the members their first values.
//! - [`failing_calls`]: the calls that a unit may come to and that fail where memory or a device does
//!   ([`failing_calls::Row`]).
//! - [`factories`]: which class a function yields an object of, and how ([`factories::Yield`]); for the construction
//!   graph.
//! - [`field_usage`]: the members that a unit and its callees name ([`field_usage::FieldUsage`]); of a large structure
//!   only those get values and are compared.
//! - [`flexible_members`]: the array of no said length at the end of a structure.
//! - [`given_back`]: the parameters whose memory a function frees.
//! - [`handles`]: what a smart pointer of the project leads to, and how it is had ([`handles::Grip`]).
//! - [`hidden_state`]: classes whose state is not reachable through their members, and what they can be asked.
//! - [`implementable`]: the pure methods that a class derived from an interface must have, or why none can be derived.
//! - [`member_lengths`]: arrays among members with what counts them, by names ([`member_lengths::Extent`]) and by
//!   bodies ([`member_lengths::Counted`]).
//! - [`out_params`]: the object that a function leaves behind a parameter ([`out_params::out_param`]).
//! - [`tables`]: variables that nobody made `const` and everybody only reads ([`tables::Tables`]).
//! - [`text_readers`]: the functions that read a text, or bytes, that a caller has in memory.
//! - [`union_tags`]: the member that says which member of a union beside it is alive ([`union_tags::Tag`]).

pub mod allocates;
pub mod anonymous_members;
pub mod called_by_members;
pub mod default_construction;
pub mod definitions;
pub mod factories;
pub mod failing_calls;
pub mod field_usage;
pub mod flexible_members;
pub mod given_back;
pub mod handles;
pub mod hidden_state;
pub mod implementable;
pub mod member_lengths;
pub mod out_params;
pub mod tables;
pub mod text_readers;
pub mod union_numbers;
pub mod union_tags;
