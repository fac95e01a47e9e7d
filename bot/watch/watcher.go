package watch

import (
	"cmp"
	"strings"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/config"
	"fibsbot/engine/analyse"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Options are the options of a Watcher.
type Options struct {
	// Me is our account's name, Server the server's address for the records.
	Me, Server string
	// Protocol is the server's protocol.
	Protocol protocol.Protocol
	// Lobby is the list of players online, whose owner updates it before the Watcher sees
	// a line; with nil the Watcher keeps a list of its own.
	Lobby *protocol.Lobby
	// Config holds the keys under watch in bot.yaml.
	Config config.Watch
	// Dir is the folder for watched matches if Config.Archive is set; see Dir. Empty keeps
	// none.
	Dir string
	// OptOuts are the players who asked not to be commented on; with nil the Watcher
	// remembers them itself.
	OptOuts OptOuts
	// Judge analyses decisions. Without one matches are rebuilt, reported and kept, without
	// comments.
	Judge *Judge
	// Waiting bounds the decisions that wait for the engine; 40 by default.
	Waiting int
	// Ready is called by another goroutine when Step has results from the judge; it must not
	// block. It must be set with a Judge.
	Ready func()
	// Report, if set, is called for everything that happens, in the goroutine that calls
	// the Watcher.
	Report func(Report)
	// Settle is the wait after a match before changing to another one, so that who lines
	// and comments can arrive; 2 s by default.
	Settle time.Duration
}

// Topic is the subject of a Report.
type Topic string

// The topics of reports.
const (
	Watching  Topic = "watching" // Text is the player watched now
	Began     Topic = "began"    // a match is seen; Joined if not from its start
	Judged    Topic = "decision" // Judgement
	Missed    Topic = "gap"
	GameEnd   Topic = "game"    // Game, Summary
	MatchEnd  Topic = "match"   // Summary, Files
	BrokenOff Topic = "stopped" // the match was interrupted or left; Summary, Files
	Note      Topic = "note"    // Text
	Said      Topic = "said"    // Text is our comment, confirmed by the server
)

// Report is one thing that happened while watching.
type Report struct {
	Topic     Topic
	Text      string
	Match     *record.Match // nil if the report is not about a match
	Game      int           // index
	Joined    bool
	Judgement *Judgement
	Summary   *analyse.Summary
	Files     []string
}

// Watcher does everything for watching apart from the connection: it takes the lines of the
// server and returns the commands to send. It belongs to the goroutine that calls it; only
// the judge has a goroutine of its own, which Close ends.
type Watcher struct {
	opt     Options
	chooser *chooser
	lobby   *protocol.Lobby // our own list, or nil if Options.Lobby is used
	comment *commentator
	queue   *judgeQueue
	table   *match.Table

	observer *observer // of the watched player
	sheet    *sheet.Sheet
	target   string    // whom we watch or asked to watch
	sure     bool      // the server has confirmed that we watch
	wait     time.Time // no new choice before
	boardAt  time.Time // last request for a board
	whoAt    time.Time // last request for the who list
	paused   bool
	judging  int      // matches that are over but not completely analysed
	unsaid   []remark // not confirmed yet, oldest first
	mute     string   // the channel that the server does not have
	unheard  bool     // missing confirmations were reported
	seen     int      // matches reported to their end
	files    map[*record.Match]*file
	current  *file     // of the present match, or nil if it is not kept
	now      time.Time // of the last call
	err      error     // the first failure to write
	trouble  string    // the last reported failure
}

const (
	// answerIn is how long the server may take to confirm that we watch.
	answerIn = 20 * time.Second
	// boardGap is the shortest time between two requests for a board.
	boardGap = 5 * time.Second
	// whoGap is the time between two requests for the who list while there is no one to
	// watch. Servers send changes by themselves.
	whoGap = time.Minute
	// confirmIn is how long a remark may stay unconfirmed, including its time in the send
	// queue, before that is reported.
	confirmIn = time.Minute
	// judgeIn is how long the engine may take after a match before we leave.
	judgeIn = 30 * time.Second
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
		comment: newCommentator(opt.Config, opt.OptOuts),
		files:   map[*record.Match]*file{},
	}
	if opt.Judge != nil {
		w.queue = newJudgeQueue(opt.Judge, opt.Waiting, opt.Ready)
		w.table = opt.Judge.engine.Table()
	}
	if opt.Dir != "" {
		files, err := recoverLeft(opt.Dir, opt.Me, opt.Server, opt.Protocol)
		w.failed(err)
		for _, f := range files {
			w.report(Report{Topic: Note, Text: "recovered from the last run: " + f})
		}
	}
	return w
}

