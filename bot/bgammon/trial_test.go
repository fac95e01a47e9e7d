package bgammon_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bgammon/server"
	"fibsbot/bot"
	"fibsbot/bot/policy"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/memnet"
	"fibsbot/internal/testsize"
)

// moody decides differently each time that it is asked the same, so that a turn made of
// two decisions shows, and remembers what it has decided.
type moody struct {
	table.Simple
	mu      sync.Mutex
	rng     *rand.Rand
	decided map[played]bool
}

// played is a play by what it made of which position, for the player who made it.
type played struct {
	before board.Position
	dice   board.Dice
	after  board.Position
}

func (p *moody) Decide(ctx context.Context, s table.Situation) (table.Answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, err := p.Simple.Decide(ctx, s)
	if err != nil || a.Action != table.Play {
		return a, err
	}
	if all := board.AppendPlays(nil, s.Position, s.Dice); p.rng.IntN(2) == 0 {
		a.Play = all[p.rng.IntN(len(all))]
	}
	p.decided[played{s.Position, s.Dice.Sorted(), a.Play.Result}] = true
	return a, nil
}

// pester says words that are meant for the program, and obeys those of the other, as the
// conduct of a host does.
type pester struct {
	*bot.Plain
	rng  *rand.Rand
	last *atomic.Bool // no new match is begun
}

func (p *pester) Step(t *table.Table, due *table.Due, ev *protocol.Event, now time.Time) time.Time {
	if ev != nil && ev.Kind == protocol.Says && t.Sheet() != nil {
		if policy.Answer(config.Default(), policy.Told{Channel: policy.Say, From: ev.Name, Text: ev.Text, Opponent: true}).Nudge {
			due.Add(t.Nudge(now))
		}
	}
	if s := t.Sheet(); s != nil && ev != nil && ev.Kind != protocol.Says && p.rng.IntN(4) == 0 {
		words := []string{"roll", "move", "join", "board"}
		due.Send = append(due.Send, protocol.Tell{Name: s.Opponent, Text: words[p.rng.IntN(len(words))]})
	}
	if p.last.Load() {
		p.Plain.Invite = ""
	}
	return p.Plain.Step(t, due, ev, now)
}

// trial is two accounts on servers that follow one another at the same address.
type trial struct {
	t       *testing.T
	network *memnet.Network
	rng     *rand.Rand
	past    []server.Match // of servers that are gone

	mu      sync.Mutex
	srv     *server.Server
	offline map[string]time.Time // until when an account has no network
}

// dial is an account's network: with a delay, so that much can happen on the way.
func (r *trial) dial(name string) func(context.Context, string, string) (net.Conn, error) {
	seed := uint64(len(name))
	return func(ctx context.Context, n, address string) (net.Conn, error) {
		r.mu.Lock()
		until := r.offline[name]
		r.mu.Unlock()
		if time.Now().Before(until) {
			return nil, errors.New("no network")
		}
		c, err := r.network.Dial(ctx, n, address)
		if err != nil {
			return nil, err
		}
		seed++
		return &badConn{Conn: c, rng: rand.New(rand.NewPCG(seed, 3)), left: 1 << 30}, nil
	}
}

// cut breaks the line of an account, which has no network for a while then.
func (r *trial) cut(name string, pause time.Duration) {
	r.mu.Lock()
	r.offline[name] = time.Now().Add(pause)
	r.mu.Unlock()
	r.srv.Disconnect(name)
}

// record is what all servers have recorded so far.
func (r *trial) record() []server.Match { return append(slices.Clone(r.past), r.srv.Matches()...) }

// ended counts the matches with a result.
func (r *trial) ended() (n int) {
	for _, m := range r.record() {
		if m.Over || forfeit(&m) {
			n++
		}
	}
	return n
}

// forfeit reports whether a match was decided by who left it.
func forfeit(m *server.Match) bool { return len(m.Games) > 0 && m.Games[len(m.Games)-1].Lost }

