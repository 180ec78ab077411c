//! `cache`: what is kept for all runs of the user.

use super::print;
use crate::build::store::{Part, SIZE, Store};
use crate::choices::{ListFormat, Size};
use crate::cli::CacheArgs;
use crate::config::Config;
use crate::diag::Exit;
use indicatif::HumanBytes;
use std::fmt::Write;
use std::path::Path;

/// Shows, bounds or clears it.
///
/// # Errors
///
/// It can't be used.
pub fn run(config: &Config, args: &CacheArgs) -> anyhow::Result<Exit> {
    let Some(store) = Store::of_user(None)? else {
        let text = match args.format {
            ListFormat::Text => "there is no cache: it is switched off, or nobody has a home folder here\n".to_owned(),
            ListFormat::Json => format!("{:#}\n", serde_json::json!({ "folder": null, "bytes": 0, "parts": [] })),
        };
        return print(text.as_bytes());
    };
    let limit = args.cache_size.or(config.cache_size).map_or(SIZE, |Size(bytes)| bytes);
    let folder = store.folder().to_path_buf();
    let (bytes, parts) = if args.clear {
        store.clear();
        (0, Vec::new())
    } else {
        if args.cache_size.is_some() {
            store.bound(limit);
        }
        (store.size(), store.parts())
    };
    let text = match args.format {
        ListFormat::Text => text(&folder, bytes, limit, &parts),
        ListFormat::Json => {
            let shown = serde_json::json!({ "folder": folder, "bytes": bytes, "limit": limit, "parts": parts });
            format!("{shown:#}\n")
        }
    };
    print(text.as_bytes())
}

fn text(folder: &Path, bytes: u64, limit: u64, parts: &[Part]) -> String {
    let mut out = format!("{}\n", folder.display());
    for Part { name, files, bytes } in parts {
        let _ = writeln!(out, "{name:>10}  {:>12}  in {files} files", HumanBytes(*bytes).to_string());
    }
    let _ = writeln!(out, "{:>10}  {:>12}  of at most {}", "all", HumanBytes(bytes).to_string(), HumanBytes(limit));
    out
}
