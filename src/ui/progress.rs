//! Stages of a run: bars on a terminal; elsewhere plain lines, one at least every ten seconds.

use super::events::{self, Event};
use super::printable;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

/// Without a terminal, steps are told at most this often.
const PLAIN_INTERVAL: Duration = Duration::from_secs(5);
/// Without a step, what is going on is told this often.
const SILENCE: Duration = Duration::from_secs(8);
/// How often is looked whether it is silent.
const TICK: Duration = Duration::from_secs(1);
/// Before so long nobody knows how long a stage takes.
const UNKNOWN: Duration = Duration::from_secs(2);

/// The stage that kills.
const SEARCHING: &str = "searching";

/// All stages of a process.
pub(super) struct Board {
    quiet: bool,
    verbose: bool,
    bars: Option<MultiProgress>,
    state: Mutex<State>,
}

struct State {
    told: Instant,
    running: Vec<Running>,
    number: usize,
    /// The stage that ended last, and when.
    last: Option<(String, Instant)>,
    kills: usize,
    first_kill_search: Option<Instant>,
    /// The line below all bars.
    all: Option<ProgressBar>,
    ticks: bool,
}

struct Running {
    number: usize,
    name: String,
    total: usize,
    done: usize,
    what: String,
    since: Instant,
}

impl Running {
    /// How long the rest will take, if it takes as long as what is done.
    fn left(&self) -> Option<Duration> {
        let elapsed = self.since.elapsed();
        let open = self.total.checked_sub(self.done)?;
        (self.done > 0 && elapsed >= UNKNOWN).then(|| elapsed.mul_f64(open as f64 / self.done as f64))
    }

    fn sentence(&self, kills: &str) -> String {
        let Self { name, total, done, what, .. } = self;
        let left = self.left().map(|left| format!(", about {} left", rough(left))).unwrap_or_default();
        let what = if what.is_empty() { String::new() } else { format!(": {what}") };
        let steps = if *total == 0 { String::new() } else { format!(" {done}/{total}") };
        format!("{name}{steps}{kills}{left}{what}")
    }

    fn event(&self) -> Event {
        Event::Progress {
            stage: self.name.clone(),
            done: self.done,
            total: self.total,
            what: self.what.clone(),
            left_seconds: self.left().map(|left| left.as_secs_f64().round()),
        }
    }
}

