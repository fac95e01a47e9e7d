package bgammon_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bgammon/server"
	"fibsbot/bgammon/wire"
	"fibsbot/bot"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/verify"
	"fibsbot/bot/bgammon"
	"fibsbot/bot/host"
	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
	"fibsbot/config"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/memnet"
	"fibsbot/internal/testsize"
)

// rows are the matches in the index of the house.
func (h *house) rows() (list []*index.Match) {
	h.t.Helper()
	db, err := index.Open(h.t.Context(), h.conf.Archive.Dir, "")
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	if err := db.List(h.t.Context(), index.Filter{}, func(m *index.Match) error { list = append(list, m); return nil }); err != nil {
		h.t.Fatal(err)
	}
	return list
}

// until waits for ok.
func (h *house) until(what string, ok func() bool) {
	h.t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			h.t.Fatal(what)
		}
	}
}

// sound verifies that the archive of the house is sound.
func (h *house) sound() {
	h.t.Helper()
	db, err := index.Open(h.t.Context(), h.conf.Archive.Dir, "")
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	r, err := verify.Run(h.t.Context(), db, verify.Options{Protocols: func(string) protocol.Protocol { return bgammon.Protocol{} }})
	if err != nil || len(r.Wrong) > 0 {
		h.t.Errorf("the archive is not sound: %+v, %v", r, err)
	}
}

// TestHost_theOpponentLeaves for good, by a broken line or a word, at different moments: the
// server sends the bot away after a while and gives it the match. So say the log, the index,
// the archive and what is remembered of the opponent.
func TestHost_theOpponentLeaves(t *testing.T) {
	turn := func(p *person, number, die int) func(wire.Event) bool {
		return func(e wire.Event) bool {
			b, ok := e.(wire.Board)
			return ok && b.Turn == number && (b.Die1 > 0) == (die > 0) && len(b.Hops) == 0
		}
	}
	for _, tt := range []struct {
		name  string
		until func(*person) func(wire.Event) bool
		word  string
	}{
		{"by his line, on his turn", func(p *person) func(wire.Event) bool { return turn(p, 1, 0) }, ""},
		{"by a word, before his play", func(p *person) func(wire.Event) bool { return turn(p, 1, 1) }, "leave"},
		{"by his line, on the bot's turn", func(p *person) func(wire.Event) bool { return turn(p, 2, 1) }, ""},
		{"by a word, between two games", func(p *person) func(wire.Event) bool {
			return func(e wire.Event) bool {
				b, ok := e.(wire.Board)
				return ok && b.Turn == wire.TurnNobody && b.Own.Points+b.Opponent.Points > 0
			}
		}, "leave"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := hostedOn(t, server.Options{EmptySeat: 300 * time.Millisecond, Sweep: 50 * time.Millisecond, Ping: 20 * time.Millisecond},
				func(c *config.Config, _ *host.Options) {
					c.Matchmaking.Lengths, c.Archive.Formats = []int{13}, []string{"sgf", "oldmoves", "mat"}
				})
			p := h.person("mira")
			p.send(fmt.Sprintf("join %d", p.finds(0).ID))
			p.until("the first play", func(e wire.Event) bool { _, ok := e.(wire.Moved); return ok })
			p.until("the moment to go", tt.until(p))
			if tt.word != "" {
				p.plays = false
				p.send(tt.word)
				p.until("left", left("Guest_mira"))
			} else {
				_ = p.conn.Close()
			}
			h.until("no row in the index", func() bool { return len(h.rows()) == 1 })
			var m server.Match
			h.until("the server has not ended the match", func() bool { m = h.srv.Matches()[0]; return m.Ended })
			last := m.Games[len(m.Games)-1]
			if !last.Lost || m.Names[last.Winner] != "BOT_house" {
				t.Fatalf("the server's record: %+v", last)
			}
			row := h.rows()[0]
			if row.Result != 1 || row.Score[0] != 13 || row.Score[1] != m.Score[1] || row.Finished.IsZero() || row.Games != len(m.Games) {
				t.Errorf("indexed as %+v", row)
			}
			// The row is in the index before the account counts the match and logs its end.
			h.until("the status does not count the match", func() bool {
				st := h.Status().Accounts[0]
				return st.Finished == 1 && st.Won == 1
			})
			h.until("the log does not say how the match has ended", func() bool {
				log := h.log.String()
				return strings.Contains(log, "match over") && strings.Contains(log, "forfeit=true")
			})
			h.sound()
		})
	}
}

