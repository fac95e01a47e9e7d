package online

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/person"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/bot/watch"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/internal/testsize"
)

// testJudge is a quick judge.
var testJudge = sync.OnceValues(func() (*watch.Judge, error) {
	e, err := engine.Open(engine.Options{Threads: 1, NoBearoff: true})
	if err != nil {
		return nil, err
	}
	p, err := preset.ByName("expert")
	p.Checker.Plies, p.Cube.Plies = 0, 0
	return watch.NewJudge(e, p, nil), err
})

// watchedServer has two bots that play a match of three points once begin is called, each
// decision after pace, ten times as slow until somebody watches, and a desk at which people log in.
type watchedServer struct {
	venue
	addr  string
	desk  *Desk
	db    *index.DB
	begin func()
	seen  atomic.Bool // somebody watches
	leave func()      // the player who was invited, once they play
}

func serveWatched(t *testing.T, name string, pace time.Duration) *watchedServer {
	t.Helper()
	w := &watchedServer{venue: *venues(t)[name]}
	w.addr = listen(t, w.serve)
	w.begin = sync.OnceFunc(func() {
		first, second := &bot.Plain{Min: 1, Max: 5, Backoff: soon}, &bot.Plain{Invite: "bert", Length: 3, Matches: 1, Backoff: soon}
		names := [2]string{"bert", "cleo"}
		if w.protocol.Rules().Opens {
			names = [2]string{"BOT_bert", "BOT_cleo"}
			first = &bot.Plain{Open: true, Length: 3, Matches: 1, Backoff: soon}
			second.Invite, second.Unseen, second.Length, second.Every = "BOT_bert", true, -1, time.Second
		}
		for i, c := range [2]*bot.Plain{first, second} {
			b := &bot.Account{Name: names[i], Protocol: w.bot.Protocol, Conduct: c, Table: patient}
			b.Pace = func(table.Situation, table.Answer) time.Duration {
				if w.seen.Load() {
					return pace
				}
				return 10 * pace
			}
			b.Dial = bot.Dialer(b.Protocol, func() (protocol.Login, error) {
				l := protocol.Login{Address: w.addr, Name: b.Name, Program: "bot"}
				if !w.protocol.Rules().Opens {
					l.Password = config.Secret("secret")
				}
				return l, nil
			})
			ctx, stop := context.WithCancel(context.Background())
			done := make(chan struct{})
			go func() { defer close(done); _ = b.Run(ctx) }()
			t.Cleanup(func() { stop(); <-done })
			if i == 0 {
				w.leave = func() { stop(); <-done }
			}
			if w.protocol.Rules().Opens && i == 0 {
				w.until(t, "open", func(lobby.State) bool { return len(w.desk.Players()) > 0 })
			}
		}
	})
	var err error
	if w.db, err = index.OpenComplete(t.Context(), t.TempDir(), ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.db.Close() })
	judge, err := testJudge()
	if err != nil {
		t.Fatal(err)
	}
	w.desk = &Desk{Judge: judge, Open: func(l lobby.Login) (*person.Account, error) {
		return &person.Account{Name: l.Account, Server: l.Server, Protocol: w.protocol, Password: config.Secret(l.Password), DB: w.db, Table: patient, Waits: soon, NoSync: true}, nil
	}}
	t.Cleanup(w.desk.Logout)
	return w
}

// until waits for a state.
func (w *watchedServer) until(t *testing.T, what string, is func(lobby.State) bool) lobby.State {
	t.Helper()
	for late := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		st := w.desk.State()
		if is(st) {
			return st
		}
		if time.Now().After(late) {
			t.Fatalf("never %s: %+v, %+v, %+v", what, st, st.Watched, w.desk.Players())
		}
	}
}

