package online

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	bgammonserver "fibsbot/bgammon/server"
	"fibsbot/bot/archive/archivetest"
	"fibsbot/bot/archive/index"
	"fibsbot/bot/person"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
	"fibsbot/cmd/fibsbot/internal/play/terminal"
	"fibsbot/fibs/server"
	"fibsbot/internal/testsize"
)

// TestDesk_playsMatches over breaking lines by what the page calls. The archive has what the
// server played. FIBSBOT_ONLINE sets the number of matches on each server.
func TestDesk_playsMatches(t *testing.T) {
	t.Parallel()
	want := 5
	if testsize.Brief() {
		want = 2
	}
	if n, err := strconv.Atoi(os.Getenv("FIBSBOT_ONLINE")); err == nil && n > 0 {
		want = n
	}
	for name, v := range venues(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, acc := v.open(t, 150, nil)
			desk := &Desk{Open: func(lobby.Login) (*person.Account, error) { return acc, nil }}
			p := clicker{desk: desk, begin: strings.Replace(v.begin, " 1", " 3", 1), rng: rand.New(rand.NewPCG(7, 7)), changed: make(chan struct{}, 1)}
			ctx, stop := context.WithTimeout(t.Context(), time.Duration(want)*20*time.Second)
			defer stop()
			if err := p.play(ctx, want); err != nil {
				t.Fatalf("%v\n%+v", err, desk.State().News)
			}
			desk.Logout()
			files, err := filepath.Glob(filepath.Join(acc.DB.Dir(), "*.sgf"))
			if err != nil {
				t.Fatal(err)
			}
			played, holes := v.played(), 0
			for _, f := range files {
				got, err := archivetest.FromArchive(f)
				if err != nil {
					t.Errorf("%v", err)
					continue
				}
				at := slices.IndexFunc(played, func(m archivetest.Match) bool {
					short, same := v.same(m, got)
					if same {
						holes += short
					}
					return same
				})
				if at < 0 {
					t.Errorf("%s is not a match of the server's: %+v", filepath.Base(f), got)
					continue
				}
				played = slices.Delete(played, at, at+1)
			}
			if len(files) < want || len(played) > 0 {
				t.Errorf("%d files, %d matches are not in the archive: %.2000v", len(files), len(played), played)
			}
			if p.breaks == 0 {
				t.Error("no line broke")
			}
			t.Logf("%d matches, %d broken lines, %d games with marked holes", len(files), p.breaks, holes)
		})
	}
}

// TestDesk_restarts: a match that the program leaves over and over goes on where it was.
func TestDesk_restarts(t *testing.T) {
	t.Parallel()
	for name, v := range venues(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, first := v.open(t, 0, nil)
			dir := first.DB.Dir()
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			p := clicker{begin: v.begin, rng: rand.New(rand.NewPCG(3, 3)), changed: make(chan struct{}, 1), most: 4}
			starts := 0
			for err := errRestart; err != nil; starts++ {
				db, opened := index.OpenComplete(ctx, dir, "")
				if opened != nil {
					t.Fatal(opened)
				}
				acc := &person.Account{Name: first.Name, Server: first.Server, Protocol: first.Protocol, Password: first.Password, DB: db, Table: patient, Waits: soon, NoSync: true}
				desk := &Desk{Open: func(lobby.Login) (*person.Account, error) { return acc, nil }}
				p.desk = desk
				if err = p.play(ctx, 1); err != nil && err != errRestart {
					t.Errorf("%v\n%+v", err, desk.State().News)
					err = nil
				}
				desk.Logout()
				db.Close()
			}
			files, err := filepath.Glob(filepath.Join(dir, "*.sgf"))
			if err != nil || len(files) != 1 || starts < 3 {
				t.Fatalf("%d starts, archived %v, %v", starts, files, err)
			}
			got, err := archivetest.FromArchive(files[0])
			if err != nil {
				t.Fatal(err)
			}
			if played := v.played(); len(played) != 1 {
				t.Errorf("%d matches were played", len(played))
			} else if _, same := v.same(played[0], got); !same {
				t.Errorf("played %+v, archived %+v", played[0], got)
			}
			t.Logf("%d starts", starts)
		})
	}
}

// errRestart: the clicker has done its acts.
var errRestart = errors.New("restart")

// clicker plays by what the page calls.
type clicker struct {
	desk    lobby.Desk
	begin   string
	rng     *rand.Rand
	changed chan struct{}
	breaks  int
	most    int // acts until errRestart, 0 for no end
}

