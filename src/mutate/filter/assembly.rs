//! Compares the code of copies by their assembly, without everything that distinguishes copies.
//!
//! Assembly contains all that the object would, with symbols and labels by name. The code of a copy is every symbol
//! with its number (also those of its static variables, lambdas, local classes, and parts that the compiler split
//! off), and all private data that it refers to (constants, strings, jump tables, exception tables), by content.
//! Labels are renumbered and the copy's number is removed. Other symbols count by name, so only copies in one
//! assembly can be compared. Unrecognised assembly makes code unequal to everything: a lost chance, never a wrong
//! answer.

use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The code of every copy, by number; incomparable copies are left out.
pub(super) fn codes(assembly: &str) -> BTreeMap<u32, [u8; 32]> {
    let listing = Listing::new(assembly);
    let mut codes = BTreeMap::new();
    for (number, symbols) in &listing.copies {
        if let Some(text) = listing.normal(*number, symbols) {
            codes.insert(*number, Sha256::digest(text.as_bytes()).into());
        }
    }
    codes
}

/// The normal form of one copy's code, for inspection.
#[cfg(test)]
fn normal(assembly: &str, number: u32) -> Option<String> {
    let listing = Listing::new(assembly);
    listing.normal(number, listing.copies.get(&number)?)
}

struct Listing<'a> {
    lines: Vec<&'a str>,
    /// The section of each line: an index into `sections`.
    section_of: Vec<u32>,
    sections: Vec<&'a str>,
    /// Lines that define symbols and labels, or give them a size or a value. A symbol defined twice counts as
    /// undefined.
    places: HashMap<&'a str, Vec<usize>>,
    /// The symbols of each copy, in order.
    copies: BTreeMap<u32, Vec<&'a str>>,
}

/// The number in `motif_m00001_` or `A7300001_c` (a constructor's tag, mangled).
fn numbers(symbol: &str) -> HashSet<u32> {
    let mut found = HashSet::new();
    for (start, prefix, suffix) in MARKS {
        for (at, _) in symbol.match_indices(start) {
            if let Some(number) = number_at(&symbol[at + prefix..], suffix) {
                found.insert(number);
            }
        }
    }
    found
}

/// The prefix of a copy's number, the number of digits before it, and the suffix.
const MARKS: [(&str, usize, &str); 3] = [("motif_m", 7, "_"), ("A73", 3, "_c"), ("[73", 3, "]")];

fn number_at(rest: &str, suffix: &str) -> Option<u32> {
    let digits = rest.get(..5).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    rest[5..].starts_with(suffix).then(|| digits.parse().ok()).flatten()
}

fn is_symbol_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'.' || byte >= 0x80
}

fn is_symbol(byte: u8) -> bool {
    is_symbol_start(byte) || byte.is_ascii_digit() || byte == b'$'
}

/// The symbol that a line defines.
fn label(line: &str) -> Option<&str> {
    let line = line.strip_suffix(':')?;
    let line = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line);
    let mut bytes = line.bytes();
    (bytes.next().is_some_and(is_symbol_start) && bytes.all(is_symbol)).then_some(line)
}

fn switches_section(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(
        word,
        ".section" | ".text" | ".data" | ".bss" | ".pushsection" | ".popsection" | ".previous" | ".subsection"
    )
}

fn is_text(line: &str) -> bool {
    [".ascii", ".asciz", ".string"].iter().any(|start| line.starts_with(start))
}

impl<'a> Listing<'a> {
    fn new(assembly: &'a str) -> Self {
        let mut listing = Self {
            lines: Vec::new(),
            section_of: Vec::new(),
            sections: vec![""],
            places: HashMap::new(),
            copies: BTreeMap::new(),
        };
        let mut known: HashMap<&str, u32> = HashMap::new();
        let mut section = 0;
        for line in assembly.lines().map(str::trim) {
            let at = listing.lines.len();
            listing.lines.push(line);
            if switches_section(line) {
                section = *known.entry(line).or_insert_with(|| {
                    listing.sections.push(line);
                    listing.sections.len() as u32 - 1
                });
            }
            listing.section_of.push(section);
            if let Some(symbol) = label(line).or_else(|| given(line)) {
                listing.places.entry(symbol).or_default().push(at);
                let marks = if symbol.starts_with(".L") { HashSet::new() } else { numbers(symbol) };
                for number in marks {
                    let symbols = listing.copies.entry(number).or_default();
                    if !symbols.contains(&symbol) {
                        symbols.push(symbol);
                    }
                }
            }
        }
        listing
    }

