package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/bot"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/archive/verify"
	"fibsbot/bot/fibs"
	"fibsbot/bot/ops"
	"fibsbot/bot/protocol"
	"fibsbot/config"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/fibs/clip"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// gameLine is a game as its rolls, winner and points.
func gameLine(rolls []string, winner string, points int) string {
	return fmt.Sprintf("%s won %d: %s", winner, points, strings.Join(rolls, " "))
}

func rollOf(a, b int) string { return fmt.Sprintf("%d%d", max(a, b), min(a, b)) }

// servedGames are the finished games of the server's unlimited matches.
func servedGames(srv *server.Server) (list []string) {
	for _, m := range srv.Matches() {
		for _, g := range m.Games {
			if m.Length > 0 || g.Winner < 0 {
				continue
			}
			var rolls []string
			for _, a := range g.Actions {
				if a.Roll != [2]int{} {
					rolls = append(rolls, rollOf(a.Roll[0], a.Roll[1]))
				}
			}
			list = append(list, gameLine(rolls, m.Players[g.Winner], g.Points))
		}
	}
	return list
}

// filedGames are the games of the unlimited matches in the archive, one per file, oldest first;
// each row must agree with its file.
func filedGames(t *testing.T, c *config.Config) (list []string) {
	t.Helper()
	for _, r := range rows(t, c) {
		f, err := os.Open(filepath.Join(c.Archive.Dir, filepath.FromSlash(r.File)))
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := sgf.Read(f)
		f.Close()
		if err != nil || len(m.Games) != 1 {
			t.Fatalf("%s: %+v, %v", r.File, m, err)
		}
		g := &m.Games[0]
		var rolls []string
		thoughts := 0
		for i := range g.Actions {
			a := &g.Actions[i]
			if a.Kind == record.Move || a.Kind == record.Roll {
				rolls = append(rolls, rollOf(int(a.Dice.A), int(a.Dice.B)))
			}
			if a.Analysis != nil {
				thoughts++
			}
		}
		won := 1
		if g.Result.Winner == r.Me {
			won = 0
		}
		score := [2]int{}
		score[won] = g.Result.Points
		if r.Length != 0 || r.Finished.IsZero() || r.Score != score || r.Result != 1-2*won || r.Games != 1 || thoughts == 0 || g.Comment != "" {
			t.Errorf("%s: %+v, %d thoughts, comment %q", r.File, r, thoughts, g.Comment)
		}
		list = append(list, gameLine(rolls, m.Players[g.Result.Winner].Name, g.Result.Points))
	}
	return list
}

// sound fails the test unless the archive verifies.
func sound(t *testing.T, c *config.Config) {
	t.Helper()
	db, err := index.Open(t.Context(), c.Archive.Dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r, err := verify.Run(t.Context(), db, verify.Options{Protocols: func(string) protocol.Protocol { return fibs.Protocol{} }})
	if err != nil || len(r.Wrong) > 0 {
		t.Errorf("the archive is not sound: %+v, %v", r, err)
	}
}

// talk collects what name says to a sparring partner.
type talk struct {
	sync.Mutex
	lines []string
}

func (k *talk) hear(m bot.Observation) {
	k.Lock()
	defer k.Unlock()
	if m.Event != nil && m.Event.Kind == protocol.Says {
		k.lines = append(k.lines, m.Event.Text)
	}
}

func (k *talk) has(part string) bool {
	k.Lock()
	defer k.Unlock()
	return strings.Contains(strings.Join(k.lines, "\n"), part)
}

// Every game of an unlimited match is filed when it ends, and after unlimited_games the
// match is left.
func TestUnlimited_gamesAreFiled(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	srv, addr := startServer(t, server.Options{Seed: 5})
	c := testConfig(t, addr, "robbie")
	c.Invitations.Unlimited, c.Invitations.UnlimitedGames = true, 4
	h := startHost(t, c, func(o *Options) { o.MaxMatches = 1 })
	h.ready(1)
	var heard talk
	spar(t, addr, "human", "robbie", 0, 0, heard.hear)
	if err := h.wait(); err != nil {
		t.Fatal(err)
	}
	served, filed := servedGames(srv), filedGames(t, c)
	if strings.Join(served, "\n") != strings.Join(filed, "\n") || len(filed) != 4 {
		t.Errorf("the server has\n%s\nthe archive\n%s", strings.Join(served, "\n"), strings.Join(filed, "\n"))
	}
	if !heard.has("I leave our unlimited match now, human") {
		t.Errorf("the opponent heard %q", heard.lines)
	}
	sound(t, c)
}

// unlimited_time ends the match after the game in which the time runs out.
func TestUnlimited_timeEndsIt(t *testing.T) {
	t.Parallel()
	srv, addr := startServer(t, server.Options{Seed: 5})
	c := testConfig(t, addr, "robbie")
	c.Invitations.Unlimited, c.Invitations.UnlimitedTime = true, config.Duration(time.Nanosecond)
	h := startHost(t, c, func(o *Options) { o.MaxMatches = 1 })
	h.ready(1)
	spar(t, addr, "human", "robbie", 0, 0, nil)
	if err := h.wait(); err != nil {
		t.Fatal(err)
	}
	if served, filed := servedGames(srv), filedGames(t, c); len(filed) != 1 || served[0] != filed[0] {
		t.Errorf("the server has %q, the archive %q", served, filed)
	}
}

// With a saved unlimited match an opponent can still play another match, and the bot does not
// invite to resume it.
func TestUnlimited_savedBlocksNoMatch(t *testing.T) {
	t.Parallel()
	for _, midgame := range []bool{false, true} {
		t.Run(fmt.Sprint("in mid-game ", midgame), func(t *testing.T) {
			t.Parallel()
			_, addr := startServer(t, server.Options{Seed: 5})
			c := testConfig(t, addr, "robbie")
			c.Invitations.Unlimited, c.Invitations.UnlimitedGames = true, 1
			c.Saved.WaitAfterLeave = config.Duration(time.Millisecond)
			h := startHost(t, c, nil)
			h.ready(1)
			p := login(t, addr, "human", "secret")
			p.send(clip.Invite{Name: "robbie", Length: clip.Unlimited})
			p.expect("a match", kind(clip.MatchBegins))
			if midgame {
				p.send(clip.Leave{})
				p.expect("the end", kind(clip.GameSaved))
			} else {
				p.send(clip.Resign{Worth: 1})
				p.told("robbie", "I leave our unlimited match") // before or after the end
				h.until("still playing", func(st ops.Status) bool { return st.Accounts[0].Match == "" })
			}
			p.send(clip.Invite{Name: "robbie", Length: 5})
			if ev := p.expect("a match", kind(clip.MatchBegins)); ev.Length != 5 {
				t.Errorf("joined by %q", ev.Raw)
			}
			h.until("not playing", func(st ops.Status) bool { return strings.Contains(st.Accounts[0].Match, "in 5 points") })
		})
	}
}