// TestTrial has two accounts play with words that ask for a look at the board, lines that
// break in the middle of turns, boards that come late, players who stay away, and servers
// that forget their matches. Every play in the archives is one that was decided whole, and
// every match has the result of the server's record. Where no line breaks, no game has a
// hole. FIBSBOT_SOAK sets how many matches.
func TestTrial(t *testing.T) {
	matches := 3
	if testsize.Sample(t) {
		matches = 1
	}
	if n, err := strconv.Atoi(os.Getenv("FIBSBOT_SOAK")); err == nil && n > 0 {
		matches = n
	}
	t.Run("words and late boards", func(t *testing.T) { try(t, matches, false) })
	t.Run("broken lines too", func(t *testing.T) { try(t, matches, true) })
}

// try is one trial of so many matches.
func try(t *testing.T, matches int, breaks bool) {
	names := []string{"BOT_alpha", "BOT_beta"}
	dirs := map[string]string{}
	deciders := map[string]*moody{}
	for i, name := range names {
		dirs[name] = t.TempDir()
		if k := os.Getenv("FIBSBOT_TEST_KEEP"); k != "" {
			dirs[name] = filepath.Join(k, fmt.Sprint(breaks), name)
		}
		deciders[name] = &moody{rng: rand.New(rand.NewPCG(uint64(i), 5)), decided: map[played]bool{}}
	}
	var recorded []server.Match
	synctest.Test(t, func(t *testing.T) {
		r := &trial{t: t, network: &memnet.Network{}, rng: rand.New(rand.NewPCG(6, 6)), offline: map[string]time.Time{}}
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		serve := func(seed uint64) (stop func()) {
			l, err := r.network.Listen("bgammon:1337")
			if err != nil {
				t.Fatal(err)
			}
			r.srv = server.New(server.Options{Seed: seed, First: max(1, 5000-int(seed)*100), Faults: server.Faults{LateBoards: 7}})
			serving, end := context.WithCancel(ctx)
			done := make(chan struct{})
			wg.Go(func() { defer close(done); _ = r.srv.Serve(serving, l) })
			return func() { end(); <-done }
		}
		stop := serve(1)
		var last atomic.Bool
		for i, name := range names {
			joins := ""
			if i == 1 {
				joins = names[0]
			}
			a := account(on(r.dial(name)), name, joins, dirs[name], 5, 0)
			a.Decider = deciders[name]
			a.Conduct = &pester{a.Conduct.(*bot.Plain), rand.New(rand.NewPCG(uint64(i), 7)), &last}
			pace := rand.New(rand.NewPCG(uint64(i), 8))
			a.Pace = func(table.Situation, table.Answer) time.Duration {
				return time.Duration(pace.IntN(400)) * time.Millisecond
			}
			wg.Go(func() {
				if err := a.Run(ctx); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		servers := 1
		for begun := time.Now(); r.ended() < matches; {
			time.Sleep(time.Duration(r.rng.IntN(20_000)) * time.Millisecond)
			name := names[r.rng.IntN(2)]
			switch kind := r.rng.IntN(40); {
			case !breaks:
			case kind == 0: // for good, as far as this match goes
				r.cut(name, 17*time.Minute)
				time.Sleep(18 * time.Minute)
			case kind == 1:
				r.past = r.record()
				stop()
				time.Sleep(time.Duration(r.rng.IntN(60)) * time.Second)
				servers++
				stop = serve(uint64(servers))
			default:
				r.cut(name, time.Duration(r.rng.IntN(3))*time.Second)
			}
			if time.Since(begun) > time.Duration(matches)*2*time.Hour {
				t.Errorf("only %d of %d matches", r.ended(), matches)
				break
			}
		}
		last.Store(true)
		time.Sleep(20 * time.Minute) // what is under way is played, or ends
		recorded = r.record()
		cancel()
		wg.Wait()
		time.Sleep(time.Second) // what still waits in a connection
		t.Logf("%d servers", servers)
	})
	for _, name := range names {
		tr := &trialArchive{t: t, name: name, moody: deciders[name], left: slices.Clone(recorded)}
		files, err := filepath.Glob(filepath.Join(dirs[name], "*.sgf"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			tr.file(f)
		}
		for _, m := range tr.left {
			// A match given away before its first roll leaves no file.
			if m.Over || forfeit(&m) && (len(m.Games) > 1 || len(m.Games[0].Acts) > 1) {
				t.Errorf("%s: a match that ended %v is not in the archive: %+v", name, m.Score, m.Games[len(m.Games)-1])
			}
		}
		if !breaks && tr.torn+tr.unseen+tr.endless > 0 {
			t.Errorf("%s: %d games with a hole, %d matches without an end, over good lines", name, tr.torn, tr.unseen+tr.endless)
		}
		t.Logf("%s: %d files, %d plays, %d games with a hole; %d forfeits, %d forfeits not seen, %d matches without an end", name, len(files), tr.plays, tr.torn, tr.forfeits, tr.unseen, tr.endless)
	}
}

// trialArchive compares the archive of an account with the servers' record.
type trialArchive struct {
	t     *testing.T
	name  string
	moody *moody
	left  []server.Match // not found in the archive so far

	plays, torn, forfeits, unseen, endless int
}

func (a *trialArchive) file(path string) {
	m, warns, err := sgf.ReadFile(path)
	if err != nil || len(warns) > 0 {
		a.t.Fatal(path, err, warns)
	}
	for i := range m.Games {
		for turn := range m.Turns(&m.Games[i]) {
			if !turn.Legal {
				a.t.Errorf("%s game %d: %s", path, i+1, turn.Problem)
			}
			if turn.Action.Kind != record.Move || m.Players[turn.Player].Name != a.name || turn.Play.N == 0 {
				continue
			}
			a.plays++
			if !a.moody.decided[played{turn.Position, turn.Action.Dice.Sorted(), turn.Play.Result}] {
				a.t.Errorf("%s game %d, action %d: %v was never decided", path, i+1, turn.Index+1, turn.Action)
			}
		}
	}
	got := fromArchive(a.t, path, a.name)
	a.torn += len(got.torn)
	at := slices.IndexFunc(a.left, func(s server.Match) bool { return a.same(&s, m, got) })
	if at < 0 {
		best := ""
		for _, s := range a.left {
			if d := cmp.Diff(fromServer(s).Games, got.Games); best == "" || len(d) < len(best) {
				best = fmt.Sprintf("over %v, forfeit %v, score %v:\n%s", s.Over, forfeit(&s), s.Score, d)
			}
		}
		a.t.Errorf("%s: %s is not a match of a server: %v, %q; the next one is %.1500s", a.name, filepath.Base(path), m.FinalScore(), m.Games[len(m.Games)-1].Comment, best)
		return
	}
	switch s := a.left[at]; {
	case forfeit(&s) && max(m.FinalScore()[0], m.FinalScore()[1]) >= m.Length:
		a.forfeits++
	case forfeit(&s):
		a.unseen++
	case !s.Over:
		a.endless++
	}
	a.left = slices.Delete(a.left, at, at+1)
}

// same reports whether a file of the archive is the match that a server has recorded, with
// its result.
func (a *trialArchive) same(s *server.Match, m *record.Match, got summary) bool {
	want := fromServer(*s)
	if s.Over {
		return want.agrees(got)
	}
	if len(got.Games) > len(want.Games) {
		return false
	}
	// What was under way when the match ended may be missing, and the end of the last game
	// is told otherwise.
	for i, acts := range got.Games {
		acts, played := slices.Clone(acts), want.Games[i]
		if last := len(acts) - 1; i == len(got.Games)-1 {
			acts = acts[:last]
		}
		for _, act := range played {
			if len(acts) > 0 && acts[0] == act {
				acts = acts[1:]
			}
		}
		if len(acts) > 0 {
			return false
		}
	}
	last, score := m.Games[len(m.Games)-1], m.FinalScore()
	if max(score[0], score[1]) >= m.Length {
		return forfeit(s) && strings.EqualFold(m.Players[last.Result.Winner].Name, s.Names[s.Games[len(s.Games)-1].Winner])
	}
	if !last.Result.Finished() && last.Comment == "" {
		return false
	}
	// Only who was away does not see that he has lost.
	return !forfeit(s) || s.Names[s.Games[len(s.Games)-1].Winner] != a.name
}