    /// The lines of the symbol at line `at`.
    fn piece(&self, symbol: &str, at: usize) -> Option<std::ops::Range<usize>> {
        let line = self.lines[at];
        if label(line).is_none() {
            return Some(at..at + 1);
        }
        let rest = || (at + 1..self.lines.len()).map(|at| (at, self.lines[at]));
        let ends_here = |line: &str| {
            let after = line.strip_prefix(".size").map(|rest| rest.trim_start().trim_start_matches('"'));
            after.and_then(|rest| rest.strip_prefix(symbol)).is_some_and(|rest| rest.starts_with([',', '"']))
        };
        if !symbol.starts_with(".L") {
            return Some(at..rest().find(|(_, line)| ends_here(line))?.0);
        }
        let section = self.sections[self.section_of[at] as usize];
        if section.contains("gcc_except_table") {
            let end = rest().find(|(_, line)| switches_section(line)).map_or(self.lines.len(), |(end, _)| end);
            return Some(at..end);
        }
        if section.contains(".text") {
            // A label inside a function that is not the copy's.
            return None;
        }
        let stops = |line: &str| {
            switches_section(line) || label(line).is_some() || line.starts_with(".type") || ends_here(line)
        };
        Some(at..rest().find(|(_, line)| stops(line)).map_or(self.lines.len(), |(end, _)| end))
    }

    /// The code of a copy without everything that distinguishes copies.
    fn normal(&self, number: u32, symbols: &[&'a str]) -> Option<String> {
        let mut writer = Writer { number, labels: HashMap::new(), lambdas: HashMap::new(), out: String::new() };
        if symbols.iter().any(|symbol| numbers(symbol).len() != 1) {
            return None;
        }
        let blotted = |symbol: &str| blot(&without_lambda_numbers(symbol, &mut |_| 0), number);
        let mut order: Vec<&str> = symbols.to_vec();
        order.sort_by_key(|symbol| blotted(symbol));
        let mut queue: Vec<std::ops::Range<usize>> = Vec::new();
        let mut inside: HashSet<usize> = HashSet::new();
        for symbol in order {
            for &at in self.places.get(symbol)? {
                let piece = self.piece(symbol, at)?;
                inside.extend(piece.clone());
                queue.push(piece);
            }
        }
        let mut next = 0;
        while next < queue.len() {
            let piece = queue[next].clone();
            next += 1;
            let section = self.sections[self.section_of[piece.start] as usize];
            writer.line(section);
            for at in piece {
                for missing in writer.line(self.lines[at]) {
                    let places = self.places.get(missing)?;
                    if places.iter().all(|at| inside.contains(at)) {
                        continue;
                    }
                    let [at] = places[..] else { return None };
                    let piece = self.piece(missing, at)?;
                    inside.extend(piece.clone());
                    queue.push(piece);
                }
            }
            writer.out.push('\n');
        }
        Some(writer.out)
    }
}

/// The symbol that a directive gives a size or a value: `.comm x,4,4`, `.set x, y`, `x = y`.
fn given(line: &str) -> Option<&str> {
    let name = |rest: &'_ str| -> usize { rest.bytes().take_while(|byte| is_symbol(*byte)).count() };
    for directive in [".comm", ".lcomm", ".set"] {
        if let Some(rest) = line.strip_prefix(directive).filter(|rest| rest.starts_with(char::is_whitespace)) {
            let rest = rest.trim_start();
            return Some(&rest[..name(rest)]).filter(|symbol| !symbol.is_empty());
        }
    }
    let length = name(line);
    (length > 0 && line[length..].trim_start().starts_with('=')).then(|| &line[..length])
}

/// `text` with the copy's number replaced by zeros.
fn blot(text: &str, number: u32) -> String {
    let digits = format!("{number:05}");
    let mut out = text.to_string();
    for (start, _, suffix) in MARKS {
        let own = format!("{start}{digits}{suffix}");
        if out.contains(&own) {
            out = out.replace(&own, &format!("{start}00000{suffix}"));
        }
    }
    out
}

/// Lambdas are numbered through the whole file: `3$_0`, `4$_12`. The length before the name is removed too.
fn without_lambda_numbers(symbol: &str, renumber: &mut dyn FnMut(&str) -> u32) -> String {
    let mut out = String::with_capacity(symbol.len());
    let mut rest = symbol;
    while let Some(at) = rest.find("$_") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        out.push_str(before.trim_end_matches(|c: char| c.is_ascii_digit()));
        out.push_str(&format!("$_{}", renumber(&after[..digits])));
        rest = &after[digits..];
    }
    out + rest
}

