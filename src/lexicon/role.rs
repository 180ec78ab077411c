//! The roles that names are read for.

use serde::{Deserialize, Serialize};

/// How functions are called that make an object of nothing.
pub const MAKES: [Role; 3] = [Role::Creates, Role::Opens, Role::Initialises];

/// What a name may suggest. The words of each are data: `utility-overrides/builtin/lexicon.yaml`, and a project's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// How many elements or bytes there are.
    Length,
    /// How long what stands before it is, whatever that is called.
    OwnLength,
    /// A length that is one in bytes where nothing else is said.
    Size,
    /// A length that says that it is one in bytes.
    Bytes,
    /// For how many elements or bytes there is room.
    Room,
    /// How many hold an object; nothing lies behind these.
    ReferenceCount,
    /// Memory as such, of which only a length says how much there is.
    Memory,
    /// Text that ends by itself.
    Text,
    /// Text that says how the arguments behind it are to be read.
    Format,
    /// A number that marks a text, and says nothing of its length.
    Tag,
    /// The two ends of a range, begin and end.
    RangeEnds,
    /// The end of a range, whatever the beginning is called.
    RangeEnd,
    /// The end of a text, in short.
    TextEnd,
    /// Something that moves through a range.
    Place,
    /// A file, a folder or a host, outside the process.
    File,
    /// Makes an object.
    Creates,
    /// Hands out memory.
    Allocates,
    /// Makes memory that was handed out larger or smaller.
    Reallocates,
    /// A block of memory that was handed out.
    Block,
    /// Makes an object of something outside.
    Opens,
    /// Makes an object of a text, or fills it from one.
    Reads,
    /// Makes an object ready that its caller has room for.
    Initialises,
    /// Takes down what is in an object, and leaves the object alone; the first of them for certain.
    Clears,
    /// Destroys an object, or gives up a share of it.
    Ends,
    /// Takes something out of an object, or destroys it.
    Drops,
    /// Ends the program or what it does.
    Stops,
    /// Waits for others.
    Waits,
    /// Keeps others out, or lets them in again.
    Locks,
    /// Writes for people to read.
    Prints,
    /// Runs commands, or everything there is.
    Runs,
    /// Gives a part of an object a value.
    Sets,
    /// Puts something into an object.
    Adds,
    /// Puts something in at a place, which may be the one behind the last.
    Inserts,
    /// Takes elements from elsewhere.
    CopiesIn,
    /// Takes something out of an object.
    Removes,
    /// Looks for something in an object.
    LooksUp,
    /// Turns its object into something else.
    Converts,
    /// Reads by a format, and writes where its arguments point to.
    Scans,
    /// Tells whether a pointer that is an object leads anywhere.
    TellsEmptiness,
    /// Yields what may not be there, what somebody keeps, or where something is.
    Unsteady,
    /// Files and folders of tests.
    Test,
    /// Files and folders that show how a library is used.
    Example,
    /// Folders of what tests and examples read.
    Samples,
    /// Endings of the names of files that are code, or text for people.
    CodeFile,
    /// Files that say how something is built.
    BuildFile,
    /// An iterator, or the type of one.
    Iterator,
    /// Where results go.
    Output,
    /// The type of characters.
    Character,
    /// The parameter of a template that no number will do for.
    ClassArgument,
    /// A condition of a template that names the type it wants.
    SameType,
    /// A condition that wants a floating-point number.
    Floating,
    /// A condition that wants an unsigned number.
    Unsigned,
    /// A condition that wants an enumeration.
    Enumeration,
    /// A condition that wants a pointer.
    Pointer,
    /// A condition that wants a number.
    Number,
    /// A condition that wants a container.
    Container,
    /// A condition that wants text.
    String,
}

impl AsRef<[Role]> for Role {
    fn as_ref(&self) -> &[Role] {
        std::slice::from_ref(self)
    }
}
