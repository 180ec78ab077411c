use super::encoder::{DOUBLE_BITS, FLOAT_BITS};
use super::*;
use crate::model::Literal;
use crate::model::TypeKind;
use crate::model::{Language, Type};
use crate::plan::Slot;

fn plan(recipes: Vec<Recipe>) -> UnitPlan {
    let args = recipes
        .into_iter()
        .enumerate()
        .map(|(n, recipe)| Slot::new(format!("p{n}"), recipe.ty.clone(), recipe))
        .collect();
    UnitPlan {
        unit: String::new(),
        id: String::new(),
        slug: String::new(),
        language: Language::C,
        source: Default::default(),
        command: 0,
        samples: Vec::new(),
        entries: vec![Entry {
            callee: String::new(),
            object: None,
            args,
            result: None,
            private_access: false,
            class: None,
            least_lengths: Vec::new(),
            template_args: Vec::new(),
            by_arguments: false,
            friend_args: Vec::new(),
            called_with: Vec::new(),
            outside: Vec::new(),
            state: Default::default(),
            put_in: None,
            failing: None,
        }],
        words: Vec::new(),
        literals: vec![Literal::Int(0x7ff0_0000)],
        overridden: false,
        reset: Vec::new(),
        before: Vec::new(),
        excluded: Vec::new(),
        untyped: Default::default(),
        prints: false,
        owner_args: Vec::new(),
        lexicon: Default::default(),
    }
}

fn prim(name: &str) -> Recipe {
    Kind::Prim { range: None }.of(crate::types::arithmetic::primitive(name).unwrap())
}

#[test]
fn table_one_gives_three_seeds_with_both_words_filled() {
    let seeds = table(&plan(vec![prim("int"), prim("double")]), &[]);
    let expected: Vec<Vec<u8>> = [(-1i32, DOUBLE_BITS[0]), (0, 0), (1, DOUBLE_BITS[2])]
        .iter()
        .map(|(i, d)| [i.to_le_bytes().to_vec(), d.to_le_bytes().to_vec()].concat())
        .collect();
    assert_eq!(seeds, expected);
    assert!((f64::from_bits(DOUBLE_BITS[2]) - 0.52).abs() < 0.01);
    assert_eq!(f32::from_bits(FLOAT_BITS[2]), 1.875);
}

#[test]
fn filters_of_the_list_pick_their_columns() {
    let seeds = |filters: &[Option<char>]| table(&plan(vec![prim("int")]), filters);
    let all = seeds(&[]);
    assert_eq!(all.len(), 3);
    assert_eq!(seeds(&[Some('Z')]), vec![vec![0; 4]]);
    assert_eq!(seeds(&[Some('P'), Some('N')]), [all[0].clone(), all[2].clone()]);
    assert_eq!(seeds(&[Some('A'), Some('N')]), all);
    assert_eq!(seeds(&[None, Some('N')]), all);
}

#[test]
fn an_integer_literal_is_tried_as_the_high_word_of_a_double() {
    let seeds = all(&plan(vec![prim("double")]));
    assert!(seeds.contains(&f64::INFINITY.to_le_bytes().to_vec()));
}

#[test]
fn strings_carry_their_length_and_alternatives_their_index() {
    let text = Type { spelling: "std::string".into(), is_const: false, kind: TypeKind::Void, size: None };
    let choice = Kind::Choice {
        among: vec![
            Slot::new("a", text.clone(), prim("char")),
            Slot::new("b", text.clone(), Kind::StdString { most: crate::plan::STRING_LENGTH }.of(text.clone())),
        ],
    }
    .of(text);
    let seeds = all(&plan(vec![choice]));
    assert!(seeds.contains(&[vec![1, 4], b"AAAA".to_vec()].concat()));
    assert!(seeds.contains(&vec![0, 0x41]));
}

#[test]
fn what_only_its_name_calls_a_length_is_a_literal_as_well_that_no_length_is() {
    let length = |free: bool| Kind::Length { most: 100, free, below: false }.of(prim("int").ty);
    let mut plan = plan(vec![length(true)]);
    plan.literals = vec![Literal::Int(7), Literal::Int(50000)];
    let beyond = |value: i32| [vec![115], value.to_le_bytes().to_vec()].concat();
    let seeds = all(&plan);
    assert!(seeds.contains(&vec![100]) && seeds.contains(&vec![0]) && seeds.contains(&beyond(50000)), "{seeds:?}");
    assert!(!seeds.contains(&beyond(7)));
    plan.entries[0].args[0].recipe = length(false);
    assert!(all(&plan).iter().all(|seed| seed.len() == 1));
    assert!(!plan.bound_lengths());
    plan.entries[0].args[0].recipe = length(true);
    assert!(plan.bound_lengths() && plan.entries[0].args[0].recipe == length(false));
    // Also of a member.
    let member = |free: bool| {
        let fields = vec![Slot::new("length".to_owned(), prim("int").ty, length(free))];
        Kind::Fields { fields, statements: Vec::new() }.of(prim("int").ty)
    };
    plan.entries[0].args[0].recipe = member(true);
    assert!(plan.bound_lengths() && plan.entries[0].args[0].recipe == member(false));
}
