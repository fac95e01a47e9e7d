package bot

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/fibs"
	"fibsbot/fibs/chaos"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// badLine runs a proxy that damages connections until the test ends, and returns its
// address.
func badLine(t testing.TB, server string, opts chaos.Options) string {
	t.Helper()
	opts.Target = server
	p, err := chaos.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Serve(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("proxy: %v", err)
		}
		s := p.Stats()
		t.Logf("the line: %d connections, %d lines, %d cut, %d cut in mid-line, %d delayed, %d split, %d merged",
			s.Connections, s.Lines, s.Cut, s.Halved, s.Delayed, s.Split, s.Merged)
	})
	return ln.Addr().String()
}

// compareBoth compares the archives of both players and reports the games that could not be
// completed.
func compareBoth(t *testing.T, srv *server.Server, dirs [2]string) {
	t.Helper()
	short := compareArchive(t, srv, dirs[0], "anna") + compareArchive(t, srv, dirs[1], "bert")
	games := 0
	for _, r := range srv.Matches() {
		games += 2 * len(r.Games)
	}
	t.Logf("%d matches, %d game records; incomplete because the server had erased the moves: %d", len(srv.Matches()), games, short)
}

// compareArchive checks that me has archived every finished match of the server, and equal to
// it. A game may be incomplete if it is marked and the journal proves that the rest was not
// available; compareArchive returns the number of such games.
func compareArchive(t *testing.T, srv *server.Server, dir, me string) (short int) {
	t.Helper()
	var want []archivetest.Match
	for _, r := range srv.Matches() {
		if r.Finished() {
			want = append(want, archivetest.FromServer(r, me))
		}
	}
	archivetest.Sound(t, dir, fibs.Protocol{})
	files := sgfFiles(t, dir)
	got := map[string]bool{}
	var archived []archivetest.Match
	for _, f := range files {
		m, err := archivetest.FromArchive(f)
		if err != nil {
			t.Error(err)
		}
		archived = append(archived, m)
	}
	var lost []archivetest.Match
	for _, w := range want {
		found := false
		for i, g := range archived {
			if got[files[i]] {
				continue
			}
			n, ok := archivetest.Same(w, g)
			if !ok {
				continue
			}
			begun, err := archivetest.BegunUnasked(files[i])
			if err != nil {
				t.Fatal(err)
			}
			if n <= begun {
				got[files[i]], found = true, true
				short += n
				break
			}
		}
		if !found {
			lost = append(lost, w)
		}
	}
	missing := len(lost)
	for n, w := range lost[:min(missing, 5)] {
		// Show the one that comes nearest.
		best, equal := -1, -1
		for i, g := range archived {
			if got[files[i]] {
				continue
			}
			same := 0
			for k := range min(len(g.Games), len(w.Games)) {
				if cmp.Equal(g.Games[k], w.Games[k]) {
					same++
				}
			}
			if same > equal {
				best, equal = i, same
			}
		}
		if best >= 0 {
			t.Errorf("%s: match %d of %d not archived as the server has it; nearest is %s (-server +file):\n%s",
				me, n+1, missing, filepath.Base(files[best]), cmp.Diff(w, archived[best]))
		}
	}
	if missing > 0 {
		t.Errorf("%s: %d of %d finished matches not archived as the server has them (%d files)", me, missing, len(want), len(files))
	}
	return short
}

// TestSelfPlay_droppedConnections cuts connections every few moves, before and after the
// pending command. FIBSBOT_SOAK=500 makes it the long soak.
func TestSelfPlay_droppedConnections(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	srv, dirs := selfPlay(t, soakCount(3), 3, faults{dropEvery: 25})
	compareBoth(t, srv, dirs)
}

// TestSelfPlay_modes cuts connections on servers with the habits of FIBS.
func TestSelfPlay_modes(t *testing.T) {
	for _, m := range archivetest.Modes {
		t.Run(m.Name, func(t *testing.T) {
			switch m.Name {
			case "saved":
			case "all":
				testsize.Medium(t)
			default:
				testsize.Large(t)
			}
			t.Parallel()
			srv, dirs := selfPlay(t, soakCount(2), 3, faults{dropEvery: 25, mode: m})
			compareBoth(t, srv, dirs)
		})
	}
}

