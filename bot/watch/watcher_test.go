package watch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

// tester is a Watcher with a clock of its own that records what it sends.
type tester struct {
	t       *testing.T
	w       *Watcher
	now     time.Time
	parser  protocol.Reader
	sent    []string
	reports []Report
	ready   chan struct{}
}

func newTester(t *testing.T, judge *Judge, cfg config.Watch, dir string) *tester {
	d := &tester{t: t, now: noon, parser: fibs.Protocol{}.Reader(), ready: make(chan struct{}, 1)}
	d.w = New(Options{Protocol: fibs.Protocol{}, Me: "carla", Server: "here", Config: cfg, Dir: dir, Judge: judge,
		Ready: func() { poke(d.ready) }, Report: func(r Report) { d.reports = append(d.reports, r) }})
	d.w.now = noon
	return d
}

func (d *tester) send(list []protocol.Command) {
	for _, c := range list {
		lines, err := fibs.Protocol{}.Encode(c)
		text := strings.Join(lines, "; ")
		if err != nil {
			d.t.Errorf("a command that cannot be sent: %v", err)
		}
		d.sent = append(d.sent, text)
	}
}

// hear enters lines, each a tenth of a second after the one before, and returns what was
// sent.
func (d *tester) hear(lines ...string) []string {
	d.sent = nil
	for _, l := range lines {
		for _, ev := range d.parser.FromServer(l) {
			d.now = d.now.Add(100 * time.Millisecond)
			d.send(d.w.Event(ev, d.now))
		}
	}
	return d.sent
}

// later lets time pass and returns what was sent.
func (d *tester) later(pass time.Duration) []string {
	d.sent = nil
	d.now = d.now.Add(pass)
	d.send(d.w.Step(d.now))
	return d.sent
}

func (d *tester) expect(what string, got []string, want ...string) {
	d.t.Helper()
	if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(got, "\n")); diff != "" {
		d.t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func wanted(players ...string) config.Watch {
	w := config.Default().Watch
	w.Players = players
	return w
}

func TestWatcher_fullDiskIsReportedOnce(t *testing.T) {
	d := newTester(t, nil, wanted("alice"), "")
	first := errors.New("no space left on device")
	for range 1000 {
		d.w.failed(first)
	}
	d.w.failed(errors.New("input/output error"))
	if len(d.reports) != 2 {
		t.Errorf("%d reports, want one for each of two failures", len(d.reports))
	}
	if d.w.err != first {
		t.Errorf("Err is %v, want the first failure alone", d.w.err)
	}
}

func TestWatcher_goesFromMatchToMatch(t *testing.T) {
	d := newTester(t, nil, wanted("alice", Any), "")
	defer d.w.Close(d.now)
	d.expect("no player is online", d.later(0), "rawwho")
	d.expect("no one is playing", d.hear(who("alice", "-", 1500), who("bob", "-", 1600), "6"), "watch alice")
	d.expect("she plays nothing", d.hear("You're now watching alice.", "alice is not doing anything interesting."))
	d.expect("another match", d.hear(who("carl", "dora", 1900)), "watch carl")
	d.expect("confirmed", d.hear("** You stop watching alice.", "You're now watching carl."), "board")
	// alice starts to play, but a match is watched to its end.
	d.expect("the board comes", d.hear(start("carl", "dora"), who("alice", "bob", 1500), who("bob", "alice", 1600)))
	if got := d.w.Watching(); got != "carl" {
		t.Errorf("watching %q, want carl", got)
	}
	d.expect("the match ends", d.hear("carl wins the game and gets 3 points.", "carl wins the 3 point match 3-0 .", who("carl", "-", 1900)))
	d.expect("after a pause the first of the list", d.later(3*time.Second), "watch alice")
	d.expect("no answer for a while", d.later(10*time.Second))
	d.expect("then another player is chosen", d.later(15*time.Second), "watch bob")
	d.expect("who does not want us", d.hear("** bob doesn't want you to watch."))
	d.expect("nor may his opponent be watched", d.later(61*time.Second), "rawwho")
	d.expect("against another player she may be watched", d.hear(who("alice", "gina", 1500)), "watch alice")
	d.hear("You're now watching alice.", start("alice", "gina"))
	d.expect("she goes", d.hear("8 alice alice logs out.", "alice logs out.. You're not watching anymore."))
	if got := d.w.Watching(); got != "" {
		t.Errorf("watching %q after she went", got)
	}
	if d.w.Matches() != 2 {
		t.Errorf("%d matches seen, want 2", d.w.Matches())
	}
}

// start is the board of a first game with the opening roll 31 for the player.
func start(player, opponent string) string {
	return fmt.Sprintf("board:%s:%s:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0", player, opponent)
}

func TestWatcher_leavesOnRequest(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		want  []string
		stays bool
	}{
		{"a player tells us to stop watching", []string{"12 dora stop watching"},
			[]string{"tellx dora I will not comment on your matches again.", "unwatch"}, false},
		{"a player kibitzes stop", []string{"15 dora stop"}, []string{"tellx dora I will not comment on your matches again."}, true},
		{"twice", []string{"15 dora stop", "12 dora stop"}, []string{"tellx dora I will not comment on your matches again."}, true},
		{"a player shuts us out", []string{"dora bans you from watching."}, nil, false},
		{"the match is closed to us", []string{"** You can't watch the match between carl and dora."}, []string{"unwatch"}, false},
		{"we stop by hand", []string{"You stop watching carl."}, nil, false},
		{"talk", []string{"15 dora what a roll", "12 eve hello"}, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newTester(t, nil, wanted("carl"), "")
			defer d.w.Close(d.now)
			d.hear(who("carl", "dora", 1900))
			d.hear("You're now watching carl.", start("carl", "dora"))
			d.expect("answer", d.hear(tt.lines...), tt.want...)
			if stays := d.w.Watching() == "carl"; stays != tt.stays {
				t.Errorf("still watching: %v, want %v", stays, tt.stays)
			}
		})
	}
}

