package bgammon_test

import (
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/sirupsen/logrus"

	"fibsbot/bgammon/client"
	"fibsbot/bgammon/server"
	"fibsbot/bot"
	"fibsbot/bot/archive"
	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/bgammon"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/memnet"
	"fibsbot/internal/testsize"
)

// account is a bot on the server of the test.
func account(p protocol.Protocol, name, joins, dir string, length, matches int) *bot.Account {
	a := &bot.Account{
		Protocol: p, Name: name,
		Dial: bot.Dialer(p, func() (protocol.Login, error) {
			return protocol.Login{Address: "bgammon:1337", Name: name, Gap: -1, ChatGap: -1, Plays: true}, nil
		}),
		Conduct:    &bot.Plain{Invite: joins, Length: -1, Unseen: true, Every: time.Second, Matches: matches, Backoff: bot.Backoff{Min: time.Second, Max: 5 * time.Second}},
		Archive:    archive.Options{Dir: dir, Server: "bgammon:1337", NoSync: true},
		MaxMatches: matches,
	}
	if joins == "" {
		a.Conduct = &bot.Plain{Open: true, Length: length, Backoff: bot.Backoff{Min: time.Second, Max: 5 * time.Second}}
	}
	return a
}

// match is what a server's record and an archive must agree on.
type summary struct {
	Score [2]int // BOT_beta, BOT_alpha
	Games [][]string
	// torn are the games of an archive that admit a hole: a turn that was played while
	// the line was broken, of which this server never tells.
	torn map[int]bool
	cut  bool // the last game has no result
}

// agrees reports whether an archive has what the server played. Turns may be missing only in
// games that are marked incomplete.
func (s summary) agrees(archived summary) bool {
	torn := maps.Clone(archived.torn)
	if archived.cut {
		// The match ended while the connection was broken: this server does not report how.
		archived.Score = s.Score
		last := len(archived.Games) - 1
		archived.Games = slices.Clone(archived.Games)
		archived.Games[last] = archived.Games[last][:len(archived.Games[last])-1]
		torn[last] = true
	}
	if s.Score != archived.Score || len(s.Games) != len(archived.Games) {
		return false
	}
	for i, want := range s.Games {
		got := archived.Games[i]
		if !torn[i] {
			if !slices.Equal(want, got) {
				return false
			}
			continue
		}
		for _, act := range want {
			if len(got) > 0 && got[0] == act {
				got = got[1:]
			}
		}
		if len(got) > 0 {
			return false
		}
	}
	return true
}

// fromServer is the server's record; alpha sits at seat 0.
func fromServer(m server.Match) summary {
	s := summary{Score: [2]int{min(m.Score[1], m.Points), min(m.Score[0], m.Points)}}
	for _, g := range m.Games {
		var acts []string
		for _, a := range g.Acts {
			who := 1 - a.Seat
			switch a.Kind {
			case server.Played:
				d := board.Dice{A: uint8(a.Dice[0]), B: uint8(a.Dice[1])}.Sorted()
				acts = append(acts, fmt.Sprintf("%d rolls %v, %d hops", who, d, len(a.Hops)))
			case server.Doubled:
				acts = append(acts, fmt.Sprintf("%d double", who))
			case server.Took:
				acts = append(acts, fmt.Sprintf("%d take", who))
			case server.Dropped:
				acts = append(acts, fmt.Sprintf("%d drop", who))
			}
		}
		s.Games = append(s.Games, append(acts, fmt.Sprintf("won by %d: %d", 1-g.Winner, g.Points)))
	}
	return s
}

// fromArchive reads a filed match as another program would. me is the player whose
// archive it is: player 1 there.
func fromArchive(t *testing.T, file, me string) summary {
	t.Helper()
	m, warns, err := sgf.ReadFile(file)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if len(warns) > 0 {
		t.Errorf("%s: %v", file, warns)
	}
	if m.Rules.Drops != match.DropByPosition {
		t.Errorf("%s: the price of a drop is not kept: %+v", file, m.Rules)
	}
	who := func(p int) int {
		if me == "BOT_beta" {
			return 1 - p
		}
		return p
	}
	score := m.FinalScore()
	s := summary{Score: [2]int{score[who(0)], score[who(1)]}, torn: map[int]bool{}}
	for i := range m.Games {
		g := &m.Games[i]
		if g.Comment == sheet.Incomplete || g.Comment == sheet.Uncertain {
			s.torn[i] = true
		}
		var acts []string
		for turn := range m.Turns(g) {
			a := turn.Action
			if a.Illegal || !turn.Legal {
				t.Errorf("%s game %d: illegal %v: %s", file, i+1, a.Kind, turn.Problem)
			}
			switch a.Kind {
			case record.Move:
				acts = append(acts, fmt.Sprintf("%d rolls %v, %d hops", who(a.Player), a.Dice.Sorted(), len(a.Steps)))
			case record.Double, record.Take, record.Drop:
				acts = append(acts, fmt.Sprintf("%d %v", who(a.Player), a.Kind))
			}
		}
		s.cut = !g.Result.Finished()
		s.Games = append(s.Games, append(acts, fmt.Sprintf("won by %d: %d", who(g.Result.Winner), g.Result.Points)))
	}
	return s
}