/// Writes lines with labels numbered by first occurrence.
struct Writer<'a> {
    number: u32,
    labels: HashMap<&'a str, usize>,
    lambdas: HashMap<String, u32>,
    out: String,
}

impl<'a> Writer<'a> {
    /// Writes a line; returns the private labels that occur for the first time.
    fn line(&mut self, line: &'a str) -> Vec<&'a str> {
        let mut new = Vec::new();
        if is_text(line) {
            self.out.push_str(&blot(line, self.number));
            self.out.push('\n');
            return new;
        }
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            if is_symbol_start(bytes[at]) {
                while at < bytes.len() && is_symbol(bytes[at]) {
                    at += 1;
                }
                self.symbol(&line[start..at], &mut new);
            } else if bytes[at].is_ascii_digit() {
                // A number, or a local label such as `1f`.
                while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
                    at += 1;
                }
                self.out.push_str(&line[start..at]);
            } else {
                at += 1;
                self.out.push(bytes[start] as char);
            }
        }
        self.out.push('\n');
        new
    }

    fn symbol(&mut self, symbol: &'a str, new: &mut Vec<&'a str>) {
        if symbol.starts_with(".L") {
            let next = self.labels.len();
            let number = *self.labels.entry(symbol).or_insert_with(|| {
                new.push(symbol);
                next
            });
            self.out.push_str(&format!(".L#{number}"));
        } else if numbers(symbol).contains(&self.number) {
            let lambdas = &mut self.lambdas;
            let plain = without_lambda_numbers(symbol, &mut |digits| {
                let next = lambdas.len() as u32;
                *lambdas.entry(digits.to_string()).or_insert(next)
            });
            self.out.push_str(&blot(&plain, self.number));
        } else {
            self.out.push_str(symbol);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with one function per copy: its body, and the rest of the file.
    fn listing(bodies: &[&str], rest: &str) -> String {
        let mut out = String::from("\t.text\n");
        for (index, body) in bodies.iter().enumerate() {
            let name = format!("motif_m{:05}_f", index + 1);
            out +=
                &format!("\t.globl\t{name}\n\t.type\t{name},@function\n{name}:\n{body}\n\t.size\t{name}, .-{name}\n");
        }
        out + rest
    }

    #[track_caller]
    fn equal(bodies: [&str; 2], rest: &str) -> bool {
        let text = listing(&bodies, rest);
        let (one, two) = (normal(&text, 1), normal(&text, 2));
        assert_eq!(codes(&text).len(), 2, "{one:?}\n{two:?}");
        one == two
    }

    const DATA: &str = "\t.section\t.rodata.str1.1,\"aMS\",@progbits,1\n.L.str:\n\t.asciz\t\"a:b .L.str.1\"\n\
    \t.size\t.L.str, 13\n\
                        .L.str.1:\n\t.asciz\t\"b\"\n\t.size\t.L.str.1, 2\n\t.section\t.rodata\n.LJTI0_0:\n\
                        \t.long\t.LBB0_1-.LJTI0_0\n\t.long\t.LBB0_2-.LJTI0_0\n\
                        .LJTI1_0:\n\t.long\t.LBB1_1-.LJTI1_0\n\t.long\t.LBB1_2-.LJTI1_0\n\t.text\n";

    #[test]
    fn labels_and_private_data_are_compared_by_what_they_stand_for() {
        assert!(equal([".LBB0_1:\n\tjmp .LBB0_1", ".LBB1_7:\n\tjmp .LBB1_7"], ""));
        assert!(!equal([".La:\n.Lb:\n\tjmp .La", ".Lc:\n\tnop\n.Ld:\n\tjmp .Ld"], ""));
        assert!(equal(["\tleaq .L.str(%rip), %rdi", "\tleaq .L.str(%rip), %rdi"], DATA));
        assert!(!equal(["\tleaq .L.str(%rip), %rdi", "\tleaq .L.str.1(%rip), %rdi"], DATA));
        assert!(!equal(["\tleaq .L.str+1(%rip), %rdi", "\tleaq .L.str+2(%rip), %rdi"], DATA));
        assert!(!equal(["\tmovl table+8(%rip), %eax", "\tmovl table+12(%rip), %eax"], ""));
        assert!(!equal(["\tcall g@PLT", "\tcall h@PLT"], ""));
    }

    #[test]
    fn jump_tables_are_compared_with_the_places_they_lead_to() {
        let body = |f: u32, first: u32, second: u32| {
            format!("\tleaq .LJTI{f}_0(%rip), %rcx\n.LBB{f}_{first}:\n\tinc %eax\n.LBB{f}_{second}:\n\tret")
        };
        assert!(equal([&body(0, 1, 2), &body(1, 1, 2)], DATA));
        assert!(!equal([&body(0, 1, 2), &body(1, 2, 1)], DATA));
    }

    #[test]
    fn a_copys_own_names_are_the_same_and_numbers_that_look_like_them_are_not() {
        assert!(equal(["\tmovl motif_m00001_f.count, %eax", "\tmovl motif_m00002_f.count, %eax"], ""));
        assert!(!equal(["\tmovl motif_m00001_f.count, %eax", "\tmovl motif_m00001_f.count, %eax"], ""));
        assert!(!equal(["\tmovl $7300001, %eax", "\tmovl $7300002, %eax"], ""));
        let statics = |two: u32| {
            format!(
                "\t.local\tmotif_m00001_f.n\n\t.comm\tmotif_m00001_f.n,4,4\n\t.local\tmotif_m00002_f.n\n\
                 \t.comm\tmotif_m00002_f.n,{two},4\n"
            )
        };
        assert!(equal(["\tret", "\tret"], &statics(4)));
        assert!(!equal(["\tret", "\tret"], &statics(8)));
    }

    #[test]
    fn lambdas_are_numbered_through_the_file_but_compared_by_their_order() {
        let call = |symbol: &str| format!("\tcall \"{symbol}\"");
        let lambda = |symbol: &str, body: &str| format!("{symbol}:\n\t{body}\n\t.size\t{symbol}, .-{symbol}\n");
        let one = "_ZZ14motif_m00001_fvENK3$_9clEv";
        let two = "_ZZ14motif_m00002_fvENK4$_10clEv";
        let same = lambda(one, "ret") + &lambda(two, "ret");
        assert!(equal([&call(one), &call(two)], &same));
        assert!(!equal([&call(one), &call(two)], &(lambda(one, "ret") + &lambda(two, "ud2"))));
    }

    #[test]
    fn code_that_refers_to_what_is_not_there_equals_nothing() {
        assert!(codes(&listing(&["\tjmp .Lelsewhere"], "")).is_empty());
        // A label inside another function.
        let text = listing(&[".Lmine:\n\tret", "\tjmp .Lmine"], "");
        assert_eq!(codes(&text).keys().copied().collect::<Vec<_>>(), [1]);
        // A function without an end.
        assert!(codes("motif_m00001_f:\n\tret\n").is_empty());
    }
}