func TestWatcher_playerOnTheListNever(t *testing.T) {
	cfg := wanted("carl")
	cfg.Never = []string{"dora"}
	d := newTester(t, nil, cfg, "")
	defer d.w.Close(d.now)
	// carl is not playing yet and may be watched; his match with dora may not.
	d.hear(who("carl", "-", 1900))
	d.hear("You're now watching carl.", "carl is not doing anything interesting.")
	d.expect("a match with dora", d.hear(who("carl", "dora", 1900), start("carl", "dora")), "unwatch")
}

func TestWatcher_pausedForAMatchOfOurOwn(t *testing.T) {
	d := newTester(t, nil, wanted(Any), "")
	defer d.w.Close(d.now)
	d.hear(who("carl", "dora", 1900))
	d.hear("You're now watching carl.", start("carl", "dora"))
	d.sent = nil
	d.send(d.w.Pause(d.now))
	d.expect("pause", d.sent, "unwatch")
	d.expect("while paused", append(d.hear("You stop watching carl.", who("eve", "fred", 1500)), d.later(time.Hour)...))
	d.w.Resume(d.now)
	d.expect("resumed", d.later(time.Second), "watch carl")
}

func TestWatcher_asksForABoardWhenLost(t *testing.T) {
	d := newTester(t, nil, wanted("carl"), "")
	defer d.w.Close(d.now)
	d.hear(who("carl", "dora", 1900))
	d.expect("no board yet", d.hear("You're now watching carl."), "board")
	d.expect("too early to ask again", d.hear("carl rolls 3 and 1.", "carl moves 8-5 6-5 ."))
	d.expect("now", d.later(6*time.Second), "board")
	d.expect("once", d.later(time.Second))
	d.expect("answered", d.hear(start("carl", "dora")))
	d.expect("nothing to ask", d.later(6*time.Second))
	d.expect("a damaged board", d.hear("board:carl:dora:3:0:0:junk"), "board")
}

