package watch_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"fibsbot/bot"
	"fibsbot/bot/archive"
	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/bot/watch"
	"fibsbot/config"
	"fibsbot/engine"
	"fibsbot/engine/board"
	"fibsbot/engine/preset"
	"fibsbot/engine/record"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/sgf"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for events that take seconds.
const patience = 3 * time.Minute

// pairing lets one account invite the other once, when start is closed.
type pairing struct {
	bot.Plain
	start <-chan struct{}
}

// Step implements bot.Conduct.
func (p *pairing) Step(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) time.Time {
	select {
	case <-p.start:
		return p.Plain.Step(t, due, ev, now)
	default:
		return now.Add(50 * time.Millisecond)
	}
}

// stage is a server with two bots on it.
type stage struct {
	srv  *server.Server
	addr string
	dirs [2]string // the players' archives
	stop func()
}

// play starts a server and two bots, which play a match once start is closed. pace, unless
// nil, delays every decision.
func play(t *testing.T, length int, quirks server.Quirks, start <-chan struct{}, pace func() time.Duration) *stage {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(server.Options{Seed: 20, AutoAccounts: true, Quirks: quirks})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		if err := srv.Serve(ctx, ln); err != nil {
			t.Errorf("server: %v", err)
		}
	}()
	bots, stopBots := context.WithCancel(ctx)
	var players sync.WaitGroup
	// In an unlimited match both double and redouble whenever possible.
	redoubles := "none"
	decider, dress := table.Decider(table.Simple{}), func(l bot.Link) bot.Link { return l }
	switches := client.DefaultSwitches()
	switch length {
	case 0:
		redoubles = "2"
		decider, dress = doubler{}, func(l bot.Link) bot.Link { return beaverer(l) }
	case 7:
		switches["crawford"] = false
		dress = func(l bot.Link) bot.Link { return &eager{Link: l} }
	}
	dirs := [2]string{t.TempDir(), t.TempDir()}
	for i, name := range []string{"anna", "bert"} {
		pol := &pairing{Plain: bot.Plain{Min: 1, Max: 99, Unlimited: true, Length: length, Matches: 1}, start: start}
		if i == 0 {
			pol.Invite = "bert"
		}
		a := &bot.Account{
			Name: name, Protocol: fibs.Protocol{}, Conduct: pol, Decider: decider,
			Dial: func(ctx context.Context) (bot.Link, error) {
				l, err := fibs.Dialer(client.Options{Address: ln.Addr().String(), Name: name, Password: clip.NewSecret("secret"), Redoubles: redoubles, Switches: switches,
					Pace: client.Pace{Gap: -1, ChatGap: -1, Burst: -1}})(ctx)
				if err != nil {
					return nil, err
				}
				return dress(l), nil
			},
			Archive: archive.Options{Dir: dirs[i], NoSync: true},
			Table:   table.Options{Patience: 400 * time.Millisecond, AutoRoll: 250 * time.Millisecond, Mend: true},
		}
		if pace != nil {
			a.Pace = func(table.Situation, table.Answer) time.Duration { return pace() }
		}
		players.Add(1)
		go func() {
			defer players.Done()
			if err := a.Run(bots); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}()
	}
	var once sync.Once
	stop := func() {
		once.Do(func() {
			stopBots()
			players.Wait()
			cancel()
			wg.Wait()
		})
	}
	t.Cleanup(stop)
	return &stage{srv: srv, addr: ln.Addr().String(), dirs: dirs, stop: stop}
}

