//! Names of files. A driver makes the file beside itself; a test does so too, and removes it.

use super::writer::{Lowered, Lowering, Made};
use crate::cpp::string_literal;
use crate::generate::literal::Scalar;
use crate::model::{Type, TypeKind};
use crate::plan::{FILE_CHOICES, FILE_LENGTH};

/// Begins a call of the helper by which a test makes a file.
pub const MAKES: &str = "file_with(";
/// Begins a call of the helper by which a test reads one.
pub const READS: &str = "content_of(";

/// The name of `file`, which is there, or any text.
pub(super) fn name(lowering: &mut Lowering<'_>, ty: &Type, file: &str, name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    let literal = string_literal(file.as_bytes());
    let value = if lowering.from_input() {
        match lowering.is_c() {
            true => format!("motif_take_file(in, {literal}, {FILE_LENGTH})"),
            false => format!("in.file({literal}, {FILE_LENGTH})"),
        }
    } else if lowering.draw_pick(FILE_CHOICES as usize, "the name of a file")? + 1 == FILE_CHOICES as usize {
        lowering.draw_text("the name of a file")?
    } else {
        lowering.draw_size("the length of a file")?;
        let bytes: Vec<u8> = lowering.draw_array("the content of a file")?.iter().flat_map(Scalar::raw).collect();
        let (content, removes) = (string_literal(&bytes), if lowering.is_c() { "remove" } else { "std::remove" });
        lowering.at_end.push(format!("{removes}({literal});"));
        lowering.made_files.push(file.to_owned());
        format!("{MAKES}{literal}, {content}, {})", bytes.len())
    };
    if matches!(ty.kind, TypeKind::Pointer(_)) {
        // It lives as long as the input.
        let declaration = lowering.declare(ty, &name);
        lowering.line(format!("{declaration} = {value};"));
        return Ok(Made::variable(&name));
    }
    Ok(lowering.set_variable(&name, &crate::types::compose::text(), &value))
}