// compare compares the archives of both bots with the server's record of the matches
// that were played to their end. It returns how many games have marked holes, and how
// many matches no end.
func compare(t *testing.T, srv *server.Server, dirs [2]string) (torn, cut int) {
	t.Helper()
	var want []summary
	for _, m := range srv.Matches() {
		if m.Over {
			want = append(want, fromServer(m))
		}
	}
	for i, name := range []string{"BOT_alpha", "BOT_beta"} {
		archivetest.Sound(t, dirs[i], bgammon.Protocol{})
		files, err := filepath.Glob(filepath.Join(dirs[i], "*.sgf"))
		if err != nil {
			t.Fatal(err)
		}
		left := append([]summary(nil), want...)
		for _, f := range files {
			got := fromArchive(t, f, name)
			at := -1
			for k := range left {
				if left[k].agrees(got) {
					at = k
				}
			}
			torn += len(got.torn)
			if got.cut {
				cut++
			}
			if at < 0 && got.cut && slices.ContainsFunc(srv.Matches(), func(m server.Match) bool { return !m.Over && len(m.Games) == len(got.Games) }) {
				continue // who joined a table in the moment it was left has no match there
			}
			if at < 0 {
				best := ""
				for _, w := range left {
					if d := cmp.Diff(w.Games, got.Games); best == "" || len(d) < len(best) {
						best = d
					}
				}
				t.Errorf("%s: %s is not a match of the server's:\n%.2000s", name, filepath.Base(f), best)
				continue
			}
			left = append(left[:at], left[at+1:]...)
		}
		if len(left) > 0 {
			t.Errorf("%s: %d of %d matches are not in the archive", name, len(left), len(want))
		}
	}
	return torn, cut
}

// selfPlay has two bots play matches on the stand-in, over connections that dial opens,
// and compares both archives with the server's record. It returns how many games have marked
// holes, and how many matches no end.
func selfPlay(t *testing.T, matches, length int, opts server.Options, limit time.Duration,
	bad func(dial func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error), edit ...func(*bot.Account)) (torn, cut int) {
	opts.First = 1000
	dirs := [2]string{t.TempDir(), t.TempDir()}
	if k := os.Getenv("FIBSBOT_TEST_KEEP"); k != "" {
		dirs = [2]string{k + "/a", k + "/b"}
	}
	synctest.Test(t, func(t *testing.T) {
		network := &memnet.Network{}
		l, err := network.Listen("bgammon:1337")
		if err != nil {
			t.Fatal(err)
		}
		srv := server.New(opts)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { _ = srv.Serve(ctx, l) })
		dial := network.Dial
		if bad != nil {
			dial = bad(dial)
		}
		p := bgammon.Protocol{Connect: dial, Client: func(o *client.Options) {
			o.Goodbye = 100 * time.Millisecond
			if os.Getenv("FIBSBOT_TEST_LOG") != "" {
				o.Transcript = func(l client.Line) {
					fmt.Fprintf(os.Stderr, "%s %s %v %.400s\n", l.Time.Format("04:05"), o.Name, l.Sent, l.Text)
				}
			}
		}}
		bots, stop := context.WithCancel(ctx)
		for i, name := range []string{"BOT_alpha", "BOT_beta"} {
			joins := ""
			if i == 1 {
				joins = "BOT_alpha"
			}
			a := account(p, name, joins, dirs[i], length, matches)
			for _, f := range edit {
				f(a)
			}
			if os.Getenv("FIBSBOT_TEST_LOG") != "" {
				log := logrus.New()
				log.SetOutput(os.Stderr)
				log.SetLevel(logrus.DebugLevel)
				a.Log = log.WithField("account", name)
			}
			wg.Go(func() {
				if err := a.Run(bots); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		over := func() (n int) {
			for _, m := range srv.Matches() {
				if m.Over {
					n++
				}
			}
			return n
		}
		for begun := time.Now(); over() < matches; time.Sleep(time.Second) {
			if time.Since(begun) > limit {
				t.Errorf("only %d of %d matches in %v", over(), matches, limit)
				break
			}
		}
		time.Sleep(5 * time.Minute) // players who were disconnected at the end learn of it
		stop()
		time.Sleep(10 * time.Second)
		cancel()
		wg.Wait()
		torn, cut = compare(t, srv, dirs)
		if bad == nil && torn+cut > 0 {
			t.Errorf("%d games with holes, %d matches without an end, over good lines", torn, cut)
		}
		t.Logf("%d matches; while the line was broken, %d games had a turn and %d matches their end", over(), torn, cut)
	})
	return torn, cut
}

func TestSelfPlay(t *testing.T) {
	matches := 3
	if testsize.Sample(t) {
		matches = 1
	}
	for _, tt := range []struct {
		name   string
		length int
		opts   server.Options
	}{
		{"five points", 5, server.Options{Seed: 3}},
		{"one point", 1, server.Options{Seed: 4}},
		{"boards twice, unreadable notices", 3, server.Options{Seed: 5, Faults: server.Faults{DoubleBoards: true, Language: "xx"}}},
	} {
		t.Run(tt.name, func(t *testing.T) { selfPlay(t, matches, tt.length, tt.opts, 12*time.Hour, nil) })
	}
}
