package bgammon_test

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bgammon/client"
	"fibsbot/bgammon/server"
	"fibsbot/bot"
	"fibsbot/bot/bgammon"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/memnet"
)

// on is a protocol that plays on a network in memory.
func on(dial func(context.Context, string, string) (net.Conn, error)) bgammon.Protocol {
	return bgammon.Protocol{Connect: dial, Client: func(o *client.Options) { o.Goodbye = 100 * time.Millisecond }}
}

// TestTrouble_theServerVanishes in the middle of a match, for longer than it would keep
// a seat, and comes back without it: the match is kept as far as it is known, marked
// incomplete, and the bot plays on.
func TestTrouble_theServerVanishes(t *testing.T) {
	dirs := [2]string{t.TempDir(), t.TempDir()}
	synctest.Test(t, func(t *testing.T) {
		network := &memnet.Network{}
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()
		serve := func(seed uint64) (*server.Server, func()) {
			l, err := network.Listen("bgammon:1337")
			if err != nil {
				t.Fatal(err)
			}
			srv := server.New(server.Options{Seed: seed})
			serving, stop := context.WithCancel(ctx)
			done := make(chan struct{})
			wg.Go(func() { defer close(done); _ = srv.Serve(serving, l) })
			return srv, func() { stop(); <-done }
		}
		first, stop := serve(3)
		for i, name := range []string{"BOT_alpha", "BOT_beta"} {
			joins := ""
			if i == 1 {
				joins = "BOT_alpha"
			}
			a := account(on(network.Dial), name, joins, dirs[i], 7, 0)
			a.Conduct.(*bot.Plain).Backoff = bot.Backoff{Min: time.Second, Max: time.Minute}
			a.Pace = func(table.Situation, table.Answer) time.Duration { return 50 * time.Millisecond }
			wg.Go(func() {
				if err := a.Run(ctx); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		plays := func(srv *server.Server) bool {
			m := srv.Matches()
			return len(m) > 0 && len(m[0].Games) > 0 && len(m[0].Games[0].Acts) > 8
		}
		for range 600 {
			if plays(first) {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if m := first.Matches(); !plays(first) || m[0].Over {
			t.Fatalf("no match is under way: %+v", m)
		}
		stop()
		time.Sleep(20 * time.Minute)
		second, stop := serve(4)
		defer stop()
		for range 600 {
			if m := second.Matches(); len(m) > 0 && m[0].Over {
				break
			}
			time.Sleep(time.Second)
		}
		if m := second.Matches(); len(m) == 0 || !m[0].Over {
			t.Fatalf("nothing is played after the server came back: %+v", m)
		}
		cancel()
	})
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.sgf"))
		if err != nil || len(files) < 2 {
			t.Fatalf("archived: %q, %v", files, err)
		}
		m, _, err := sgf.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		last := m.Games[len(m.Games)-1]
		moves := 0
		for _, a := range m.Games[0].Actions {
			if a.Kind == record.Move {
				moves++
			}
		}
		if last.Result.Finished() || last.Comment != sheet.Incomplete || moves < 5 {
			t.Errorf("%s: %d moves, %q, finished %v", files[0], moves, last.Comment, last.Result.Finished())
		}
	}
}

// TestTrouble_login: what will not pass ends the account with one clear line.
func TestTrouble_login(t *testing.T) {
	for _, tt := range []struct{ name, password, says string }{
		{"BOT_known", "wrong", `login refused: the server says "Connection terminated: No account`},
		{"fibsbot", "", `the name "fibsbot" must begin with BOT_`},
	} {
		synctest.Test(t, func(t *testing.T) {
			network := &memnet.Network{}
			l, err := network.Listen("bgammon:1337")
			if err != nil {
				t.Fatal(err)
			}
			srv := server.New(server.Options{Accounts: map[string]string{"BOT_known": "right"}})
			ctx, cancel := context.WithCancel(t.Context())
			var wg sync.WaitGroup
			wg.Go(func() { _ = srv.Serve(ctx, l) })
			a := account(on(network.Dial), tt.name, "", t.TempDir(), 1, 1)
			p := on(network.Dial)
			a.Dial = bot.Dialer(p, func() (protocol.Login, error) {
				return protocol.Login{Address: "bgammon:1337", Name: tt.name, Password: word(tt.password), Plays: true}, nil
			})
			err = a.Run(ctx)
			if !errors.Is(err, bot.ErrBadLogin) || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "\n") ||
				tt.password != "" && strings.Contains(err.Error(), tt.password) {
				t.Errorf("%s: %v; want one line with %q", tt.name, err, tt.says)
			}
			cancel()
			wg.Wait()
		})
	}
}

// word is a password.
type word string

func (w word) Reveal() string { return string(w) }

// FuzzReader feeds lines to the reader of journals and the sheet behind it: whatever a
// server says, nothing breaks, and a sheet keeps the rules.
func FuzzReader(f *testing.F) {
	board := `{"Type":"board","Started":1,"Player1":{"Name":"BOT_a"},"Player2":{"Name":"b"},"Board":[0,-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0,0,0],"Turn":1,"Roll1":3,"Roll2":1,"Points":3,"DoubleValue":1}`
	for _, s := range []string{
		board, board + "\n> move 8/5 6/5\n" + strings.Replace(board, `"Turn":1,"Roll1":3,"Roll2":1`, `"Turn":2`, 1),
		strings.Replace(board, "[0,-2", "[0,-3", 1) + "\n" + strings.Replace(board, `"Points":3`, `"Points":2`, 1),
		board + "\n" + `{"Type":"win","Player":"b","Points":3,"Resigned":"BOT_a"}` + "\n" + `{"Type":"left","Player":"b"}`,
		strings.Replace(board, `"Turn":1`, `"Winner":2,"Moves":[[24,25]],"Turn":2`, 1), "> double\n" + board,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := bgammon.Protocol{}.Reader()
		s := sheet.New("b", 3, true)
		s.Rules = bgammon.Protocol{}.Rules().Sheet()
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\n")
			if sent, ok := strings.CutPrefix(line, "> "); ok {
				if c, ok := r.FromUs(sent); ok {
					protocol.EnterSent(s, c)
				}
				continue
			}
			if line == "broken" {
				s.Interrupted()
				r = bgammon.Protocol{}.Reader()
				continue
			}
			events := r.FromServer(line)
			for i := range events {
				protocol.Enter(s, &events[i], "BOT_a")
			}
		}
		m := s.Record(sheet.About{})
		for i := range m.Games {
			for turn := range m.Turns(&m.Games[i]) {
				if a := turn.Action; a.Kind == record.Move && !turn.Legal {
					t.Fatalf("game %d: %s", i+1, turn.Problem)
				}
			}
		}
	})
}
