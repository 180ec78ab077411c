use super::*;

/// Names that say a role, and names that only look so.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    says: Vec<String>,
    not: Vec<String>,
}

const FALSE_FRIENDS: &str = include_str!("../../tests/sources/false_friends/names.yaml");

fn says(lexicon: &Lexicon, name: &str, role: Role) -> bool {
    match name.split_once("..") {
        Some((from, to)) => lexicon.are_range_ends(from, to, false),
        None => lexicon.says(name, role),
    }
}

#[test]
fn every_role_knows_its_names_from_those_that_look_alike() {
    let lexicon = Lexicon::default();
    let names: BTreeMap<Role, Names> = serde_yaml::from_str(FALSE_FRIENDS).unwrap();
    let mut wrong = Vec::new();
    for (role, Names { says: named, not }) in &names {
        assert!(!named.is_empty() && !not.is_empty(), "{role:?} needs names of both kinds");
        wrong.extend(named.iter().filter(|name| !says(&lexicon, name, *role)).map(|name| format!("{role:?}: {name}")));
        wrong.extend(not.iter().filter(|name| says(&lexicon, name, *role)).map(|name| format!("no {role:?}: {name}")));
    }
    assert_eq!(wrong, Vec::<String>::new());
    let untried: Vec<&Role> = lexicon.0.keys().filter(|role| !names.contains_key(role)).collect();
    assert!(untried.is_empty(), "without false friends: {untried:?}");
}

#[test]
fn a_role_has_pairs_or_words_and_no_row_twice() {
    for (role, rows) in &*Lexicon::default().0 {
        let pairs = rows.iter().filter(|row| matches!(row, Row::Pair(..))).count();
        assert_eq!(pairs, if *role == Role::RangeEnds { rows.len() } else { 0 }, "{role:?}");
        for (at, row) in rows.iter().enumerate() {
            assert!(!rows[..at].contains(row), "{role:?} has {row:?} twice");
        }
    }
}

#[test]
fn a_rank_is_the_place_among_the_words_of_the_roles_in_their_order() {
    let lexicon = Lexicon::default();
    let roles = [Role::Reads, Role::Sets];
    let rank = |name: &str| lexicon.rank(name, roles);
    assert_eq!(rank("parse"), Some(0));
    assert!(rank("set_value") > rank("load_all"));
    assert_eq!(rank("set_from_parse"), Some(0), "the likeliest word counts, wherever it stands");
    assert!(rank("assign").unwrap() < lexicon.ranks(roles));
    assert_eq!(rank("settle"), None);
}

#[test]
fn a_name_is_read_without_the_word_that_says_the_role() {
    let lexicon = Lexicon::default();
    let rest = |name: &str| lexicon.first(name, Role::Removes).map(|(_, rest)| rest.join(" "));
    assert_eq!(rest("removeFirstChild").as_deref(), Some("first child"));
    assert_eq!(rest("remove").as_deref(), Some(""));
    assert_eq!(rest("list_remove"), None);
    let apart = |name: &str| lexicon.apart(name, Role::Removes).map(|(_, rest)| rest.join(" "));
    assert_eq!(apart("list_remove_node2").as_deref(), Some("list node"));
}

#[test]
fn a_length_may_be_written_in_one_with_the_name_of_what_it_counts() {
    let lexicon = Lexicon::default();
    assert!(lexicon.is_length("packetlen", Some("packet")) && !lexicon.is_length("packetlen", Some("text")));
    assert!(!lexicon.is_length("dataset", Some("data")) && !lexicon.is_length("valence", Some("va")));
}

#[test]
fn text_may_be_short_about_its_end() {
    let lexicon = Lexicon::default();
    assert!(lexicon.are_range_ends("s", "e", true) && !lexicon.are_range_ends("s", "e", false));
}

#[test]
fn words_of_a_project_come_behind_those_that_ship() {
    let more = BTreeMap::from([(Role::Length, vec![Row::parse("zork").unwrap(), Row::parse("len").unwrap()])]);
    let (plain, lexicon) = (Lexicon::default(), Lexicon::default().with(&more));
    assert!(lexicon.says("zork", Role::Length) && !plain.says("zork", Role::Length));
    assert_eq!(lexicon.ranks(Role::Length), plain.ranks(Role::Length) + 1);
    assert_eq!(lexicon.rank("len", Role::Length), plain.rank("len", Role::Length));
}
