//! Options of `serve`.

use crate::choices::Channel;
use clap::Args;

/// `serve`.
#[derive(Clone, Debug, Default, Args)]
pub struct ServeArgs {
    /// What the client speaks through
    #[arg(value_name = "CHANNEL", default_value = "stdio")]
    pub channel: Channel,
    /// With `socket`: the port; it must be free
    #[arg(long, value_name = "PORT", required_if_eq("channel", "socket"))]
    pub port: Option<u16>,
    /// With `socket`: the address [default: localhost]
    #[arg(long, value_name = "HOST", requires = "port")]
    pub address: Option<String>,
    /// Options of `fuzz`, for each request: `-p build --budget 2s`
    #[arg(value_name = "OPTIONS", last = true)]
    pub options: Vec<String>,
}
