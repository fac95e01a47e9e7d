package watch

import (
	"time"

	"fibsbot/bot/quiet"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/engine/analyse"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/fibs/clip"
)

// Options say whom to watch and what to do with what is seen.
type Options struct {
	// Me is our account's name, Server the address it is written down with.
	Me, Server string
	// Config are the keys under watch in bot.yaml.
	Config config.Watch
	// Dir is where watched matches are kept when Config.Archive is set; see Dir.
	// Empty keeps nothing.
	Dir string
	// Quiet are those who asked not to be commented on; nil begins a list that
	// is not kept.
	Quiet *quiet.List
	// Judge judges decisions. Without one matches are rebuilt, reported and kept,
	// and nothing is said about them.
	Judge *Judge
	// Waiting bounds the decisions that wait for the engine; 40 by default.
	Waiting int
	// Report, when set, is told what happens, in the goroutine that calls the
	// Watcher.
	Report func(Report)
	// Settle is how long to wait after a match before going to another one, so
	// that who lines and comments arrive; 2 s by default.
	Settle time.Duration
}

// Topic says what a Report is about.
type Topic string

// The topics of reports.
const (
	Watching  Topic = "watching" // Text is the player watched now
	Began     Topic = "began"    // a match is seen; Joined when not from its start
	Judged    Topic = "decision" // Verdict
	Missed    Topic = "gap"
	GameEnd   Topic = "game"    // Game, Summary
	MatchEnd  Topic = "match"   // Summary, Files
	BrokenOff Topic = "stopped" // the match was interrupted or left; Summary, Files
	Note      Topic = "note"    // Text
	Said      Topic = "said"    // Text is what we say about the match
)

// Report is one thing that happened while watching.
type Report struct {
	Topic   Topic
	Text    string
	Match   *record.Match // nil when the report is about no match
	Game    int           // index
	Joined  bool
	Verdict *Verdict
	Summary *analyse.Summary
	Files   []string
}

// Watcher is everything that watching needs besides a connection: it is fed with
// the lines of the server and returns the commands to send. It belongs to the
// goroutine that calls it; only the judging happens in one of its own, which
// Close ends.
type Watcher struct {
	opt     Options
	chooser *Chooser
	comment *Commentator
	bench   *bench
	table   *match.Table

	observer *Observer // of whom we watch
	target   string    // whom we asked to watch, or watch
	sure     bool      // the server has said that we watch
	wait     time.Time // do nothing about the choice before
	boardAt  time.Time // a board was asked for
	whoAt    time.Time // the who list was asked for
	paused   bool
	judging  int // matches that are over and not judged to their end
	seen     int // matches reported to their end
	files    map[*record.Match]*file
	current  *file // of the match being seen, nil when it is not kept
	heard    map[string]bool
	now      time.Time // of the last call
	err      error  // the first failure to write
	trouble  string // the failure reported last
}

const (
	// answerIn is how long the server may take to say that we watch.
	answerIn = 20 * time.Second
	// boardGap is the least time between two requests for a board.
	boardGap = 5 * time.Second
	// whoGap is the time between two looks at the who list while there is
	// nobody to watch. Servers send changes by themselves.
	whoGap = time.Minute
	// judgeIn is how long the engine may take after a match before we go on.
	judgeIn = 30 * time.Second
	// maxHeard bounds the people who got an answer.
	maxHeard = 10000
)

// New makes a Watcher. The caller must Close it.
func New(opt Options) *Watcher {
	if opt.Waiting <= 0 {
		opt.Waiting = 40
	}
	if opt.Settle == 0 {
		opt.Settle = 2 * time.Second
	}
	w := &Watcher{
		opt:     opt,
		chooser: NewChooser(opt.Config.Players, opt.Config.Opted, opt.Me),
		comment: NewCommentator(opt.Config, opt.Quiet),
		files:   map[*record.Match]*file{},
		heard:   map[string]bool{},
	}
	if opt.Judge != nil {
		w.bench = newBench(opt.Judge, opt.Waiting)
		w.table = opt.Judge.engine.Table()
	}
	if opt.Dir != "" {
		files, err := recoverLeft(opt.Dir, opt.Me)
		w.failed(err)
		for _, f := range files {
			w.report(Report{Topic: Note, Text: "watched before this start: " + f})
		}
	}
	return w
}