// login logs in and waits for it.
func (w *watchedServer) login(t *testing.T, name string) {
	t.Helper()
	password := "secret"
	if w.protocol.Rules().Opens {
		password = ""
	}
	if err := w.desk.Login(lobby.Login{Server: w.addr, Account: name, Password: password}); err != nil {
		t.Fatal(err)
	}
	w.until(t, "online", func(st lobby.State) bool { return st.Online == "online" })
}

// watch watches a player as soon as the server lists him.
func (w *watchedServer) watch(t *testing.T, name string) {
	t.Helper()
	var err error
	w.until(t, "listed", func(lobby.State) bool {
		w.desk.Players() // asks for the list where the server sends none
		err = w.desk.Command("watch " + name)
		return err == nil
	})
	w.seen.Store(true)
}

// TestRoom_watch: a match of two others is shown with the engine's opinion, and goes into the
// archive when it ends.
func TestRoom_watch(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"fibs", "bgammon"} {
		t.Run(name, func(t *testing.T) {
			if name == "bgammon" { // whose list may be asked for every two seconds
				testsize.Medium(t)
			}
			t.Parallel()
			w := serveWatched(t, name, 5*time.Millisecond)
			w.login(t, w.person)
			w.begin()
			player := "cleo"
			if w.protocol.Rules().Opens {
				player = "BOT_bert"
			}
			w.watch(t, player)
			st := w.until(t, "judged", func(st lobby.State) bool { return st.Watched != nil && len(st.Watched.Line) > 5 })
			v := st.Watched
			if v.Match == nil || v.Match.Names[play.You] != player || len(v.Match.Acts) == 0 || v.Last == nil || v.State != lobby.InPlay && v.State != lobby.Ended {
				t.Errorf("watched %+v", v)
			}
			if st.Locked != "" || st.Match != nil {
				t.Errorf("a watched match locks the engine: %q", st.Locked)
			}
			st = w.until(t, "kept", func(st lobby.State) bool { return st.Watched.Kept != "" })
			v = st.Watched
			row, err := w.db.Show(t.Context(), v.Kept)
			if err != nil || row.Account != player || len(row.Tags) != 1 || row.Tags[0] != watchedTag {
				t.Errorf("kept %+v, %v", row, err)
			}
			if v.State != lobby.Ended || v.Match.Phase != play.MatchOver || v.Match.Result == nil || max(v.Match.Score[0], v.Match.Score[1]) != 3 {
				t.Errorf("at the end: %s, %+v", v.State, v.Match)
			}
			for i, s := range v.Sides {
				if s.PR == nil || s.Decisions == 0 || s.Luck == nil {
					t.Errorf("side %d: %+v", i, s)
				}
			}
			for _, p := range v.Line {
				if p < 0 || p > 1 {
					t.Fatalf("a chance of %v", p)
				}
			}
			if err := w.desk.Command("unwatch"); err != nil || w.desk.State().Watched != nil {
				t.Errorf("after unwatch: %v, %+v", err, w.desk.State().Watched)
			}
		})
	}
}

