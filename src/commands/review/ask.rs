//! Questions on the terminal, one change at a time.

use std::io::{BufRead, Write};

/// The user's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Take it.
    Accept,
    /// Keep the accepted files, and do not ask again.
    Reject,
    /// Decide later.
    Skip,
    /// Decide about this one and the rest later.
    Quit,
}

/// The questions of one review.
pub struct Asked {
    total: usize,
    done: usize,
    /// The answer of `a` or `r` for the rest.
    rest: Option<Answer>,
}

impl Asked {
    /// For `total` questions.
    pub fn new(total: usize) -> Self {
        Self { total, done: 0, rest: None }
    }

    /// Asks on the terminal.
    ///
    /// # Errors
    ///
    /// The terminal is gone.
    pub fn next(&mut self, what: &str) -> std::io::Result<Answer> {
        self.ask(what, &mut std::io::stdin().lock(), &mut std::io::stderr())
    }

    fn ask(&mut self, what: &str, from: &mut impl BufRead, to: &mut impl Write) -> std::io::Result<Answer> {
        self.done += 1;
        if let Some(answer) = self.rest {
            return Ok(answer);
        }
        loop {
            write!(to, "({} of {}) accept {what}? [y/n/s/a/r/q, ? for help] ", self.done, self.total)?;
            to.flush()?;
            let mut line = String::new();
            if from.read_line(&mut line)? == 0 {
                // End of input: nobody can answer.
                writeln!(to)?;
                return Ok(Answer::Quit);
            }
            match line.trim().to_ascii_lowercase().as_str() {
                "y" | "yes" => return Ok(Answer::Accept),
                "n" | "no" => return Ok(Answer::Reject),
                "s" | "skip" => return Ok(Answer::Skip),
                "q" | "quit" => return Ok(Answer::Quit),
                "a" | "all" => {
                    self.rest = Some(Answer::Accept);
                    return Ok(Answer::Accept);
                }
                "r" | "rest" => {
                    self.rest = Some(Answer::Reject);
                    return Ok(Answer::Reject);
                }
                _ => writeln!(
                    to,
                    "y  accept: the file in the repository becomes this\n\
                     n  reject: it stays, and this change is not asked about again\n\
                     s  skip: decide later\n\
                     a  accept this and all that follow\n\
                     r  reject this and all that follow\n\
                     q  quit: leave this and all that follow"
                )?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(typed: &str, questions: usize) -> (Vec<Answer>, String) {
        let mut asked = Asked::new(questions);
        let (mut from, mut to) = (typed.as_bytes(), Vec::new());
        let all = (0..questions).map(|_| asked.ask("f()", &mut from, &mut to).unwrap()).collect();
        (all, String::from_utf8(to).unwrap())
    }

    #[test]
    fn each_change_has_an_answer_of_its_own() {
        let (all, _) = answers("y\nn\ns\nq\n", 4);
        assert_eq!(all, [Answer::Accept, Answer::Reject, Answer::Skip, Answer::Quit]);
    }

    #[test]
    fn one_answer_may_be_for_all_that_follow() {
        assert_eq!(answers("s\na\n", 4).0, [Answer::Skip, Answer::Accept, Answer::Accept, Answer::Accept]);
        assert_eq!(answers("r\n", 2).0, [Answer::Reject, Answer::Reject]);
    }

    #[test]
    fn what_is_not_understood_is_explained_and_asked_again() {
        let (all, said) = answers("maybe\nY\n", 1);
        assert_eq!(all, [Answer::Accept]);
        assert!(said.contains("n  reject") && said.matches("(1 of 1) accept f()?").count() == 2, "{said}");
    }

    #[test]
    fn the_end_of_input_decides_nothing() {
        assert_eq!(answers("", 1).0, [Answer::Quit]);
    }
}
