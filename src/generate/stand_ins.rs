//! Definitions that stand in for functions and variables that nobody defines, and for callbacks, as one text: with
//! notes of the calls for drivers and for the tests that ask for these, without for the others.

use super::undefined_symbols::{Writer, constant, declared, variable};
use crate::lexicon::Lexicon;
use crate::model::{Language, Model};
use crate::plan::{Entry, Outside, StandIn};

const NOTE: &str = "static void stand_in_note(const char *format, ...) {
  const size_t length = strlen(stand_ins.calls);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(stand_ins.calls + length, sizeof stand_ins.calls - length, format, arguments);
  va_end(arguments);
}";
const DATA: &str = "static void stand_in_data(const void *data, size_t size) {
  size_t at;
  stand_in_note(data ? \"{\" : \"{null\");
  for (at = 0; data && at < size && at < 64; at++) {
    stand_in_note(at ? \" %02x\" : \"%02x\", ((const unsigned char *)data)[at]);
  }
  stand_in_note(\"}\");
}";

const FILL: &str = "static void stand_in_fill(void *to, size_t size, const void *from, size_t room, size_t *at) {
  size_t done;
  /* A greater number is no length. */
  if (size > 65536) return;
  for (done = 0; done < size; done++) {
    ((unsigned char *)to)[done] = ((const unsigned char *)from)[(*at)++ % room];
  }
}";

/// The definitions, at file scope; nothing where the entry has none.
pub fn definitions(lexicon: &Lexicon, model: &Model, entry: &Entry, language: Language) -> Option<String> {
    Some(StandIns::of(lexicon, model, entry, language)?.noting(&|_| true))
}

/// Definitions that stand in for functions and variables.
#[derive(Clone, Debug, PartialEq)]
pub struct StandIns {
    language: Language,
    functions: Vec<StandInText>,
    variables: String,
}

/// A function that stands in for another.
#[derive(Clone, Debug, PartialEq)]
struct StandInText {
    name: String,
    is_callback: bool,
    members: Vec<String>,
    /// It notes its calls, and answers what is in `stand_ins`.
    noting: String,
    /// It does nothing, and answers nothing.
    quiet: String,
    /// It ends the program: no test calls it.
    uncalled: String,
}

impl StandIns {
    /// Whether a test with these statements may call any: one that another function's name leads to, or a callback that
    /// it names.
    pub fn are_reached(&self, statements: &str) -> bool {
        let names = |function: &StandInText| !function.is_callback || statements.contains(function.name.as_str());
        !self.variables.is_empty() || self.functions.iter().any(names)
    }

    /// Those of a way into a unit, if it has any.
    pub fn of(lexicon: &Lexicon, model: &Model, entry: &Entry, language: Language) -> Option<Self> {
        if entry.outside.is_empty() {
            return None;
        }
        let mut all = Self { language, functions: Vec::new(), variables: String::new() };
        for outside in &entry.outside {
            match outside {
                Outside::Function { does, .. } | Outside::Callback { does, .. } => {
                    let (prefix, function) = match outside {
                        Outside::Callback { function, .. } => ("static ", &**function),
                        Outside::Function { function, .. } => ("", model.functions.get(function)?),
                        Outside::Variable { .. } => continue,
                    };
                    let name = does.name.clone();
                    let nothing = StandIn { name, answer: None, transfers: None, writes: Vec::new() };
                    let text = |[is_quiet, is_uncalled]: [bool; 2], does| {
                        let writer = Writer { lexicon, model, language, is_quiet, is_uncalled };
                        format!("{prefix}{}", writer.function(function, does))
                    };
                    all.functions.push(StandInText {
                        name: function.name.clone(),
                        is_callback: !prefix.is_empty(),
                        members: Writer { lexicon, model, language, is_quiet: false, is_uncalled: false }
                            .members(outside, does),
                        noting: text([false, false], does),
                        quiet: text([true, false], &nothing),
                        uncalled: text([true, true], &nothing),
                    });
                }
                Outside::Variable { variable: usr, name, symbol, ty, .. } => {
                    let (name, is_constant) = (variable(name), model.variables.get(usr).is_some_and(|v| v.ty.is_const));
                    all.variables.push_str(&if is_constant {
                        constant(ty, &name, symbol, language)?
                    } else {
                        // By its symbol: it may be declared nowhere that this file sees.
                        format!("\n{} __asm__(\"{symbol}\");\n", declared(ty, &name))
                    });
                }
            }
        }
        Some(all)
    }

    /// Whether others than callbacks are among them, which replace names of the project.
    pub fn replaces_names(&self) -> bool {
        !self.variables.is_empty() || self.functions.iter().any(|function| !function.is_callback)
    }

    /// As they note calls and answer; callbacks only where they are used.
    pub fn noting(&self, is_used: &dyn Fn(&str) -> bool) -> String {
        let mut members = vec!["char calls[2048];".to_owned()];
        let mut text = String::new();
        for function in self.used(is_used) {
            members.extend(function.members.iter().cloned());
            text.push_str(&format!("\n{}\n", function.noting));
        }
        text.push_str(&self.variables);
        let comment = match self.replaces_names() {
            false => "What is called back: it notes how, and answers what is in `stand_ins`.",
            true => {
                "What the project uses and nobody defines: it notes how it is called, and answers what is in \
                 `stand_ins`."
            }
        };
        let members: String = members.iter().map(|member| format!("  {member}\n")).collect();
        let attribute = "__attribute__((format(printf, 1, 2), unused))";
        let used = |(call, helper): &(&str, &str)| text.contains(call).then(|| format!("\n\n{helper}"));
        let helpers: String = [("stand_in_data(", DATA), ("stand_in_fill(", FILL)].iter().filter_map(used).collect();
        let comment = self.comment(comment);
        format!("{comment}\nstatic struct {{\n{members}}} stand_ins;\n\n{attribute}\n{NOTE}{helpers}\n{text}")
    }

    /// For tests that ask nothing of them: they do nothing. Callbacks only where they are used. Where nothing calls
    /// any of them, they are there to link.
    pub fn quiet(&self, are_called: bool, is_used: &dyn Fn(&str) -> bool) -> Option<String> {
        let text = |function: &'_ StandInText| match are_called || function.is_callback {
            true => function.quiet.clone(),
            false => function.uncalled.clone(),
        };
        let functions: Vec<String> = self.used(is_used).map(text).collect();
        let text = functions.join("\n\n") + &self.variables;
        let comment = match self.replaces_names() {
            false => String::new(),
            true if are_called => self.comment("What the project uses and nobody defines.") + "\n",
            true => self.comment("What this build does not define: the tests link with it, and do not call it.") + "\n",
        };
        (!text.is_empty()).then(|| comment + text.trim_start())
    }

    fn used<'s>(&'s self, is_used: &'s dyn Fn(&str) -> bool) -> impl Iterator<Item = &'s StandInText> {
        self.functions.iter().filter(|function| !function.is_callback || is_used(&function.name))
    }

    fn comment(&self, text: &str) -> String {
        if self.language == Language::C { format!("/* {text} */") } else { format!("// {text}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callback_is_reached_where_a_test_names_it_and_another_function_from_anywhere() {
        let reached = |is_callback: bool, said: &str| {
            let [noting, quiet, uncalled] = [const { String::new() }; 3];
            let name = "called_heard".to_owned();
            let functions = vec![StandInText { name, is_callback, members: Vec::new(), noting, quiet, uncalled }];
            StandIns { language: Language::C, functions, variables: String::new() }.are_reached(said)
        };
        assert!(reached(true, "each(values, 1, called_heard);"));
        assert!(!reached(true, "each(NULL, -1, NULL);"));
        assert!(reached(false, "each(NULL, -1, NULL);"));
    }
}
