//! The score as a badge: the JSON that shields.io reads from an endpoint.

use super::view::View;
use super::words::percent;
use anyhow::Result;
use serde_json::json;

/// The badge.
pub fn render(view: &View) -> Result<String> {
    let (label, score) = view.score();
    let color = match score {
        None => "lightgrey",
        Some(score) if score >= 0.8 => "brightgreen",
        Some(score) if score >= 0.6 => "yellow",
        Some(_) => "orange",
    };
    let badge = json!({ "schemaVersion": 1, "label": label, "message": percent(score), "color": color });
    Ok(serde_json::to_string_pretty(&badge)? + "\n")
}
