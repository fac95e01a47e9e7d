package watch

import (
	"strings"
	"time"

	"fibsbot/bot/optout"
	"fibsbot/bot/protocol"
	"fibsbot/config"
	"fibsbot/engine/analyse"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Options say whom to watch and what to do with what is seen.
type Options struct {
	// Me is our account's name, Server the address it is written down with.
	Me, Server string
	// Protocol is that of the server.
	Protocol protocol.Protocol
	// Lobby is who is on line, kept by somebody else who sees every line before the
	// Watcher does; nil keeps a list of its own.
	Lobby *protocol.Lobby
	// Config are the keys under watch in bot.yaml.
	Config config.Watch
	// Dir is where watched matches are kept when Config.Archive is set; see Dir.
	// Empty keeps nothing.
	Dir string
	// OptOut lists those who asked not to be commented on; nil begins a list that
	// is not kept.
	OptOut *optout.List
	// Judge judges decisions. Without one matches are rebuilt, reported and kept,
	// and nothing is said about them.
	Judge *Judge
	// Waiting bounds the decisions that wait for the engine; 40 by default.
	Waiting int
	// Ready, when set, is called when Step has something from the judge to take, by
	// another goroutine; it must not block. See Watcher.Ready.
	Ready func()
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
	Judged    Topic = "decision" // Judgement
	Missed    Topic = "gap"
	GameEnd   Topic = "game"    // Game, Summary
	MatchEnd  Topic = "match"   // Summary, Files
	BrokenOff Topic = "stopped" // the match was interrupted or left; Summary, Files
	Note      Topic = "note"    // Text
	Said      Topic = "said"    // Text is what we have said about the match, as the server confirms
)

// Report is one thing that happened while watching.
type Report struct {
	Topic     Topic
	Text      string
	Match     *record.Match // nil when the report is about no match
	Game      int           // index
	Joined    bool
	Judgement *Judgement
	Summary   *analyse.Summary
	Files     []string
}

// Watcher is everything that watching needs besides a connection: it is fed with
// the lines of the server and returns the commands to send. It belongs to the
// goroutine that calls it; only the judging happens in one of its own, which
// Close ends.
type Watcher struct {
	opt     Options
	chooser *chooser
	lobby   *protocol.Lobby // to be kept by us; nil when it is Options.Lobby
	comment *commentator
	queue   *judgeQueue
	table   *match.Table

	observer *observer // of whom we watch
	target   string    // whom we asked to watch, or watch
	sure     bool      // the server has said that we watch
	wait     time.Time // do nothing about the choice before
	boardAt  time.Time // a board was asked for
	whoAt    time.Time // the who list was asked for
	paused   bool
	judging  int      // matches that are over and not judged to their end
	unsaid   []remark // not confirmed yet, the oldest first
	mute     string   // the channel that the server does not have
	unheard  bool     // that nothing is confirmed was reported
	seen     int      // matches reported to their end
	files    map[*record.Match]*file
	current  *file // of the match being seen, nil when it is not kept
	heard    map[string]bool
	now      time.Time // of the last call
	err      error     // the first failure to write
	trouble  string    // the failure reported last
}

const (
	// answerIn is how long the server may take to say that we watch.
	answerIn = 20 * time.Second
	// boardGap is the least time between two requests for a board.
	boardGap = 5 * time.Second
	// whoGap is the time between two looks at the who list while there is
	// nobody to watch. Servers send changes by themselves.
	whoGap = time.Minute
	// confirmIn is how long a remark may wait for its confirmation before that is
	// reported; it may have waited to be sent.
	confirmIn = time.Minute
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
	var own *protocol.Lobby
	if opt.Lobby == nil {
		own = protocol.NewLobby(opt.Me)
		opt.Lobby = own
	}
	w := &Watcher{
		opt: opt, lobby: own,
		chooser: newChooser(opt.Config.Players, opt.Config.Never, opt.Me, opt.Lobby),
		comment: newCommentator(opt.Config, opt.OptOut),
		files:   map[*record.Match]*file{},
		heard:   map[string]bool{},
	}
	if opt.Judge != nil {
		w.queue = newJudgeQueue(opt.Judge, opt.Waiting, opt.Ready)
		w.table = opt.Judge.engine.Table()
	}
	if opt.Dir != "" {
		files, err := recoverLeft(opt.Dir, opt.Me, opt.Server, opt.Protocol)
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
	w.chooser.Configure(cfg.Players, cfg.Never)
	w.comment.Configure(cfg)
}

// Appoint changes the judge, from the next decision on. Whoever has watched without
// one goes on so.
func (w *Watcher) Appoint(j *Judge) {
	if w.queue != nil {
		w.queue.setJudge(j)
	}
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

// Ready is poked when judging has results for Step.
func (w *Watcher) Ready() <-chan struct{} {
	if w.queue == nil {
		return nil
	}
	return w.queue.ready
}

// Err is the first failure to write a file. Watching goes on without the file.
func (w *Watcher) Err() error { return w.err }

// Event enters a line of the server and returns what to send.
func (w *Watcher) Event(ev protocol.Event, now time.Time) []protocol.Command {
	if w.lobby != nil {
		w.lobby.Event(&ev)
	}
	w.chooser.Event(ev, now)
	var out []protocol.Command
	switch ev.Kind {
	case protocol.YouWatch:
		out = w.begun(ev.Name, now)
	case protocol.YouUnwatch:
		if w.sure && ev.Name == w.target {
			w.ended(now)
		}
	case protocol.LogsOut:
		if ev.Name == w.target {
			w.observe(ev, now)
			w.ended(now)
		}
	case protocol.ShutOut:
		if ev.Other == protocol.You && w.sure {
			w.ended(now)
		}
	case protocol.WatchRefused, protocol.NoSuchPlayer:
		if w.target != "" && !w.sure {
			w.report(Report{Topic: Note, Text: "cannot watch " + w.target + ": " + ev.Raw})
			w.target, w.wait = "", now.Add(w.opt.Settle)
		}
	case protocol.CannotWatch:
		if w.target == ev.Name || w.target == ev.Other {
			w.report(Report{Topic: Note, Text: ev.Raw})
			out = w.leave(now)
		}
	case protocol.Says, protocol.Kibitzes, protocol.Whispers:
		out = w.told(&ev, now)
	case protocol.Remarked:
		w.confirmed(ev.Text)
	case protocol.ListRefused:
		if word, _, _ := strings.Cut(ev.Text, " "); len(w.unsaid) > 0 && (word == w.opt.Config.Channel || word == "") {
			w.silenced(ev.Raw)
		}
	case protocol.TalkRefused:
		if len(w.unsaid) > 0 {
			w.report(Report{Topic: Note, Match: w.unsaid[0].match, Text: "not said, for the server answers " + ev.Raw})
			w.unsaid = w.unsaid[1:]
		}
	}
	w.observe(ev, now)
	return append(out, w.Step(now)...)
}

// observe gives the line to the observer, and to the journal of the match it
// belongs to: the one being seen, or the one it opens.
func (w *Watcher) observe(ev protocol.Event, now time.Time) {
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
func (w *Watcher) jot(f *file, ev *protocol.Event, now time.Time) {
	if f == nil || f.lines == nil {
		return
	}
	switch ev.Kind {
	case protocol.UserInfo, protocol.Says, protocol.Shouts, protocol.Kibitzes, protocol.Whispers, protocol.Noise, protocol.Unknown,
		protocol.Remarked, protocol.TalkRefused:
		return
	case protocol.Other:
		if !ev.Keep {
			return
		}
	}
	w.failed(f.lines.Add(ev.Raw, now))
}

// told handles what people say. Whoever asks us to stop is obeyed, and told so
// once; anything else is the business of others.
func (w *Watcher) told(ev *protocol.Event, now time.Time) []protocol.Command {
	players := [2]string{}
	if w.observer != nil {
		players = [2]string{w.observer.Opponent(), w.observer.Player()}
	}
	stop, err := w.comment.Heard(ev.Name, ev.Text, players)
	w.failed(err)
	if !stop {
		return nil
	}
	var out []protocol.Command
	if !w.heard[ev.Name] && len(w.heard) < maxHeard {
		w.heard[ev.Name] = true
		if text := w.opt.Config.Texts.Stop; text != "" {
			out = append(out, protocol.Tell{Name: ev.Name, Text: brief(w.opt.Protocol.Plain(text))})
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

// Close ends the watching: the judge stops at once, what was seen is reported
// and written. It sends nothing; the connection may be gone. The error is Err's.
func (w *Watcher) Close(now time.Time) error {
	w.now = now
	if w.observer != nil {
		w.news(w.observer.Leave(), now)
		w.observer = nil
	}
	w.target, w.sure = "", false
	if w.queue != nil {
		for _, f := range w.queue.close() {
			w.finished(f, false)
		}
	}
	return w.err
}