// TestSelfPlay_droppedWithoutLists: on a server without lists of moves only boards prove
// what was missed. No file is false, not even around its holes; the test logs how many games
// have one.
func TestSelfPlay_droppedWithoutLists(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	srv, dirs := selfPlay(t, soakCount(2), 3, faults{dropEvery: 25, noList: true})
	for i, me := range []string{"anna", "bert"} {
		var server []archivetest.Match
		for _, r := range srv.Matches() {
			if r.Finished() {
				server = append(server, archivetest.FromServer(r, me))
			}
		}
		archivetest.Sound(t, dirs[i], fibs.Protocol{})
		torn, whole, games, tornGames := 0, 0, 0, 0
		for _, f := range sgfFiles(t, dirs[i]) {
			m, err := archivetest.FromArchive(f)
			if err != nil {
				t.Error(err)
				continue
			}
			holes := 0
			for _, g := range m.Games {
				games++
				if g.Incomplete {
					holes++
				}
			}
			tornGames += holes
			if holes > 0 {
				torn++
			} else {
				whole++
			}
			if !slices.ContainsFunc(server, func(w archivetest.Match) bool { _, ok := archivetest.Same(w, m); return ok }) {
				t.Errorf("%s has %d games with a hole and differs from the server's record", f, holes)
			}
		}
		t.Logf("%s: of %d matches %d have a hole, in %d of %d games", me, torn+whole, torn, tornGames, games)
		if torn+whole < len(server) {
			t.Errorf("%s: %d files for %d matches", me, torn+whole, len(server))
		}
	}
}

// spoiled delays, splits and merges lines and breaks the connection at or within any line.
func spoiled(seed uint64) *chaos.Options {
	const late = 5 * time.Millisecond
	return &chaos.Options{
		Seed: seed, SparedLines: 20,
		ToServer: chaos.Faults{Delay: 0.02, MaxDelay: late, Split: 0.2, Merge: 0.1, CutEveryN: 60, CutHalf: 0.003},
		ToClient: chaos.Faults{Delay: 0.02, MaxDelay: late, Split: 0.2, Merge: 0.1, CutEveryN: 300, CutHalf: 0.001},
	}
}

// TestSelfPlay_realClientOnABadLine plays with the real client over a connection that keeps
// breaking.
func TestSelfPlay_realClientOnABadLine(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	srv, dirs := selfPlay(t, soakCount(2), 3, faults{client: true, line: spoiled(3)})
	compareBoth(t, srv, dirs)
}

// TestSelfPlay_serverAtItsWorst plays on a server with all the defects of FIBS:
// glued lines, lost commands, missing boards, forgotten rolls, junk fields. Every
// match is finished and archived, over a good and a bad connection. FIBSBOT_SOAK_SEEDS=20 adds
// that many bad connections and servers of other seeds.
func TestSelfPlay_serverAtItsWorst(t *testing.T) {
	tests := []struct {
		name string
		f    faults
	}{
		{"seed 11", faults{quirks: server.AllQuirks(11)}},
		{"seed 12", faults{quirks: server.AllQuirks(12)}},
		{"seed 13", faults{quirks: server.AllQuirks(13), dropEvery: 25}},
		{"seed 14, real client", faults{quirks: server.AllQuirks(14), client: true}},
		{"seed 15, real client on a bad line", faults{quirks: server.AllQuirks(15), client: true, line: spoiled(3)}},
	}
	more, _ := strconv.ParseUint(os.Getenv("FIBSBOT_SOAK_SEEDS"), 10, 16)
	for seed := uint64(16); seed < 16+more; seed++ {
		tests = append(tests, struct {
			name string
			f    faults
		}{fmt.Sprintf("seed %d, real client on a bad line", seed), faults{quirks: server.AllQuirks(seed), client: true, line: spoiled(seed)}})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.f.line == nil {
				testsize.Medium(t)
			}
			t.Parallel()
			srv, dirs := selfPlay(t, max(1, soakCount(5)/5), 3, tt.f)
			compareBoth(t, srv, dirs)
		})
	}
}