// TestHost_leavesWhenItMay: an opponent stays at the table and does not play. The bot leaves as soon
// as the server says that this wins the match, long before idle.leave would allow it.
func TestHost_leavesWhenItMay(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	h := hostedOn(t, server.Options{Inactive: 1500 * time.Millisecond, EmptySeat: 300 * time.Millisecond, Sweep: 50 * time.Millisecond, Ping: 20 * time.Millisecond},
		func(c *config.Config, _ *host.Options) {
			c.Matchmaking.Lengths, c.Idle.Leave = []int{13}, config.Duration(50*time.Millisecond)
		})
	p := h.person("mira")
	p.send(fmt.Sprintf("join %d", p.finds(0).ID))
	p.until("the first play", func(e wire.Event) bool { _, ok := e.(wire.Moved); return ok })
	p.until("the turn", func(e wire.Event) bool {
		b, ok := e.(wire.Board)
		return ok && b.Turn == wire.TurnOwn && b.Die1 == 0
	})
	p.plays = false
	p.until("the bot to leave", left("BOT_house"))
	p.send("leave")
	h.until("no row in the index", func() bool { return len(h.rows()) == 1 })
	if row := h.rows()[0]; row.Result != 1 || row.Score[0] != 13 {
		t.Errorf("indexed as %+v", row)
	}
	h.until("the server has not ended the match", func() bool { return h.srv.Matches()[0].Ended })
	m := h.srv.Matches()[0]
	if g := m.Games[len(m.Games)-1]; !g.Lost || m.Names[g.Winner] != "BOT_house" {
		t.Errorf("the server's record: %+v", g)
	}
	h.sound()
}

// duel is two accounts on a server in memory, alpha's matches joined by beta.
type duel struct {
	t       *testing.T
	srv     *server.Server
	orders  chan bot.Order // to alpha
	betaOff atomic.Bool    // beta cannot connect
	wg      sync.WaitGroup
	stop    context.CancelFunc
}