// Configure changes the rules; a match being watched stays so.
func (w *Watcher) Configure(cfg config.Watch) {
	w.opt.Config = cfg
	w.chooser.Configure(cfg.Players, cfg.Opted)
	w.comment.Configure(cfg)
}

// Watching is whom we watch, or "".
func (w *Watcher) Watching() string {
	if !w.sure {
		return ""
	}
	return w.target
}

// Matches is the number of matches that were watched to their end or until they
// were broken off, and reported.
func (w *Watcher) Matches() int { return w.seen }

// Snapshot is what stands on the watched table; Us is the watched player.
func (w *Watcher) Snapshot() (table.Snapshot, bool) {
	if w.observer == nil {
		return table.Snapshot{}, false
	}
	return w.observer.Snapshot()
}

// Ready is poked when judging has results for Step.
func (w *Watcher) Ready() <-chan struct{} {
	if w.bench == nil {
		return nil
	}
	return w.bench.ready
}

// Err is the first failure to write a file. Watching goes on without the file.
func (w *Watcher) Err() error { return w.err }

// Event enters a line of the server and returns what to send.
func (w *Watcher) Event(ev clip.Event, now time.Time) []clip.Command {
	w.chooser.Event(ev, w.Watching(), now)
	var out []clip.Command
	switch ev.Kind {
	case clip.YouWatch:
		out = w.begun(ev.Name, now)
	case clip.YouUnwatch:
		if w.sure && ev.Name == w.target {
			w.ended(now)
		}
	case clip.LogsOut:
		if ev.Name == w.target {
			w.observe(ev, now)
			w.ended(now)
		}
	case clip.Banned:
		if ev.Other == "you" && w.sure {
			w.ended(now)
		}
	case clip.WatchRefused, clip.NoSuchPlayer:
		if w.target != "" && !w.sure {
			w.report(Report{Topic: Note, Text: "cannot watch " + w.target + ": " + ev.Raw})
			w.target, w.wait = "", now.Add(w.opt.Settle)
		}
	case clip.CantWatch:
		if w.target == ev.Name || w.target == ev.Other {
			w.report(Report{Topic: Note, Text: ev.Raw})
			out = w.leave(now)
		}
	case clip.Says, clip.Kibitzes, clip.Whispers:
		out = w.told(&ev, now)
	}
	w.observe(ev, now)
	return append(out, w.Step(now)...)
}

// observe gives the line to the observer, and to the journal of the match it
// belongs to: the one being seen, or the one it opens.
func (w *Watcher) observe(ev clip.Event, now time.Time) {
	if w.observer == nil {
		return
	}
	before := w.current
	w.jot(before, &ev, now)
	w.news(w.observer.Event(ev), now)
	if w.current != before {
		w.jot(w.current, &ev, now)
	}
}

// jot writes a line into a journal. Who lines and talk change no match.
func (w *Watcher) jot(f *file, ev *clip.Event, now time.Time) {
	if f == nil || f.lines == nil {
		return
	}
	switch ev.Kind {
	case clip.PlayerLine, clip.PlayersEnd, clip.Says, clip.Shouts, clip.Kibitzes, clip.Whispers, clip.Blank, clip.Unknown:
		return
	}
	w.failed(f.lines.Add(ev.Raw, now))
}

// begun notes that the server lets us watch name.
func (w *Watcher) begun(name string, now time.Time) []clip.Command {
	if w.sure && w.target == name {
		return nil
	}
	if w.observer != nil {
		w.news(w.observer.Leave(), now)
	}
	w.target, w.sure = name, true
	w.observer = NewObserver(name, w.opt.Server)
	w.boardAt = now
	w.report(Report{Topic: Watching, Text: name})
	if w.chooser.Playing(name) {
		// Some servers show no board until the next roll.
		return []clip.Command{clip.AskBoard{}}
	}
	return nil
}

// ended notes that we do not watch any more.
func (w *Watcher) ended(now time.Time) {
	if w.observer != nil {
		w.news(w.observer.Leave(), now)
	}
	w.observer, w.target, w.sure, w.wait = nil, "", false, now.Add(w.opt.Settle)
}

// leave stops watching.
func (w *Watcher) leave(now time.Time) []clip.Command {
	if w.target == "" {
		return nil
	}
	w.ended(now)
	return []clip.Command{clip.Unwatch{}}
}

// Pause stops watching until Resume: the account has a match of its own.
func (w *Watcher) Pause(now time.Time) []clip.Command {
	w.paused = true
	return w.leave(now)
}