/// A time as people say it.
fn rough(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{} s", seconds.max(1)),
        seconds @ 100..6000 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

impl Board {
    pub fn new(quiet: bool, verbose: bool, bars: Option<MultiProgress>) -> Arc<Self> {
        let state = State {
            told: Instant::now(),
            running: Vec::new(),
            number: 0,
            last: None,
            kills: 0,
            first_kill_search: None,
            all: None,
            ticks: false,
        };
        Arc::new(Self { quiet, verbose, bars, state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Prints a line on standard error.
    pub fn line(&self, text: &str) {
        let print = || {
            // A closed standard error leaves nobody to tell.
            let _ = writeln!(std::io::stderr(), "{text}");
        };
        match &self.bars {
            Some(bars) => bars.suspend(print),
            None => print(),
        }
        self.state().told = Instant::now();
    }

    pub fn killed(&self, mutant: &str, unit: &str) {
        let mut state = self.state();
        state.kills += 1;
        let kills = state.kills;
        state.show_all();
        events::emit(|| Event::Kill { mutant: mutant.to_owned(), unit: unit.to_owned(), kills });
    }

    /// Begins a stage.
    pub fn begin(self: &Arc<Self>, name: &str, total: usize) -> Stage {
        let bar = self.bars.as_ref().map(|bars| {
            let bar = bars.add(ProgressBar::new(total as u64));
            let form = if total == 0 {
                "{prefix:>10} {spinner} {elapsed} {wide_msg}"
            } else {
                "{prefix:>10} {bar:24} {pos}/{len} {elapsed} (left {eta}) {wide_msg}"
            };
            let style = ProgressStyle::with_template(form);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
            bar.set_prefix(name.to_owned());
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        if bar.is_none() && !self.quiet {
            let number = if total == 0 { String::new() } else { format!(": {total}") };
            self.line(&format!("{name}{number}"));
        }
        events::emit(|| Event::Stage { stage: name.to_owned(), total });
        let mut state = self.state();
        state.number += 1;
        let (number, since) = (state.number, Instant::now());
        if name == SEARCHING {
            state.first_kill_search.get_or_insert(since);
        }
        if let Some(bars) = self.bars.as_ref().filter(|_| state.all.is_none()) {
            let all = bars.add(ProgressBar::new_spinner());
            all.set_style(
                ProgressStyle::with_template("{prefix:>10} {elapsed} {wide_msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner()),
            );
            all.set_prefix("all");
            all.enable_steady_tick(Duration::from_millis(500));
            state.all = Some(all);
        }
        state.running.push(Running { number, name: name.to_owned(), total, done: 0, what: String::new(), since });
        if !std::mem::replace(&mut state.ticks, true) && (self.bars.is_none() && !self.quiet || events::are_on()) {
            let board = Arc::downgrade(self);
            std::thread::spawn(move || tick(&board));
        }
        Stage { board: self.clone(), number, bar }
    }

    /// Says what is going on, if nothing was said for so long.
    fn tick(&self, silence: Duration) {
        let state = self.state();
        if state.told.elapsed() < silence {
            return;
        }
        let kills = state.kills();
        let mut lines: Vec<String> = state.running.iter().map(|running| running.sentence(&kills)).collect();
        if let Some((last, ended)) = state.last.as_ref().filter(|_| lines.is_empty()) {
            lines.push(format!("working since the end of {last}, {} ago", rough(ended.elapsed())));
        }
        state.running.iter().for_each(|running| events::emit(|| running.event()));
        drop(state);
        if !self.quiet && self.bars.is_none() {
            lines.iter().for_each(|line| self.line(line));
        }
        self.state().told = Instant::now();
    }
}

fn tick(board: &Weak<Board>) {
    loop {
        std::thread::sleep(TICK);
        let Some(board) = board.upgrade() else { return };
        board.tick(SILENCE);
    }
}

impl State {
    /// Kills, and their pace during the search, as part of a sentence.
    fn kills(&self) -> String {
        let Some(since) = self.first_kill_search.filter(|_| self.kills > 0) else { return String::new() };
        if !self.running.iter().any(|running| running.name == SEARCHING) {
            return format!(", {} killed", self.kills);
        }
        let minutes = since.elapsed().max(Duration::from_secs(1)).as_secs_f64() / 60.0;
        format!(", {} killed ({:.0} a minute)", self.kills, self.kills as f64 / minutes)
    }

    fn show_all(&self) {
        if let Some(all) = &self.all {
            all.set_message(self.kills().trim_start_matches(", ").to_owned());
        }
    }
}

/// A running stage; it ends when dropped.
pub struct Stage {
    board: Arc<Board>,
    number: usize,
    bar: Option<ProgressBar>,
}

impl Stage {
    /// Marks one step as done and shows `what`. May be called from any thread.
    pub fn advance(&self, what: impl Display) {
        self.advance_by(1, what);
    }

    /// Marks several steps as done and shows `what`.
    pub fn advance_by(&self, steps: usize, what: impl Display) {
        let what = printable(&what.to_string());
        if let Some(bar) = &self.bar {
            bar.set_message(what.clone());
            bar.inc(steps as u64);
        }
        let mut state = self.board.state();
        let (told, kills) = (state.told, state.kills());
        let Some(running) = state.running.iter_mut().find(|running| running.number == self.number) else { return };
        running.done += steps;
        running.what = what;
        events::emit(|| running.event());
        let is_due = self.board.verbose || told.elapsed() >= PLAIN_INTERVAL;
        let line = (self.bar.is_none() && !self.board.quiet && is_due).then(|| running.sentence(&kills));
        drop(state);
        line.into_iter().for_each(|line| self.board.line(&line));
    }

    /// Ends it before it is dropped; what is told to it then shows nowhere.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let mut state = self.board.state();
        let Some(at) = state.running.iter().position(|running| running.number == self.number) else { return };
        let running = state.running.remove(at);
        state.last = Some((running.name.clone(), Instant::now()));
        if state.running.is_empty() {
            state.all.take().inspect(ProgressBar::finish_and_clear);
        }
        drop(state);
        let took_seconds = (running.since.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
        events::emit(|| Event::StageEnd { stage: running.name, done: running.done, took_seconds });
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(done: usize, seconds: u64) -> Running {
        let since = Instant::now() - Duration::from_secs(seconds);
        Running { number: 1, name: "proving".into(), total: 40, done, what: "f".into(), since }
    }

    #[test]
    fn a_stage_says_how_far_it_is_and_how_long_it_will_take_once_that_can_be_known() {
        assert_eq!(running(0, 60).sentence(""), "proving 0/40: f");
        assert_eq!(running(1, 0).sentence(""), "proving 1/40: f");
        assert_eq!(running(10, 20).sentence(", 3 killed"), "proving 10/40, 3 killed, about 60 s left: f");
        assert_eq!(Running { total: 0, what: String::new(), ..running(0, 9) }.sentence(""), "proving");
        assert_eq!(running(41, 20).left(), None, "more than was thought");
    }

    #[test]
    fn times_are_told_as_people_say_them() {
        let told = [0, 99, 100, 5999, 7200].map(|seconds| rough(Duration::from_secs(seconds)));
        assert_eq!(told, ["1 s", "99 s", "2 min", "100 min", "2.0 h"]);
    }

    #[test]
    fn what_goes_on_is_told_where_it_is_silent_and_then_not_again() {
        let board = Board::new(true, false, None);
        let stage = board.begin("building", 3);
        board.tick(Duration::ZERO);
        let told = board.state().told;
        board.tick(Duration::from_secs(3600));
        assert_eq!(board.state().told, told);
        stage.advance("a.c");
        assert_eq!(board.state().running[0].sentence(""), "building 1/3: a.c");
        drop(stage);
        assert!(board.state().running.is_empty() && board.state().last.is_some());
    }
}