// spectator logs a third account in.
func (s *stage) spectator(t *testing.T) bot.Link {
	t.Helper()
	dial := fibs.Dialer(client.Options{Address: s.addr, Name: "carla", Password: clip.NewSecret("secret"),
		Pace: client.Pace{Gap: -1, ChatGap: -1, Burst: -1}})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l, err := dial(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// turns lists the facts that server and watcher must agree on.
func turns(t *testing.T, m *record.Match) (out [][]string) {
	t.Helper()
	for i := range m.Games {
		g := &m.Games[i]
		var list []string
		for turn := range m.Turns(g) {
			if !turn.Legal {
				t.Errorf("game %d action %d: %s", i+1, turn.Index, turn.Problem)
			}
			a := turn.Action
			switch a.Kind {
			case record.SetUp:
			case record.Move:
				list = append(list, fmt.Sprintf("%s %v %s", m.Players[a.Player].Name, a.Dice.Sorted(), turn.Play.Result.ID()))
			case record.Roll:
				list = append(list, fmt.Sprintf("%s %v", m.Players[a.Player].Name, a.Dice.Sorted()))
			default:
				list = append(list, fmt.Sprintf("%s %v", m.Players[a.Player].Name, a.Kind))
			}
		}
		if g.Result.Finished() {
			list = append(list, fmt.Sprintf("%s wins %d", m.Players[g.Result.Winner].Name, g.Result.Points))
		}
		out = append(out, list)
	}
	return out
}

// ofServer converts the server's own record.
func ofServer(r server.MatchRecord) *record.Match {
	m := &record.Match{Length: r.Length, Players: [2]record.Player{{Name: r.Players[0]}, {Name: r.Players[1]}}, Rules: record.Rules{Crawford: true}}
	if r.Length == 0 {
		m.Rules = record.Rules{Beavers: 3}
	}
	for i, g := range r.Games {
		out := record.Game{Number: i, Score: g.Score, Crawford: g.Crawford, Cube: 1}
		doubled := false
		for _, a := range g.Actions {
			player := g.O
			if a.Side != server.O {
				player = 1 - g.O
			}
			act := record.Action{Player: player}
			switch a.Kind {
			case server.Moved:
				act.Kind, act.Dice = record.Move, board.Dice{A: uint8(a.Roll[0]), B: uint8(a.Roll[1])}
				if !a.Done {
					act.Kind = record.Roll
				}
				for _, s := range a.Steps {
					act.Steps = append(act.Steps, board.Step{From: point(s.From, a.Side), To: point(s.To, a.Side)})
				}
			case server.Doubled, server.Redouble:
				act.Kind, doubled = record.Double, true
			case server.Accepted, server.Rejected:
				if !doubled {
					continue // of a resignation
				}
				doubled = false
				act.Kind = record.Take
				if a.Kind == server.Rejected {
					act.Kind = record.Drop
				}
			default:
				continue
			}
			out.Actions = append(out.Actions, act)
		}
		if g.Winner >= 0 {
			out.Result = record.Result{Winner: g.Winner, Points: g.Points}
		}
		m.Games = append(m.Games, out)
	}
	return m
}

// point turns a board number into the mover's index.
func point(p int, side server.Colour) int8 {
	if side == server.O {
		return int8(p - 1)
	}
	return int8(24 - p)
}

// readFiles reads the watcher's files.
func readFiles(t *testing.T, dir string) (*record.Match, *record.Match) {
	t.Helper()
	read := func(ext string) (m *record.Match) {
		files, err := filepath.Glob(filepath.Join(dir, "*"+ext))
		if err != nil || len(files) != 1 {
			t.Fatalf("files %s: %v %v", ext, files, err)
		}
		f, err := os.Open(files[0])
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var warns []record.Warning
		if ext == ".sgf" {
			m, warns, err = sgf.Read(f)
		} else {
			m, warns, err = oldmoves.Read(f)
		}
		if err != nil || len(warns) > 0 {
			t.Fatalf("%s: %v %v", files[0], err, warns)
		}
		return m
	}
	return read(".sgf"), read(".fibs")
}

func watchConfig(players ...string) config.Watch {
	w := config.Default().Watch
	w.Players, w.Only, w.MinLoss = players, "errors", 0.1
	return w
}

// TestRun_aWholeMatch watches a match from before its start, with an engine, and
// compares everything with the server's own record.
func TestRun_aWholeMatch(t *testing.T) {
	testsize.Medium(t)
	start := make(chan struct{})
	st := play(t, 3, server.Quirks{}, start, nil)
	link := st.spectator(t)
	e, err := engine.Open(engine.Options{Threads: 1, NoBearoff: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	pr, err := preset.ByName("casual")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var once sync.Once
	judgements, judged, losses := 0, 0, 0.0
	var final *watch.Report
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err = watch.Run(ctx, link, watch.Options{Protocol: fibs.Protocol{},
		Me: "carla", Server: st.addr, Config: watchConfig("anna"), Dir: dir, Judge: watch.NewJudge(e, pr, nil), Waiting: 2000,
		Settle: time.Millisecond,
		Report: func(r watch.Report) {
			switch r.Topic {
			case watch.Watching:
				once.Do(func() { close(start) })
			case watch.Judged:
				judgements++
				if r.Judgement.Err != nil {
					t.Errorf("%s %s: %v", r.Judgement.Name(), r.Judgement.Did, r.Judgement.Err)
				}
				if r.Judgement.Analysis != nil {
					judged++
				}
				losses += r.Judgement.Loss + r.Judgement.CubeLoss
			case watch.Missed:
				t.Errorf("a gap in game %d", r.Game+1)
			case watch.MatchEnd:
				final = &r
			}
		},
	}, 1)
	if err != nil {
		t.Fatal(err)
	}
	st.stop()
	if final == nil {
		t.Fatal("no match was watched to its end")
	}
	played := st.srv.Matches()
	want := turns(t, ofServer(played[0]))
	if diff := cmp.Diff(want, turns(t, final.Match)); diff != "" {
		t.Errorf("the record differs from the server's (-server +watcher):\n%s", diff)
	}
	if judged < judgements*9/10 || losses == 0 {
		t.Errorf("%d of %d decisions judged, %.3f lost by players without an engine", judged, judgements, losses)
	}
	fromSGF, fromFibs := readFiles(t, dir)
	if diff := cmp.Diff(want, turns(t, fromSGF)); diff != "" {
		t.Errorf("the .sgf differs (-server +file):\n%s", diff)
	}
	if diff := cmp.Diff(want, turns(t, fromFibs)); diff != "" {
		t.Errorf("the .fibs differs (-server +file):\n%s", diff)
	}
	analysed := 0
	for _, g := range fromSGF.Games {
		for _, a := range g.Actions {
			if a.Analysis != nil {
				analysed++
			}
		}
	}
	if analysed != judged {
		t.Errorf("%d analysed actions in the .sgf, %d were judged", analysed, judged)
	}
	if !strings.Contains(fromSGF.Event, "Watched") || fromSGF.Place != st.addr {
		t.Errorf("event %q, place %q: the file does not say that it was watched", fromSGF.Event, fromSGF.Place)
	}
}

// TestRun_joinsInTheMiddle starts to watch during a match, on a server that joins lines and
// forgets boards: the tail of the record must be right.
func TestRun_joinsInTheMiddle(t *testing.T) {
	testsize.Medium(t)
	start := make(chan struct{})
	close(start)
	var seen atomic.Bool // the match must not end before the watcher arrives
	st := play(t, 7, server.Quirks{Glued: 0.2, Junk: 1, Seed: 5}, start, func() time.Duration {
		if seen.Load() {
			return 0
		}
		return 50 * time.Millisecond
	})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		if ms := st.srv.Matches(); len(ms) > 0 && len(ms[0].Games) > 0 && len(ms[0].Games[0].Actions) > 12 {
			break
		}
		select {
		case <-ctx.Done():
			t.Fatal("no match began")
		case <-time.After(time.Millisecond):
		}
	}
	link := st.spectator(t)
	var final *watch.Report
	joined, gaps := false, 0
	err := watch.Run(ctx, link, watch.Options{Protocol: fibs.Protocol{},
		Me: "carla", Server: st.addr, Config: watchConfig(watch.Best), Dir: t.TempDir(), Settle: time.Millisecond,
		Report: func(r watch.Report) {
			switch r.Topic {
			case watch.Began:
				joined = r.Joined
				seen.Store(true)
			case watch.Missed:
				gaps++
			case watch.MatchEnd, watch.BrokenOff:
				final = &r
			}
		},
	}, 1)
	if err != nil {
		t.Fatal(err)
	}
	st.stop()
	if final == nil || final.Topic != watch.MatchEnd || !joined {
		t.Fatalf("joined %v, final report %+v", joined, final)
	}
	whole := turns(t, ofServer(st.srv.Matches()[0]))
	got := turns(t, final.Match)
	if len(got) == 0 || len(got) > len(whole) {
		t.Fatalf("%d games seen of %d", len(got), len(whole))
	}
	whole = whole[len(whole)-len(got):]
	for i := range got {
		want := whole[i]
		if i == 0 && len(got[0]) <= len(want) {
			want = want[len(want)-len(got[0]):]
		}
		if diff := cmp.Diff(want, got[i]); diff != "" {
			t.Errorf("game %d of those seen (-server +watcher):\n%s", i+1, diff)
		}
	}
	if gaps != 0 {
		t.Errorf("%d gaps on a server that loses nothing", gaps)
	}
}