// dueling has alpha and beta begin a match of 7 points and play some of it; it runs within
// a bubble.
func dueling(t *testing.T, dirs [2]string, so server.Options) *duel {
	t.Helper()
	network := &memnet.Network{}
	l, err := network.Listen("bgammon:1337")
	if err != nil {
		t.Fatal(err)
	}
	d := &duel{t: t, srv: server.New(so), orders: make(chan bot.Order, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	d.stop = cancel
	d.wg.Go(func() { _ = d.srv.Serve(ctx, l) })
	for i, name := range []string{"BOT_alpha", "BOT_beta"} {
		joins, dial := "", network.Dial
		if i == 1 {
			joins = "BOT_alpha"
			dial = func(ctx context.Context, n, address string) (net.Conn, error) {
				if d.betaOff.Load() {
					return nil, errors.New("no network")
				}
				return network.Dial(ctx, n, address)
			}
		}
		a := account(on(dial), name, joins, dirs[i], 7, 0)
		a.Pace = func(table.Situation, table.Answer) time.Duration { return 50 * time.Millisecond }
		if i == 0 {
			a.Orders = d.orders
		}
		d.wg.Go(func() {
			if err := a.Run(ctx); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for end := time.Now().Add(time.Minute); len(d.acts()) < 9; time.Sleep(7 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no match is under way")
		}
	}
	return d
}

// acts are those of the first game of the first match.
func (d *duel) acts() []server.Act {
	if m := d.srv.Matches(); len(m) > 0 && len(m[0].Games) > 0 {
		return m[0].Games[0].Acts
	}
	return nil
}

// ends waits until the first match is over and filed, with both or one of them.
func (d *duel) ends() {
	for limit := time.Now().Add(20 * time.Minute); time.Now().Before(limit) && !d.srv.Matches()[0].Ended; {
		time.Sleep(time.Second)
	}
	time.Sleep(time.Second)
}

func (d *duel) end() {
	d.stop()
	d.wg.Wait()
}

// first reads the first match of an archive.
func first(t *testing.T, dir string) *record.Match {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.sgf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("archived: %q, %v", files, err)
	}
	m, warns, err := sgf.ReadFile(files[0])
	if err != nil || len(warns) > 0 {
		t.Fatal(err, warns)
	}
	return m
}

// TestForfeit_backWhileTheOpponentIsAway: our line breaks while the opponent is away; the
// server does not say with whom the match is that waits for us. He comes back, or not.
func TestForfeit_backWhileTheOpponentIsAway(t *testing.T) {
	for _, comes := range []bool{true, false} {
		t.Run(fmt.Sprint(comes), func(t *testing.T) {
			dirs := [2]string{t.TempDir(), t.TempDir()}
			synctest.Test(t, func(t *testing.T) {
				d := dueling(t, dirs, server.Options{Seed: 7, Sweep: 24 * time.Hour})
				defer d.end()
				d.betaOff.Store(true)
				d.srv.Disconnect("BOT_beta")
				time.Sleep(time.Second)
				d.srv.Disconnect("BOT_alpha")
				time.Sleep(5 * time.Minute)
				if users := d.srv.Users(); !slices.Equal(users, []string{"BOT_alpha"}) {
					t.Errorf("on line: %v", users)
				}
				d.betaOff.Store(!comes)
				d.ends()
			})
			m := first(t, dirs[0])
			game := m.Games[len(m.Games)-1]
			if comes {
				if m.FinalScore()[1] < 7 && m.FinalScore()[0] < 7 || game.Comment != "" {
					t.Errorf("ended %v, %q", m.FinalScore(), game.Comment)
				}
				return
			}
			if m.FinalScore() != [2]int{1: 7} || game.Comment != sheet.Forfeit || len(game.Actions) < 5 {
				t.Errorf("ended %v after %d actions, %q", m.FinalScore(), len(game.Actions), game.Comment)
			}
		})
	}
}

// TestForfeit_weLeave the opponent in his seat: when he goes, the match is lost.
func TestForfeit_weLeave(t *testing.T) {
	testsize.Medium(t)
	dirs := [2]string{t.TempDir(), t.TempDir()}
	synctest.Test(t, func(t *testing.T) {
		d := dueling(t, dirs, server.Options{Seed: 8})
		defer d.end()
		d.orders <- func(t *table.Table, now time.Time) table.Due { return t.Leave(now) }
		d.ends()
		if g := d.srv.Matches()[0].Games[0]; !g.Lost || g.Winner != 1 {
			t.Errorf("the server's record: %+v", g)
		}
	})
	if m := first(t, dirs[0]); m.FinalScore() != [2]int{0: 7} {
		t.Errorf("alpha's archive: %v", m.FinalScore())
	}
	if m := first(t, dirs[1]); m.FinalScore() != [2]int{1: 7} {
		t.Errorf("beta's archive: %v", m.FinalScore())
	}
}

// TestHost_leavingSaysWhatIsLost: this server saves no matches, and the log does not claim it.
func TestHost_leavingSaysWhatIsLost(t *testing.T) {
	h := hosted(t, func(c *config.Config, _ *host.Options) { c.Operations.Drain = "now" })
	p := h.person("mira")
	p.send(fmt.Sprintf("join %d", p.finds(0).ID))
	p.until("play", func(e wire.Event) bool { _, ok := e.(wire.Moved); return ok })
	h.Drain()
	if err := <-h.done; err != nil {
		t.Error(err)
	}
	h.done <- nil
	if log := h.log.String(); !strings.Contains(log, "leaving; matches wait 15 minutes for the bot and are then lost") || strings.Contains(log, "saved") {
		t.Errorf("the log says %s", log)
	}
}

// TestHost_theServerForgets its matches when it is started again: what was played is filed
// like any other match, with its row, and the log says why it has no end.
func TestHost_theServerForgets(t *testing.T) {
	h := hostedOn(t, server.Options{First: 1000}, func(c *config.Config, _ *host.Options) { c.Matchmaking.Lengths = []int{7} })
	p := h.person("mira")
	p.send(fmt.Sprintf("join %d", p.finds(0).ID))
	for range 4 {
		p.until("plays", func(e wire.Event) bool { _, ok := e.(wire.Moved); return ok })
	}
	h.restart()
	h.until("no row in the index", func() bool { return len(h.rows()) == 1 })
	if row := h.rows()[0]; row.Result != 0 || row.Moves < 1 || row.Finished.IsZero() {
		t.Errorf("indexed as %+v", row)
	}
	h.until("the log does not say that the match has no end", func() bool {
		return strings.Contains(h.log.String(), "match filed without an end")
	})
	h.sound()
}