// Resume lets the watcher choose again.
func (w *Watcher) Resume(now time.Time) { w.paused = false }

// told handles what people say. Whoever asks us to stop is obeyed, and told so
// once; anything else is the business of others.
func (w *Watcher) told(ev *clip.Event, now time.Time) []clip.Command {
	players := [2]string{}
	if w.observer != nil {
		players = [2]string{w.observer.Opponent(), w.observer.Player()}
	}
	stop, err := w.comment.Heard(ev.Name, ev.Text, players)
	w.failed(err)
	if !stop {
		return nil
	}
	var out []clip.Command
	if !w.heard[ev.Name] && len(w.heard) < maxHeard {
		w.heard[ev.Name] = true
		if text := w.opt.Config.Texts.Stop; text != "" {
			out = append(out, clip.Tell{Name: ev.Name, Text: brief(text)})
		}
	}
	if asksToGo(ev.Text) {
		w.chooser.Bar(ev.Name, now)
		if ev.Name == players[0] || ev.Name == players[1] {
			out = append(out, w.leave(now)...)
		}
	}
	return out
}

// Wake is when Step should be called though nothing happens.
func (w *Watcher) Wake(now time.Time) time.Time {
	if w.paused {
		return now.Add(whoGap)
	}
	if w.target == "" || !w.sure {
		next := w.wait
		if w.target != "" {
			next = w.wait.Add(answerIn)
		}
		if next.After(now) {
			return next
		}
	}
	return now.Add(5 * time.Second)
}

// Step does what is due without a line of the server: it takes verdicts from the
// judge, chooses whom to watch, and asks for what is missing.
func (w *Watcher) Step(now time.Time) []clip.Command {
	w.now = now
	var out []clip.Command
	if w.bench != nil {
		for _, f := range w.bench.take() {
			out = append(out, w.finished(f, true)...)
		}
	}
	if w.paused {
		return out
	}
	if w.observer != nil && now.Sub(w.boardAt) >= boardGap && w.observer.NeedsBoard() {
		w.boardAt = now
		out = append(out, clip.AskBoard{})
	}
	return append(out, w.choose(now)...)
}

// choose goes to another player when that is right.
func (w *Watcher) choose(now time.Time) []clip.Command {
	switch {
	case now.Before(w.wait):
		return nil
	case w.target != "" && !w.sure:
		if now.Sub(w.wait) < answerIn {
			return nil
		}
		w.chooser.passOver(w.target, now) // no answer at all
		w.target = ""
	case w.sure && w.observer.Opponent() != "":
		if !w.chooser.May(w.target, w.observer.Opponent(), now) {
			return w.leave(now)
		}
		return nil // a match is watched to its end
	case w.sure && w.chooser.Playing(w.target) && now.Sub(w.boardAt) < answerIn:
		return nil // its first board is on the way
	case w.judging > 0 && now.Sub(w.wait) < judgeIn:
		return nil // its summary is said while we are still there
	}
	name, ok := w.chooser.Next(now)
	if ok && name == w.target {
		return nil
	}
	if !ok || w.sure && !w.chooser.Playing(name) {
		if w.sure && !w.chooser.May(w.target, "", now) {
			return w.leave(now)
		}
		if now.Sub(w.whoAt) < whoGap {
			return nil
		}
		w.whoAt = now
		return []clip.Command{clip.RawWho{}}
	}
	if w.observer != nil {
		w.news(w.observer.Leave(), now)
	}
	w.observer, w.target, w.sure, w.wait = nil, name, false, now
	return []clip.Command{clip.Watch{Name: name}}
}

// news passes on what the observer noticed: to the judge, when there is one.
func (w *Watcher) news(list []News, now time.Time) {
	for _, n := range list {
		switch n.Kind {
		case Opened:
			w.comment.Match()
			w.open(n.Match, now)
		case MatchOver, Stopped:
			w.current = nil
			w.judging++
			w.wait = now.Add(w.opt.Settle)
		}
		if w.bench == nil {
			w.finished(finished{news: n}, false)
			continue
		}
		w.bench.add(n)
	}
}