func TestWatcher_filesWhatWasSeen(t *testing.T) {
	dir := t.TempDir()
	d := newTester(t, nil, wanted("carl"), dir)
	d.hear(who("carl", "dora", 1900.5), who("dora", "carl", 1700))
	d.hear("You're now watching carl.", start("carl", "dora"), "carl moves 8-5 6-5 .", "dora rolls 6 and 4", "dora moves 1-11 .")
	d.hear("carl rolls 2 and 1")
	if err := d.w.Close(d.now); err != nil {
		t.Fatal(err)
	}
	last := d.reports[len(d.reports)-1]
	if last.Topic != BrokenOff || len(last.Files) != 2 {
		t.Fatalf("last report %s with files %v", last.Topic, last.Files)
	}
	want := "20261121-120000_watched_carl_dora_3pt.sgf"
	if got := filepath.Base(last.Files[0]); got != want {
		t.Errorf("file %s, want %s", got, want)
	}
	if m := last.Match; m.Players[1].Rating != "1900.50" || m.Players[0].Rating != "1700.00" || m.Date != "2026-11-21" {
		t.Errorf("players %v, date %s", m.Players, m.Date)
	}
	// A match without a seen move leaves no file.
	d = newTester(t, nil, wanted("carl"), dir)
	d.hear(who("carl", "dora", 1900.5))
	d.hear("You're now watching carl.", start("carl", "dora"))
	if err := d.w.Close(d.now); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]int{"*.*": 2, "open/*": 0} {
		if files, _ := filepath.Glob(filepath.Join(dir, pattern)); len(files) != want {
			t.Errorf("files: %v", files)
		}
	}
}