// play plays n matches to their end.
func (p *clicker) play(ctx context.Context, n int) error {
	p.desk.Watch(func() {
		select {
		case p.changed <- struct{}{}:
		default:
		}
	})
	if err := p.desk.Login(lobby.Login{}); err != nil {
		return err
	}
	again := time.NewTicker(20 * time.Millisecond) // an act that a broken line lost is done again, and what is refused asked again
	defer again.Stop()
	ended, online, acts := map[string]bool{}, false, 0
	for {
		rested := false
		select {
		case <-ctx.Done():
			return fmt.Errorf("only %d of %d matches: %w", len(ended), n, ctx.Err())
		case <-p.changed:
		case <-again.C:
			rested = true
		}
		st := p.desk.State()
		if st.Error != "" {
			return fmt.Errorf("logged out: %s", st.Error)
		}
		if online && st.Online != "online" {
			p.breaks++
		}
		online = st.Online == "online"
		over := st.Match == nil || st.Match.Phase == play.MatchOver
		switch {
		case over && st.Archived != "" && !ended[st.Archived]:
			if ended[st.Archived] = true; len(ended) == n {
				return nil
			}
		case over && st.Match != nil && st.Archived == "":
		case over && rested:
			_ = p.desk.Command(p.lobby(&st)) // refused while the line is broken, or before the opponent is back
		case over:
		case st.Asked && p.most > 0 && acts == p.most:
			return errRestart
		case st.Asked:
			acts++
			_ = p.desk.Act(p.act(st.Match)) // refused if the line broke meanwhile
		}
	}
}

// lobby is the command that leads to a match.
func (p *clicker) lobby(st *lobby.State) string {
	switch {
	case len(st.Invitations) > 0:
		return "join " + st.Invitations[0].With
	case len(st.Saved) > 0:
		return "resume " + st.Saved[0].With
	}
	return p.begin
}

// act is what a person does who knows the rules alone.
func (p *clicker) act(v *play.View) play.Act {
	either := func(a, b play.Kind) play.Act {
		if p.rng.IntN(4) > 0 {
			return play.Act{Kind: a}
		}
		return play.Act{Kind: b}
	}
	switch v.Phase {
	case play.ToAnswer:
		return either(play.Take, play.Drop)
	case play.ToAnswerResign:
		return either(play.Accept, play.Reject)
	case play.ToMove:
		if p.rng.IntN(100) == 0 {
			return play.Act{Kind: play.Resign, Level: 1 + p.rng.IntN(3)}
		}
		plays := terminal.LegalPlays(&terminal.Faced{View: *v})
		if len(plays) == 0 {
			return play.Act{Kind: play.Move}
		}
		return play.Act{Kind: play.Move, Play: plays[p.rng.IntN(len(plays))]}
	}
	if v.MayDouble {
		return either(play.Roll, play.Double)
	}
	return play.Act{Kind: play.Roll}
}

// fibsPlayed is the record of the embedded server.
func fibsPlayed(s *server.Server, me string) (list []archivetest.Match) {
	for _, r := range s.Matches() {
		if r.Finished() { // the last one may have begun before the logout
			list = append(list, archivetest.FromServer(r, me))
		}
	}
	return list
}

// bgammonPlayed is the record of the embedded server without positions.
func bgammonPlayed(s *bgammonserver.Server, me string) (list []archivetest.Match) {
	for _, r := range s.Matches() {
		if !r.Over {
			continue
		}
		us := slices.Index(r.Names[:], me)
		m := archivetest.Match{Players: [2]string{r.Names[1-us], me}, Length: r.Points}
		for _, g := range r.Games {
			who := func(seat int) int {
				if seat == us {
					return 1
				}
				return 0
			}
			out := archivetest.Game{Winner: who(g.Winner), Points: g.Points}
			for _, a := range g.Acts {
				switch a.Kind {
				case bgammonserver.Played:
					out.Acts = append(out.Acts, fmt.Sprintf("%d rolls {%d %d}", who(a.Seat), max(a.Dice[0], a.Dice[1]), min(a.Dice[0], a.Dice[1])))
				case bgammonserver.Doubled:
					out.Acts = append(out.Acts, fmt.Sprintf("%d double", who(a.Seat)))
				case bgammonserver.Took:
					out.Acts = append(out.Acts, fmt.Sprintf("%d take", who(a.Seat)))
				case bgammonserver.Dropped:
					out.Acts = append(out.Acts, fmt.Sprintf("%d drop", who(a.Seat)))
				}
			}
			m.Games = append(m.Games, out)
		}
		list = append(list, m)
	}
	return list
}

// withoutPositions compares what both servers tell: players, length, results, dice and cube. A
// game with a marked hole may lack acts, and the last one its end: this server does not report what
// happens while the line is broken.
func withoutPositions(want, got archivetest.Match) (short int, same bool) {
	if want.Players != got.Players || want.Length != got.Length || len(want.Games) != len(got.Games) {
		return 0, false
	}
	for i, w := range want.Games {
		g := got.Games[i]
		cut := g.Winner < 0 && i == len(got.Games)-1
		torn := g.Incomplete || g.Uncertain || cut
		if torn {
			short++
		}
		if !cut && (g.Winner != w.Winner || g.Points != w.Points) || !torn && len(g.Acts) != len(w.Acts) {
			return 0, false
		}
		rest := w.Acts
		for _, act := range g.Acts {
			act, _, _ = strings.Cut(act, " plays to ")
			if torn && strings.HasPrefix(act, "shown ") {
				continue
			}
			at := slices.Index(rest, act)
			if at < 0 || at > 0 && !torn {
				return 0, false
			}
			rest = rest[at+1:]
		}
	}
	return short, true
}
