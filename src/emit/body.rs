//! From the pieces that generation makes of a killing input to a test case.

use super::{Expectation, TestCase, ValueKind};
use crate::generate::expect::{Check, CheckKind, TestBody};
use crate::outcome::How;

impl TestCase {
    /// Takes over what generation wrote for the killing input.
    #[must_use]
    pub fn with_body(mut self, body: &TestBody) -> Self {
        let throws = body.checks.iter().any(|check| matches!(check, Check::Throws { .. }));
        // What throws yields nothing to keep.
        self.call = Some(match &body.result {
            Some(result) if !throws => format!("{result} = {};", body.call),
            _ if body.call.ends_with('}') => body.call.clone(),
            _ => format!("{};", body.call),
        });
        self.statements = body.setup.clone();
        self.take_down.clone_from(&body.take_down);
        self.private_access |= body.private_access;
        self.expectations = body.checks.iter().map(Expectation::from).collect();
        match self.how {
            How::Exception if !throws => self.expectations.insert(0, Expectation::NoThrow),
            How::Crash | How::Hang | How::Sanitizer => self.expectations.insert(0, Expectation::Returns),
            _ => {}
        }
        self
    }
}

impl From<&Check> for Expectation {
    fn from(check: &Check) -> Self {
        match check {
            Check::Throws { ty, what, exactly } => {
                Self::Throws { type_name: ty.clone(), what: what.clone(), exactly: *exactly }
            }
            Check::Equal { actual, expected, kind } => {
                let kind = match kind {
                    CheckKind::Bool => ValueKind::Bool,
                    CheckKind::Int => ValueKind::Int,
                    CheckKind::Float => ValueKind::Float,
                    CheckKind::Double => ValueKind::Double,
                    CheckKind::LongDouble => ValueKind::LongDouble,
                    CheckKind::Text => ValueKind::Text,
                    CheckKind::Enum => ValueKind::Enum,
                };
                Self::equal(actual, expected, kind)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Language;

    fn case(how: How) -> TestCase {
        TestCase {
            mutant_id: "m".into(),
            mutated: "/m".into(),
            unit_id: "u".into(),
            unit_slug: "u".into(),
            suite: "S".into(),
            name: "N".into(),
            language: Language::Cxx,
            operator: "ROR".into(),
            file: "/f".into(),
            line: 1,
            diff: String::new(),
            how,
            sanitizer: None,
            command_file: "/f".into(),
            includes: Vec::new(),
            source_include: None,
            source_defines_main: false,
            private_access: false,
            helpers: Vec::new(),
            take_down: Vec::new(),
            statements: Vec::new(),
            call: None,
            expectations: Vec::new(),
        }
    }

    fn body(checks: Vec<Check>) -> TestBody {
        TestBody { call: "f(1)".into(), result: Some("const double result".into()), checks, ..TestBody::default() }
    }

    #[test]
    fn a_result_is_kept_unless_the_call_throws() {
        let check = Check::Equal { actual: "result".into(), expected: "-0.0".into(), kind: CheckKind::Double };
        let kept = case(How::Output).with_body(&body(vec![check]));
        assert_eq!(kept.call.as_deref(), Some("const double result = f(1);"));
        assert_eq!(kept.expectations, [Expectation::NegativeZero("result".into())]);
        let throws = Check::Throws { ty: "std::runtime_error".into(), what: None, exactly: true };
        let thrown = case(How::Exception).with_body(&body(vec![throws]));
        assert_eq!(thrown.call.as_deref(), Some("f(1);"));
    }

    #[test]
    fn a_mutant_that_throws_where_the_original_returns_is_said_so() {
        assert_eq!(case(How::Exception).with_body(&body(vec![])).expectations, [Expectation::NoThrow]);
        assert_eq!(case(How::Crash).with_body(&body(vec![])).expectations, [Expectation::Returns]);
    }
}