// TestWatcher_killedLosesNothing: a killed process leaves a journal. The next one files the
// match from it, with the analyses so far.
func TestWatcher_killedLosesNothing(t *testing.T) {
	dir := t.TempDir()
	d := newTester(t, nil, wanted("carl"), dir)
	d.hear(who("carl", "dora", 1900.5), who("dora", "carl", 1700))
	d.hear("You're now watching carl.", start("carl", "dora"), "carl moves 8-5 6-5 .", "dora rolls 6 and 4", "dora moves 1-11 .",
		"carl rolls 2 and 1", "carl moves 13-11 6-5 .")
	// Killed here: no Close. Another account's watcher leaves the journal alone.
	other := New(Options{Protocol: fibs.Protocol{}, Me: "eve", Server: "here", Config: wanted("carl"), Dir: dir})
	if err := other.Close(noon); err != nil {
		t.Fatal(err)
	}
	journals, _ := filepath.Glob(filepath.Join(dir, "open", "*.journal"))
	if len(journals) != 1 {
		t.Fatalf("journals: %v", journals)
	}
	// The kill cut the last line off.
	f, err := os.OpenFile(journals[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"k":"<","raw":"dora ro`); err != nil {
		t.Fatal(err)
	}
	f.Close()

	again := newTester(t, nil, wanted("carl"), dir)
	if err := again.w.err; err != nil {
		t.Fatal(err)
	}
	if r := again.reports; len(r) != 1 && len(r) != 2 || !strings.Contains(r[0].Text, "recovered from the last run: ") {
		t.Errorf("reports %+v", r)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.sgf"))
	if left, _ := filepath.Glob(filepath.Join(dir, "open", "*")); len(left) != 0 || len(files) != 1 {
		t.Fatalf("left %v, files %v", left, files)
	}
	in, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	m, _, err := sgf.Read(in)
	if err != nil {
		t.Fatal(err)
	}
	if n := count(m, record.Move); n != 3 || m.Players[1].Name != "carl" || m.Date != "2026-11-21" {
		t.Errorf("%d moves of %v on %s", n, m.Players, m.Date)
	}
	if err := again.w.Close(noon); err != nil {
		t.Fatal(err)
	}
}

func testEngine(t testing.TB) (*engine.Engine, preset.Preset) {
	t.Helper()
	e, err := engine.Open(engine.Options{Threads: 1, NoBearoff: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	pr, err := preset.ByName("expert")
	if err != nil {
		t.Fatal(err)
	}
	pr.Checker.Plies, pr.Cube.Plies = 0, 0
	return e, pr
}

// A resignation with a roll that cannot enter is worth less than before the roll.
func TestJudge_resignationOfADance(t *testing.T) {
	e, pr := testEngine(t)
	j := NewJudge(e, pr, nil)
	s, err := match.ParseSituation("7rZFAADYNtwAGA")
	if err != nil {
		t.Fatal(err)
	}
	s.State = match.State{Length: 5, Cube: 1}
	s.Position.Me[23], s.Position.Me[board.Bar] = 1, 1
	loss := func(d board.Dice) float64 {
		s.Dice = d
		v, err := j.Judge(t.Context(), Act{Kind: AcceptResign, Situation: s, Games: 1, OnRoll: true})
		if err != nil || v.Err != nil {
			t.Fatal(err, v.Err)
		}
		return v.Loss
	}
	if before, dance := loss(board.Dice{}), loss(board.Dice{A: 5, B: 4}); dance < before+0.02 {
		t.Errorf("accepting loses %.4f before the roll, %.4f after a roll that does not enter", before, dance)
	}
}

func TestJudge_decisions(t *testing.T) {
	e, pr := testEngine(t)
	j := NewJudge(e, pr, nil)
	m := &record.Match{Length: 5, Players: [2]record.Player{{Name: "bob"}, {Name: "alice"}}}
	at := func(id string) match.Situation {
		s, err := match.ParseSituation(id)
		if err != nil {
			t.Fatal(err)
		}
		s.State = match.State{Length: 5, Cube: 1}
		return s
	}
	opening := at("4HPwATDgc/ABMA")
	opening.Dice = board.Dice{A: 3, B: 1}
	play := func(text string) board.Play {
		p, err := board.ParsePlay(opening.Position, opening.Dice, text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	// The player on roll has two checkers on his ace point, the other two on his six
	// point: won at once.
	won := at("MAAAAAwAAAAAAA")
	won.Position = board.Position{Me: board.Checkers{0: 2}, Opp: board.Checkers{5: 2}}
	cash := won
	doubled := cash
	doubled.Doubled = true
	resigned := at("4HPwATDgc/ABMA")
	lost := at("4HPwATDgc/ABMA")
	lost.Position = won.Position.Swap()
	for _, tt := range []struct {
		name       string
		d          Act
		best       string
		loses      bool
		cubeLoses  bool
		rank       int
		judgedLuck bool
	}{
		{"the best opening play", Act{Kind: Move, Player: 1, Situation: opening, Play: play("8/5 6/5"), Opening: true}, "8/5 6/5", false, false, 1, true},
		{"a poor one", Act{Kind: Move, Player: 0, Situation: opening, Play: play("8/4"), Opening: true}, "8/5 6/5", true, false, -1, true},
		{"not doubling what is won", Act{Kind: Move, Player: 1, Situation: func() match.Situation { s := won; s.Dice = board.Dice{A: 2, B: 1}; return s }(),
			Play: board.Play{Steps: [4]board.Step{{From: 0, To: board.Off}, {From: 0, To: board.Off}}, N: 2,
				Result: board.Position{Opp: board.Checkers{5: 2}}}}, "", false, true, -1, true},
		{"a right double", Act{Kind: Double, Player: 1, Situation: cash}, "double", false, false, 0, false},
		{"a wrong take", Act{Kind: Take, Player: 0, Situation: doubled}, "drop", true, false, 0, false},
		{"a right drop", Act{Kind: Drop, Player: 0, Situation: doubled}, "drop", false, false, 0, false},
		{"a wrong double", Act{Kind: Double, Player: 1, Situation: at("4HPwATDgc/ABMA")}, "no double", true, false, 0, false},
		{"a resignation too early", Act{Kind: Resign, Player: 1, Situation: resigned, Games: 1, OnRoll: true}, "play on", true, false, 0, false},
		{"its acceptance", Act{Kind: AcceptResign, Player: 0, Situation: resigned, Games: 1, OnRoll: true}, "accept", false, false, 0, false},
		{"its refusal", Act{Kind: RejectResign, Player: 0, Situation: resigned, Games: 1, OnRoll: true}, "accept", true, false, 0, false},
		{"a right resignation", Act{Kind: Resign, Player: 0, Situation: lost, Games: 1}, "resign", false, false, 0, false},
		{"refusing what cannot be bettered", Act{Kind: RejectResign, Player: 1, Situation: lost, Games: 1}, "refuse", false, false, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.d.match, tt.d.index = m, -1
			v, err := j.Judge(t.Context(), tt.d)
			if err != nil || v.Err != nil {
				t.Fatal(err, v.Err)
			}
			if v.Loss > 0 != tt.loses || v.CubeLoss > 0 != tt.cubeLoses {
				t.Errorf("loss %.4f, cube %.4f", v.Loss, v.CubeLoss)
			}
			if tt.best != "" && v.Best != tt.best {
				t.Errorf("best %q, want %q", v.Best, tt.best)
			}
			if tt.rank > 0 && v.Rank != tt.rank || tt.rank < 0 && v.Rank < 1 {
				t.Errorf("rank %d", v.Rank)
			}
			if (v.Why != "") != tt.loses && tt.d.Kind != AcceptResign && tt.d.Kind != RejectResign && tt.d.Kind != Resign || (v.CubeWhy != "") != tt.cubeLoses {
				t.Errorf("reasons %q, %q", v.Why, v.CubeWhy)
			}
			t.Log(v.Why, v.CubeWhy)
			if (v.Luck != nil) != tt.judgedLuck {
				t.Errorf("luck %v", v.Luck)
			}
		})
	}
}

// TestWatcher_anotherJudge: watch.preset may change during a match.
func TestWatcher_anotherJudge(t *testing.T) {
	e, pr := testEngine(t)
	d := newTester(t, NewJudge(e, pr, nil), wanted("carl"), "")
	defer func() { d.w.Close(d.now) }()
	judged := func() (plies int) {
		for {
			for i, r := range d.reports {
				if r.Topic == Judged {
					d.reports = d.reports[i+1:]
					return r.Judgement.Analysis.Candidates[0].Settings.Plies
				}
			}
			select {
			case <-d.ready:
			case <-time.After(time.Minute):
				t.Fatal("no judgement")
			}
			d.later(0)
		}
	}
	d.hear(who("carl", "dora", 1900))
	d.hear("You're now watching carl.", start("carl", "dora"), "carl moves 8-5 6-5 .")
	if n := judged(); n != 0 {
		t.Errorf("judged at %d plies, want 0", n)
	}
	pr.Checker.Plies = 1
	d.w.SetJudge(NewJudge(e, pr, nil))
	d.hear("dora rolls 6 and 4", "dora moves 1-11 .")
	if n := judged(); n != 1 {
		t.Errorf("judged at %d plies after the change, want 1", n)
	}
}

// TestJudgeQueue_slowEngine: watching never waits for the engine; the oldest decisions are
// dropped, other news are not.
func TestJudgeQueue_slowEngine(t *testing.T) {
	e, pr := testEngine(t)
	b := &judgeQueue{judge: NewJudge(e, pr, nil), limit: 4, cancel: func() {}, wake: make(chan struct{}, 1)}
	m := &record.Match{Players: [2]record.Player{{Name: "bob"}, {Name: "alice"}}}
	s := match.Situation{Position: board.Start, State: match.Money(false, 0), Dice: board.Dice{A: 6, B: 4}}
	b.add(Report{Topic: Began, Match: m})
	for i := range 10 {
		b.add(Report{Topic: Judged, Match: m, Judgement: &Judgement{Act: Act{Kind: Move, Number: i, Situation: s, match: m, index: -1}}})
	}
	b.add(Report{Topic: MatchEnd, Match: m})
	if len(b.waiting) != 4 || b.waiting[0].Topic != Began || b.waiting[3].Topic != MatchEnd || b.waiting[1].Judgement.Number != 8 {
		t.Errorf("queue %+v", b.waiting)
	}
	if _, skipped, _ := b.next(); skipped != 8 {
		t.Errorf("%d given up, want 8", skipped)
	}
	if left := b.close(); len(left) != 3 || left[2].Topic != MatchEnd || left[0].judged {
		t.Errorf("left at the end: %+v", left)
	}
	for range 3 {
		b.add(Report{Topic: Began, Match: m})
		b.add(Report{Topic: BrokenOff, Match: m})
	}
	if len(b.waiting) != 6 || b.skipped != 0 {
		t.Errorf("of 6 matches that were opened and stopped, %d news are left, %d decisions given up", len(b.waiting), b.skipped)
	}
}

// TestWatcher_saidIsWhatTheServerConfirms: a remark that the server refuses, or that the send
// queue drops, does not count as said.
func TestWatcher_saidIsWhatTheServerConfirms(t *testing.T) {
	d := newTester(t, nil, wanted("alice"), "")
	defer d.w.Close(d.now)
	m := &record.Match{}
	told := func() (out []string) {
		for _, r := range d.reports {
			if r.Topic == Said || r.Topic == Note {
				out = append(out, string(r.Topic)+": "+r.Text)
			}
		}
		d.reports = nil
		return out
	}
	d.send(d.w.say(m, []string{"one", "two", "trois et demi, déjà", "four"}))
	d.expect("in the letters of the server", d.sent, "whisper one", "whisper two", "whisper trois et demi, d?j?", "whisper four")
	d.expect("nothing is confirmed", told())
	d.hear("18 one", "** But nobody heard you.")
	d.expect("one", told(), "said: one")
	d.hear("18 somebody else's business", "** You're not watching or playing.")
	d.expect("two is refused", told(), "note: comment refused by the server: ** You're not watching or playing.")
	d.hear("18 four")
	d.expect("three never went out", told(), "said: four")
	d.hear("** You can't talk if you won't listen.")
	d.expect("nothing waits", told())
	for range 3 * maxUnsaid {
		d.w.say(m, []string{"and on"})
	}
	if len(d.w.unsaid) > maxUnsaid {
		t.Errorf("%d remarks wait", len(d.w.unsaid))
	}
}

// TestWatcher_channelMissing: a server that does not know the command for comments, or does
// not confirm it, is reported once.
func TestWatcher_channelMissing(t *testing.T) {
	m := &record.Match{}
	notes := func(d *tester) (out []string) {
		for _, r := range d.reports {
			out = append(out, string(r.Topic)+": "+r.Text)
		}
		d.reports = nil
		return out
	}
	kibitz := wanted("alice")
	kibitz.Channel = ChannelKibitz
	for _, line := range []string{"** Unknown command: 'kibitz'", "** Unknown command: 'kibitz one'", "** Not yet implemented: 'kibitz'"} {
		d := newTester(t, nil, kibitz, "")
		defer d.w.Close(d.now)
		d.send(d.w.say(m, []string{"one", "two"}))
		d.hear("** Unknown command: 'rawwho'")
		d.expect("another command", notes(d))
		d.hear(line, line)
		d.expect(line, notes(d), "note: no comments: the server has no kibitz ("+line+")")
		d.sent = nil
		if d.send(d.w.say(m, []string{"three"})); len(d.sent) > 0 {
			t.Errorf("goes on to send %q", d.sent)
		}
		whisper := kibitz
		whisper.Channel = ChannelWhisper
		d.w.Configure(whisper)
		d.send(d.w.say(m, []string{"four"}))
		d.expect("on another channel", d.sent, "whisper four")
	}
	d := newTester(t, nil, kibitz, "")
	defer d.w.Close(d.now)
	d.send(d.w.say(m, []string{"one"}))
	d.later(confirmIn - time.Second)
	d.expect("too early", notes(d))
	d.later(time.Second)
	d.expect("nothing is confirmed", notes(d), "note: the server does not confirm comments; it may have no kibitz")
	d.later(time.Hour)
	d.expect("said once", notes(d))
}
