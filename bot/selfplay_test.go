package bot

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sirupsen/logrus"

	"fibsbot/bot/archive"
	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/fibs"
	"fibsbot/fibs/chaos"
	"fibsbot/fibs/client"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// startServer runs an embedded server on a free port until the test ends.
func startServer(t testing.TB, opt server.Options) (*server.Server, string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("server: %v", err)
		}
	})
	return srv, ln.Addr().String()
}

func testLog(t testing.TB) logrus.FieldLogger {
	l := logrus.New()
	l.SetOutput(testWriter{t})
	l.SetLevel(logrus.WarnLevel)
	if os.Getenv("FIBSBOT_TEST_LOG") != "" {
		l.SetLevel(logrus.DebugLevel)
	}
	return l
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(p []byte) (int, error) { w.t.Logf("%s", p); return len(p), nil }

// faults are the ways in which a test makes server and network misbehave.
type faults struct {
	dropEvery int // a connection is cut about every so many commands
	quirks    server.Quirks
	line      *chaos.Options // what happens on the way; nil is a direct connection
	client    bool           // the bots use the real client, with its setting up and its queue
	noList    bool           // the server keeps no lists of moves
	late      bool           // boards of the game before come behind its end
	mode      archivetest.Mode
}

// dialer returns how an account of the test gets its connection.
func (f faults) dialer(addr, name string) func(context.Context) (Link, error) {
	if f.client {
		return fibs.Dialer(client.Options{Address: addr, Name: name, Password: clip.NewSecret("secret"), Login: 2 * time.Second,
			Answer: 300 * time.Millisecond, Goodbye: 100 * time.Millisecond, Pace: client.Pace{Gap: -1, ChatGap: -1, Burst: -1}})
	}
	return func(ctx context.Context) (Link, error) {
		l, err := dialPlain(ctx, addr, name, "secret")
		if err != nil {
			return nil, err
		}
		if f.late {
			return newLateLink(l), nil
		}
		return l, nil
	}
}

// selfPlay lets two accounts play matches on a real server and returns the server and both
// archives.
func selfPlay(t *testing.T, matches, length int, f faults) (*server.Server, [2]string) {
	t.Helper()
	opt := server.Options{Seed: 7, AutoAccounts: true, Quirks: f.quirks, KeepMatches: matches + 10}
	f.mode.Set(&opt)
	if f.dropEvery > 0 {
		var lines atomic.Int64
		opt.OnLine = func(_ context.Context, _, line string, n int) server.Fate {
			if f.noList && strings.HasPrefix(line, "oldmoves") {
				return server.Swallow
			}
			count := int(lines.Add(1))
			if n > 6 && count%f.dropEvery == 0 {
				if count/f.dropEvery%2 == 0 {
					return server.DropAfter
				}
				return server.Drop
			}
			return server.Carry
		}
	}
	srv, addr := startServer(t, opt)
	if f.line != nil {
		addr = badLine(t, addr, *f.line)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(120+4*matches)*time.Second)
	defer cancel()
	names := [2]string{"anna", "bert"}
	var dirs [2]string
	var wg sync.WaitGroup
	over := make(chan struct{}, 2*matches+10)
	for i, name := range names {
		dirs[i] = testDir(t, name)
		plain := &Plain{Min: 1, Max: 99, Unlimited: true, Length: length, Every: 10 * time.Millisecond,
			Backoff: Backoff{Min: 2 * time.Millisecond, Max: 20 * time.Millisecond}}
		if i == 0 {
			plain.Invite = names[1]
			plain.Seen = func(m Observation) {
				if m.Over != nil || length == 0 && len(m.Filed) > 0 { // a game of an unlimited match
					over <- struct{}{}
				}
			}
		}
		a := &Account{Protocol: fibs.Protocol{},
			Name:    name,
			Dial:    f.dialer(addr, name),
			Conduct: plain, Table: quickTable(), Archive: archive.Options{Dir: dirs[i], Server: addr, NoSync: true},
			Log: testLog(t),
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := a.Run(ctx); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}()
	}
	for n := 0; n < matches; n++ {
		select {
		case <-over:
		case <-ctx.Done():
			t.Errorf("only %d of %d matches ended", n, matches)
			n = matches
		}
	}
	// The other account may still be writing the same match.
	deadline := time.Now().Add(time.Minute)
	for ctx.Err() == nil && time.Now().Before(deadline) {
		if len(sgfFiles(t, dirs[1])) >= matches && len(sgfFiles(t, dirs[0])) >= matches {
			break
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
	cancel()
	wg.Wait()
	return srv, dirs
}

func sgfFiles(t testing.TB, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.sgf"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func soakCount(short int) int {
	if n, err := strconv.Atoi(os.Getenv("FIBSBOT_SOAK")); err == nil && n > 0 {
		return n
	}
	return short
}

// TestSelfPlay_archivesEqualServerRecord plays undisturbed matches.
func TestSelfPlay_archivesEqualServerRecord(t *testing.T) {
	testsize.Medium(t)
	srv, dirs := selfPlay(t, 6, 3, faults{})
	compareArchive(t, srv, dirs[0], "anna")
	compareArchive(t, srv, dirs[1], "bert")
}

// TestSelfPlay_lateBoards: boards of the game before, after its end, change no record and
// delay no game.
func TestSelfPlay_lateBoards(t *testing.T) {
	testsize.Medium(t)
	srv, dirs := selfPlay(t, 2, 3, faults{late: true})
	if short := compareArchive(t, srv, dirs[0], "anna") + compareArchive(t, srv, dirs[1], "bert"); short > 0 {
		t.Errorf("%d games are incomplete", short)
	}
}

// testDir returns a folder for an archive: a temporary one, or one below FIBSBOT_TEST_KEEP.
func testDir(t testing.TB, name string) string {
	keep := os.Getenv("FIBSBOT_TEST_KEEP")
	if keep == "" {
		return t.TempDir()
	}
	dir := filepath.Join(keep, t.Name(), name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}
