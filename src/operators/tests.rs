//! What every operator makes, and what it must not.

use super::testing::lines;

const C: &str = "-std=c11";
const CXX: &str = "-std=c++17";

/// What `operator` makes of the statement `body` in a function with these parameters.
fn of(operator: &str, standard: &str, parameters: &str, body: &str) -> Vec<String> {
    let text = format!("int f({parameters}) {{\n{body}\nreturn 0;\n}}\n");
    let made = lines(standard, &text, &[operator]);
    made.into_iter().map(|line| line.strip_prefix(&format!("{operator}: ")).unwrap().to_owned()).collect()
}

#[test]
fn abs_negates_numbers_that_are_used() {
    assert_eq!(of("ABS", C, "int a, double d", "a = a - a * (int)d;"), ["a = -a - a * (int)d;"; 0]);
}