// TestRoom_watchRefused: what cannot be watched, in one sentence; a command without a watched match.
func TestRoom_watchRefused(t *testing.T) {
	t.Parallel()
	w := serveWatched(t, "fibs", time.Hour)
	if err := w.desk.Command("watch bert"); err == nil {
		t.Error("watched while offline")
	}
	w.login(t, "anna")
	w.begin()
	w.until(t, "bert is there", func(lobby.State) bool { return len(w.desk.Players()) == 3 })
	for line, want := range map[string]string{
		"watch anna": "your own match", "watch nobody": "nobody is not on the server", "watch": " is not on the server", "watch b*": "b* is not on the server",
		"keep on": "no match is watched", "comment none": "no match is watched", "comment loud": "comment none", "keep": "keep on",
	} {
		if err := w.desk.Command(line); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}

// TestRoom_watchEndsWhereOwnMatchBegins: the engine's opinion of other matches ends with the first
// line of an own match, and none begins before that is over.
func TestRoom_watchEndsWhereOwnMatchBegins(t *testing.T) {
	t.Parallel()
	w := serveWatched(t, "fibs", 20*time.Millisecond)
	third := &bot.Account{Name: "dora", Protocol: w.bot.Protocol, Conduct: &bot.Plain{Min: 1, Max: 5, Backoff: soon}, Table: patient}
	third.Dial = bot.Dialer(third.Protocol, func() (protocol.Login, error) {
		return protocol.Login{Address: w.addr, Name: "dora", Password: config.Secret("secret"), Program: "bot"}, nil
	})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = third.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	w.login(t, "anna")
	w.begin()
	w.watch(t, "bert")
	w.until(t, "judged", func(st lobby.State) bool { return st.Watched != nil && len(st.Watched.Line) > 0 })
	r, err := w.desk.at()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.desk.Command("invite dora 1"); err != nil {
		t.Fatal(err)
	}
	st := w.until(t, "playing", func(st lobby.State) bool { return st.Locked != "" })
	st = w.until(t, "alone", func(st lobby.State) bool { return st.Watched == nil })
	r.mu.Lock()
	if r.watched != nil || r.wanted != nil {
		t.Error("it still watches")
	}
	r.mu.Unlock()
	if err := w.desk.Command("watch bert"); err == nil || err.Error() != st.Locked {
		t.Errorf("watch during the match: %v", err)
	}
}

// TestRoom_watchInterrupted: a player leaves the server in the middle; what was seen is kept, and the
// page says so.
func TestRoom_watchInterrupted(t *testing.T) {
	t.Parallel()
	w := serveWatched(t, "fibs", 20*time.Millisecond)
	w.login(t, w.person)
	w.begin()
	w.watch(t, "bert")
	w.until(t, "judged", func(st lobby.State) bool { return st.Watched != nil && len(st.Watched.Line) > 5 })
	w.leave()
	st := w.until(t, "kept", func(st lobby.State) bool { return st.Watched.Kept != "" && st.Watched.State != lobby.InPlay })
	if v := st.Watched; v.State != lobby.NotOnline || v.Match == nil || v.Match.Phase == play.MatchOver {
		t.Errorf("%s, %+v", v.State, v.Match)
	}
	row, err := w.db.Show(t.Context(), st.Watched.Kept)
	if err != nil || row.Account != "bert" {
		t.Errorf("kept %+v, %v", row, err)
	}
}

// TestDesk_heldSeat: another account does not lift the lock of a seat that the server keeps.
func TestDesk_heldSeat(t *testing.T) {
	t.Parallel()
	w := serveWatched(t, "bgammon", time.Hour)
	w.desk.held, w.desk.heldBy, w.desk.till = "Guest_anna plays", login{"Guest_anna", w.addr}, time.Now().Add(time.Minute)
	w.login(t, "Guest_other")
	if got := w.desk.Playing(); got != "Guest_anna plays" {
		t.Errorf("another account: %q", got)
	}
	if err := w.desk.Command("watch BOT_bert"); err == nil || err.Error() != "Guest_anna plays" {
		t.Errorf("watch: %v", err)
	}
	w.desk.Logout()
	if got := w.desk.Playing(); got != "Guest_anna plays" {
		t.Errorf("after its logout: %q", got)
	}
	w.login(t, "Guest_anna")
	if got := w.desk.Playing(); got != "" {
		t.Errorf("back without a match: %q", got)
	}
}

// TestSpectator_bounded: a match without end neither fills the memory nor the page.
func TestSpectator_bounded(t *testing.T) {
	s := &spectator{}
	for range 3 * maxLine {
		s.add(lobby.SeenDecision{Player: 1}, [2]record.Mark{record.VeryBad, record.Unmarked}, 0.5, true)
	}
	if w := s.state(); len(w.Line) != maxLine || len(w.Errors) != maxErrors || w.Sides[1].Blunders != 3*maxLine {
		t.Errorf("%d points, %d errors, %+v", len(w.Line), len(w.Errors), w.Sides)
	}
}