// Configure changes the rules. A match that is being watched is not affected.
func (w *Watcher) Configure(cfg config.Watch) {
	w.opt.Config = cfg
	w.chooser.Configure(cfg.Players, cfg.Never)
	w.comment.Configure(cfg)
}

// SetJudge changes the judge, from the next decision on. It has no effect on a Watcher that
// was made without one.
func (w *Watcher) SetJudge(j *Judge) {
	if w.queue != nil {
		w.queue.setJudge(j)
	}
}

// Watching returns the watched player, or "".
func (w *Watcher) Watching() string {
	if !w.sure {
		return ""
	}
	return w.target
}

// Sheet returns the match seen last, as the watched player's, or nil. It may be over.
func (w *Watcher) Sheet() *sheet.Sheet { return w.sheet }

// Matches returns the number of matches that were watched until they ended or were
// interrupted, and reported.
func (w *Watcher) Matches() int { return w.seen }

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
			w.report(Report{Topic: Note, Text: "cannot watch " + w.target + ": " + cmp.Or(ev.Text, ev.Raw)})
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
			w.report(Report{Topic: Note, Match: w.unsaid[0].match, Text: "comment refused by the server: " + ev.Raw})
			w.unsaid = w.unsaid[1:]
		}
	}
	w.observe(ev, now)
	return append(out, w.Step(now)...)
}

// observe passes the line to the observer, and to the journal of the match it belongs to:
// the present match or the one that it opens.
func (w *Watcher) observe(ev protocol.Event, now time.Time) {
	if w.observer == nil {
		return
	}
	before := w.current
	w.journal(before, &ev, now)
	list := w.observer.Event(ev)
	if s := w.observer.sheet; s != nil {
		w.sheet = s
	}
	w.news(list, now)
	if w.current != before {
		w.journal(w.current, &ev, now)
	}
}

// journal writes a line to a journal, except who lines and talk, which do not change a match.
func (w *Watcher) journal(f *file, ev *protocol.Event, now time.Time) {
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

// told handles talk. It obeys requests to stop and confirms the first one of each player; all
// other talk is handled elsewhere.
func (w *Watcher) told(ev *protocol.Event, now time.Time) []protocol.Command {
	players := [2]string{}
	if w.observer != nil {
		players = [2]string{w.observer.Opponent(), w.observer.Player()}
	}
	known := w.comment.optOuts.Has(ev.Name) // and confirmed, here or by the account that also plays
	stop, err := w.comment.Heard(ev.Name, ev.Text, players)
	w.failed(err)
	if !stop {
		return nil
	}
	var out []protocol.Command
	if text := w.opt.Config.Texts.Stop; text != "" && !known {
		out = append(out, protocol.Tell{Name: ev.Name, Text: brief(w.opt.Protocol.Plain(text))})
	}
	if what, _ := asksToStop(ev.Text); what == "watch" {
		w.chooser.Bar(ev.Name, now)
		if ev.Name == players[0] || ev.Name == players[1] {
			out = append(out, w.leave(now)...)
		}
	}
	return out
}

// Close stops the judge and reports and writes what was seen. It sends nothing, because the
// connection may be gone. It returns the first failure to write a file.
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