// open writes down when and by whom a match is played.
func (w *Watcher) open(m *record.Match, now time.Time) {
	m.Date = now.UTC().Format("2006-01-02")
	for i := range m.Players {
		if p, ok := w.chooser.who[m.Players[i].Name]; ok {
			m.Players[i].Rating = formatRating(p.Rating)
		}
	}
	if w.opt.Dir != "" && w.opt.Config.Archive {
		f, err := newFile(w.opt.Dir, w.opt.Me, w.opt.Server, m, now)
		if w.failed(err); err == nil {
			w.files[m], w.current = f, f
		}
	}
}

// failed notes a failure to write. A full disk fails at every line of the server:
// the first one is kept, and what repeats the one before is not reported again.
func (w *Watcher) failed(err error) {
	if err == nil {
		return
	}
	if w.err == nil {
		w.err = err
	}
	if text := err.Error(); text != w.trouble {
		w.trouble = text
		w.report(Report{Topic: Note, Text: text})
	}
}

// finished handles one piece of news after the judge; speak tells whether
// comments may still be made.
func (w *Watcher) finished(f finished, speak bool) (out []clip.Command) {
	m := f.news.Match
	speak = speak && w.sure && w.observer != nil && (m.Players[1].Name == w.target || m.Players[0].Name == w.target)
	say := func(texts []string) {
		for _, t := range texts {
			if !speak {
				return
			}
			w.report(Report{Topic: Said, Match: m, Text: t})
			if w.opt.Config.Channel == ChannelKibitz {
				out = append(out, clip.Kibitz{Text: t})
			} else {
				out = append(out, clip.Whisper{Text: t})
			}
		}
	}
	if f.skipped > 0 {
		w.report(Report{Topic: Note, Match: m, Text: decisions(f.skipped) + " not judged: the engine is too slow for this match"})
	}
	r := Report{Match: m, Game: f.news.Game, Joined: f.news.Joined}
	switch f.news.Kind {
	case Opened:
		r.Topic = Began
	case Gap:
		r.Topic = Missed
	case Decided:
		r.Topic, r.Verdict = Judged, f.verdict
		if r.Verdict == nil {
			r.Verdict = &Verdict{Decision: f.news.Decision}
			r.Verdict.words()
		} else {
			r.Verdict.Keep(r.Verdict.Analysis)
		}
		w.keep(m)
		w.report(r)
		if w.bench != nil {
			say(w.comment.Verdict(r.Verdict))
		}
		return out
	case GameOver:
		r.Topic, r.Summary = GameEnd, analyse.Annotate(m, w.table, analyse.DefaultLimits)
		w.write(m)
		w.report(r)
		if w.bench != nil {
			say(w.comment.GameOver(m, f.news.Game, r.Summary))
		}
		return out
	case MatchOver, Stopped:
		r.Topic, r.Summary = MatchEnd, analyse.Annotate(m, w.table, analyse.DefaultLimits)
		if f.news.Kind == Stopped {
			r.Topic = BrokenOff
		}
		w.judging--
		w.seen++
		r.Files = w.write(m)
		if f := w.files[m]; f != nil && (r.Files != nil || !worthKeeping(m)) {
			w.failed(f.end())
		}
		delete(w.files, m)
		w.report(r)
		if w.bench != nil && f.news.Kind == MatchOver {
			say(w.comment.MatchOver(m, r.Summary))
		}
		return out
	}
	w.report(r)
	return out
}

// keepEvery is the least time between two writings of a match that goes on: a
// killed process loses the analyses of that time, the match itself is in the
// journal.
const keepEvery = 2 * time.Second

// keep writes a running match with what was judged meanwhile.
func (w *Watcher) keep(m *record.Match) {
	if f := w.files[m]; f != nil && w.now.Sub(f.wrote) >= keepEvery {
		w.write(m)
	}
}

// write brings a match to the disk.
func (w *Watcher) write(m *record.Match) []string {
	f := w.files[m]
	if f == nil || !worthKeeping(m) {
		return nil
	}
	f.wrote = w.now
	paths, err := f.write(m)
	w.failed(err)
	return paths
}

func (w *Watcher) report(r Report) {
	if w.opt.Report != nil {
		w.opt.Report(r)
	}
}

// Close ends the watching: the judge stops at once, what was seen is reported
// and written. It sends nothing; the connection may be gone. The error is Err's.
func (w *Watcher) Close(now time.Time) error {
	w.now = now
	if w.observer != nil {
		w.news(w.observer.Leave(), now)
		w.observer = nil
	}
	w.target, w.sure = "", false
	if w.bench != nil {
		for _, f := range w.bench.close() {
			w.finished(f, false)
		}
	}
	return w.err
}
