//! YAML to typed hooks.
#[allow(missing_docs)]
#[derive(Default)]
pub struct FieldHook { pub length: Option<u64>, pub init: Vec<String> }
#[allow(missing_docs)]
#[derive(Default)]
pub struct Overrides;
#[allow(missing_docs)]
impl Overrides {
    pub fn constructs(&self, _: &str) -> bool { false }
    pub fn field(&self, _: &str, _: &str) -> Option<FieldHook> { None }
    pub fn subtypes_for(&self, _: &str, _: &str) -> Option<Vec<String>> { None }
    pub fn template_args_for(&self, _: &str, _: &str) -> Option<Vec<String>> { None }
    pub fn reset(&self, _: &str) -> Vec<String> { vec![] }
    pub fn excluded(&self) -> Vec<(String, String, String)> { vec![] }
}
