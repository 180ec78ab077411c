//! Names of files. A driver makes the file beside itself; a test does so too, and removes it.

use super::writer::{Lowered, Lowering, Made, MadeFile};
use crate::cpp::string_literal;
use crate::generate::literal::Scalar;
use crate::generate::trace::Draw;
use crate::model::{Type, TypeKind};
use crate::plan::{FILE_CHOICES, FILE_LENGTH, FILE_NONE, FILE_TEXT};
use crate::types::standard::is_string;

/// Begins a call of the helper by which a test makes a file.
pub const MAKES: &str = "file_with(";
/// Begins a call of the helper by which a test reads one.
pub const READS: &str = "content_of(";

/// What the record calls a file whose name is any text.
pub const BY_ANY_NAME: &str = "motif_file_by_any_name";

/// The name of `file`, which is mostly there, or any text.
pub(super) fn name(lowering: &mut Lowering<'_>, ty: &Type, file: &str, name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    let literal = string_literal(file.as_bytes());
    let value = if lowering.from_input() {
        match lowering.is_c() {
            true => format!("motif_take_file(in, {literal}, {FILE_LENGTH})"),
            false => format!("in.file({literal}, {FILE_LENGTH})"),
        }
    } else {
        match lowering.draw_pick(FILE_CHOICES as usize, "the name of a file")? as u64 {
            FILE_TEXT => {
                let Draw::Text(bytes) = lowering.draw()? else { return Err("the name of a file is no text".into()) };
                lowering
                    .made_files
                    .push(MadeFile { name: String::from_utf8_lossy(&bytes).into_owned(), is_ours: false });
                string_literal(&bytes)
            }
            choice => {
                lowering.made_files.push(MadeFile { name: file.to_owned(), is_ours: true });
                if choice == FILE_NONE {
                    literal
                } else {
                    lowering.draw_size("the length of a file")?;
                    let drawn = lowering.draw_array("the content of a file")?;
                    let bytes: Vec<u8> = drawn.iter().flat_map(Scalar::raw).collect();
                    format!("{MAKES}{literal}, {}, {})", string_literal(&bytes), bytes.len())
                }
            }
        }
    };
    if !matches!(&ty.kind, TypeKind::Record { name, .. } if is_string(name)) {
        // It lives as long as the input; views and paths are made of it where it is passed.
        lowering.line(format!("const char *{name} = {value};"));
        return Ok(Made::variable(&name));
    }
    Ok(lowering.set_variable(&name, &crate::types::compose::text(), &value))
}
