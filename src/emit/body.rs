//! From the pieces that generation makes of a killing input to a test case.

use super::{Check, TestCase, naming};
use crate::generate::expect::TestBody;

impl TestCase {
    /// Takes over what generation wrote for the killing input.
    #[must_use]
    pub fn with_body(mut self, body: &TestBody) -> Self {
        let throws = body.checks.iter().any(|check| matches!(check, Check::Throws { .. }));
        // A call that throws has no result to keep.
        self.call = Some(match &body.result {
            Some(result) if !throws => format!("{result} = {};", body.call),
            _ if body.call.ends_with('}') => body.call.clone(),
            _ => format!("{};", body.call),
        });
        self.unkept.clone_from(&body.unkept);
        self.statements = body.setup.clone();
        self.behind_call.clone_from(&body.behind_call);
        self.take_down.clone_from(&body.take_down);
        self.may_take_down.clone_from(&body.may_take_down);
        self.reads_private = body.reads_private;
        self.calls_private |= body.calls_private;
        self.private_access |= self.calls_private || body.reads_private;
        self.checks.clone_from(&body.checks);
        self.telling = body.telling;
        self.written.clone_from(&body.written);
        self.observers.clone_from(&body.observers);
        self.further.clone_from(&body.further);
        let sets = naming::sets_all(&self.method);
        self.name = format!("{}_{}", self.method, naming::outcome(self.how, &self.checks, body.telling, sets));
        self
    }
}

#[cfg(test)]
impl TestCase {
    /// A case without a test, for tests of this tool.
    pub(crate) fn sample(mutant_id: &str) -> Self {
        use crate::model::Language;
        use crate::outcome::How;
        Self {
            mutant_id: mutant_id.into(),
            mutated: "/m".into(),
            unit_id: "u".into(),
            unit_slug: "u".into(),
            suite: "S".into(),
            method: "f".into(),
            name: String::new(),
            parameters: Vec::new(),
            when: None,
            apart_by: Vec::new(),
            language: Language::Cxx,
            operator: "ROR".into(),
            file: "/f".into(),
            line: 1,
            diff: String::new(),
            how: How::Output,
            sanitizer: None,
            command_file: "/f".into(),
            includes: Vec::new(),
            source_include: None,
            source_defines_main: false,
            hiding_macros: std::collections::BTreeSet::new(),
            own_macros: std::collections::BTreeSet::new(),
            has_bool: true,
            private_access: false,
            calls_private: false,
            reads_private: false,
            helpers: Vec::new(),
            stand_ins: None,
            calls_stand_ins: false,
            is_quiet: false,
            take_down: Vec::new(),
            may_take_down: Vec::new(),
            statements: Vec::new(),
            call: None,
            unkept: None,
            behind_call: None,
            checks: Vec::new(),
            telling: None,
            written: Vec::new(),
            apart: false,
            observers: Vec::new(),
            further: Vec::new(),
            keeps_files: false,
            only_for: Default::default(),
            fewer_arguments: Default::default(),
            as_found: false,
            by_hand: false,
            left_out: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::CheckKind;
    use super::*;
    use crate::outcome::How;

    fn case(how: How) -> TestCase {
        TestCase { how, ..TestCase::sample("m") }
    }

    fn body(checks: Vec<Check>) -> TestBody {
        TestBody { call: "f(1)".into(), result: Some("const double result".into()), checks, ..TestBody::default() }
    }

    #[test]
    fn a_result_is_kept_unless_the_call_throws() {
        let check = Check::Equal { actual: "result".into(), expected: "-0.0".into(), kind: CheckKind::Double };
        let kept = case(How::Output).with_body(&body(vec![check]));
        assert_eq!(kept.call.as_deref(), Some("const double result = f(1);"));
        let throws = Check::Throws { ty: "std::runtime_error".into(), what: None, exactly: true };
        let thrown = case(How::Exception).with_body(&body(vec![throws]));
        assert_eq!(thrown.call.as_deref(), Some("f(1);"));
    }
}
