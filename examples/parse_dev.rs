use motif_cpp::{compdb::Database, parse};
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args[0] == "__parse" {
        if let Err(e) = parse::worker_main(&args[1..]) {
            eprintln!("{e:#}");
            std::process::exit(1)
        }
        return;
    }
    let root = std::path::PathBuf::from(&args[0]);
    let db = Database::load(None, &root).unwrap();
    let t = std::time::Instant::now();
    let opts = parse::ParseOptions {
        libclang: args.get(1).map(Into::into),
        cache_dir: std::env::var_os("CACHE").map(Into::into),
        jobs: 2,
        root: root.clone(),
        only: None,
        self_exe: Some(std::env::current_exe().unwrap()),
    };
    let (model, problems) = parse::project(&db, &opts).unwrap();
    for p in &problems {
        eprintln!("{p}");
    }
    eprintln!(
        "{:?} units {} classes {} functions {} defs {} enums {} aliases {} vars {} inst {} refs {}",
        t.elapsed(),
        model.units.len(),
        model.classes.len(),
        model.functions.len(),
        model.functions.values().filter(|f| f.definition.is_some()).count(),
        model.enums.len(),
        model.aliases.len(),
        model.variables.len(),
        model.instantiations.len(),
        model.files.values().map(|f| f.references.len()).sum::<usize>()
    );
    if let Some(m) = std::env::var_os("MUTANTS") {
        let files: Vec<_> = model.files.keys().cloned().collect();
        let t = std::time::Instant::now();
        let given = motif_cpp::mutant::list::read(m.as_ref(), &root, &files, "/tmp/scratch".as_ref()).unwrap();
        let done = motif_cpp::mutant::pair::pair(&given, &model, &db, &opts).unwrap();
        eprintln!("paired {} in {:?}", done.len(), t.elapsed());
        for d in &done {
            match &d.pairing {
                Ok(p) => println!(
                    "{} OK {} line {} init {} refs {} lits {:?}",
                    d.id,
                    model.functions[&p.unit].id,
                    d.line,
                    p.in_initializers,
                    p.references.len(),
                    p.literals
                ),
                Err((s, w)) => println!("{} {s:?} {w}", d.id),
            }
        }
    }
    if let Some(out) = args.get(2) {
        std::fs::write(out, serde_json::to_string_pretty(&model).unwrap()).unwrap();
    }
}
