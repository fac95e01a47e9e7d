// Package archivetest compares archived matches with the embedded server's record of them,
// for tests.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package archivetest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
	"fibsbot/fibs/server"
)

// Match is what server and archive must agree on.
type Match struct {
	Players [2]string // opponent, account
	Length  int
	Games   []Game
}

// Game is a game of a Match; Acts describe its actions with position and player (1 the
// account).
type Game struct {
	Score    [2]int
	Crawford bool
	Acts     []string
	Winner   int
	Points   int
	// Incomplete reports a marked hole in the archive, Uncertain that two dances in a row may
	// be missing. Both are false for the server.
	Incomplete, Uncertain bool
}

// FromArchive reads an archived file. Illegal actions and warnings of the reader are errors.
func FromArchive(path string) (Match, error) {
	m, warns, err := sgf.ReadFile(path)
	if err != nil {
		return Match{}, err
	}
	if len(warns) > 0 {
		return Match{}, fmt.Errorf("%s: %v", path, warns)
	}
	p := Match{Players: [2]string{m.Players[0].Name, m.Players[1].Name}, Length: m.Length}
	for i := range m.Games {
		g := &m.Games[i]
		pg := Game{Score: g.Score, Crawford: g.Crawford, Winner: g.Result.Winner, Points: g.Result.Points,
			Incomplete: g.Comment == sheet.Incomplete, Uncertain: g.Comment == sheet.Uncertain}
		if !g.Result.Finished() {
			pg.Winner = -1
		}
		at, cube := board.Start, 1
		for turn := range m.Turns(g) {
			a := turn.Action
			if a.Illegal || !turn.Legal {
				return p, fmt.Errorf("%s game %d: illegal %v: %s", filepath.Base(path), i+1, a.Kind, turn.Problem)
			}
			switch a.Kind {
			case record.Move:
				after := turn.Play.Result
				if a.Player == 0 {
					after = after.Swap()
				}
				at = after
				pg.Acts = append(pg.Acts, fmt.Sprintf("%d rolls %v plays to %s", a.Player, a.Dice.Sorted(), after.ID()))
			case record.Double, record.Take, record.Drop:
				pg.Acts = append(pg.Acts, fmt.Sprintf("%d %v", a.Player, a.Kind))
				if a.Kind == record.Take {
					cube *= 2
				}
			case record.SetUp:
				if e := a.SetUp; e.Board != nil {
					at = board.Position{Me: e.Board[1], Opp: e.Board[0]}
				}
				cube = max(cube, a.SetUp.Cube)
				if n := len(pg.Acts); n > 0 && strings.HasPrefix(pg.Acts[n-1], shown) {
					pg.Acts = pg.Acts[:n-1] // one board has several edits in a row
				}
				pg.Acts = append(pg.Acts, shownWord(at, cube))
			}
		}
		p.Games = append(p.Games, pg)
	}
	return p, nil
}

// FromServer reduces the server's record to the view of the account me.
func FromServer(r server.MatchRecord, me string) Match {
	us := 0
	if r.Players[1] == me {
		us = 1
	}
	p := Match{Players: [2]string{r.Players[1-us], r.Players[us]}, Length: r.Length}
	for _, g := range r.Games {
		pg := Game{Score: [2]int{g.Score[1-us], g.Score[us]}, Crawford: g.Crawford, Points: g.Points}
		pg.Winner = 0
		if g.Winner == us {
			pg.Winner = 1
		}
		p.Games = append(p.Games, pg)
		last := &p.Games[len(p.Games)-1]
		last.Acts = serverActs(g, us)
	}
	return p
}

// serverActs describes the actions of a game as FromArchive does. Resignations are in the
// result.
func serverActs(g server.GameRecord, us int) []string {
	ourColour := server.X
	if g.O == us {
		ourColour = server.O
	}
	sheet := &record.Match{Length: 1, Games: []record.Game{{}}}
	var acts []string
	doubled := false
	replayed := record.NewReplay(sheet, &sheet.Games[0])
	for _, a := range g.Actions {
		player := 0
		if a.Side == ourColour {
			player = 1
		}
		switch a.Kind {
		case server.Moved:
			if !a.Done {
				continue
			}
			sheet.Games[0].Actions = append(sheet.Games[0].Actions, record.Action{Kind: record.Move, Player: player,
				Dice: diceOfRoll(a.Roll), Steps: stepsOfServer(a)})
			if turn, ok := replayed.Next(); ok {
				after := turn.Play.Result
				if player == 0 {
					after = after.Swap()
				}
				acts = append(acts, fmt.Sprintf("%d rolls %v plays to %s", player, diceOfRoll(a.Roll).Sorted(), after.ID()))
			}
		case server.Doubled:
			doubled = true
			acts = append(acts, fmt.Sprintf("%d double", player))
		case server.Accepted:
			if doubled {
				acts = append(acts, fmt.Sprintf("%d take", player))
			}
			doubled = false
		case server.Rejected:
			if doubled {
				acts = append(acts, fmt.Sprintf("%d drop", player))
			}
			doubled = false
		}
	}
	return acts
}

// Same compares the server's record with the archive's. A game marked as incomplete may lack
// acts at the end or before a board that was shown, which must match the server's record
// there; score, result and all other acts must agree. Acts of the account's own commands
// must not be missing. short counts such games.
func Same(want, got Match) (short int, ok bool) {
	if want.Players != got.Players || want.Length != got.Length || len(want.Games) != len(got.Games) {
		return 0, false
	}
	for i, w := range want.Games {
		g := got.Games[i]
		if g.Incomplete {
			missing, ok := holes(w.Acts, g.Acts)
			if !ok || missing == 0 {
				return 0, false
			}
			w.Incomplete, w.Acts = true, g.Acts
			short++
		}
		if g.Uncertain {
			w.Uncertain = true
			if less, ok := withoutDances(w.Acts, g.Acts); ok {
				w.Acts = less
				short++
			}
		}
		if !cmp.Equal(w, g, cmpopts.EquateEmpty()) {
			return 0, false
		}
	}
	return short, true
}

// withoutDances returns seen if it is played without some pairs of turns without a play.
func withoutDances(played, seen []string) ([]string, bool) {
	dances := func(n int) bool {
		return n < len(played) && standing(played[:n]) == standing(played[:n+1]) && strings.Contains(played[n], " plays to ")
	}
	i := 0
	for _, act := range seen {
		for i < len(played) && played[i] != act && dances(i) && dances(i+1) {
			i += 2
		}
		if i >= len(played) || played[i] != act {
			return nil, false
		}
		i++
	}
	return seen, i == len(played) && len(seen) < len(played)
}

// shown begins the act of a board that is set up after a hole.
const shown = "shown "

func shownWord(p board.Position, cube int) string {
	return fmt.Sprintf("%s%s cube %d", shown, p.ID(), cube)
}

// holes reports whether seen is played with holes, each followed by the board at that point
// or the end of the game, and counts the missing acts.
func holes(played, seen []string) (missing int, ok bool) {
	for n, act := range seen {
		if !strings.HasPrefix(act, shown) {
			if n >= len(played) || played[n] != act {
				return 0, false
			}
			continue
		}
		// The same position may occur twice; any will do.
		for at := n; at <= len(played) && !ourCube(played[n:at]); at++ {
			if standing(played[:at]) != act {
				continue
			}
			if more, ok := behind(played, at, seen[n+1:]); ok {
				return at - n + more, true
			}
		}
		return 0, false
	}
	rest := played[len(seen):]
	return len(rest), !ourCube(rest)
}

// behind is holes after act number at.
func behind(played []string, at int, seen []string) (missing int, ok bool) {
	// standing needs the acts before.
	return holes(played, append(slices.Clone(played[:at]), seen...))
}

// ourCube reports whether acts have a cube decision of the account.
func ourCube(acts []string) bool {
	return slices.ContainsFunc(acts, func(a string) bool { return strings.HasPrefix(a, "1 ") && !strings.HasPrefix(a, "1 rolls") })
}

// standing is the board after acts, in the words of shown.
func standing(acts []string) string {
	at, cube := board.Start.ID(), 1
	for _, a := range acts {
		if _, id, plays := strings.Cut(a, " plays to "); plays {
			at = id
		} else if strings.HasSuffix(a, " take") {
			cube *= 2
		}
	}
	return fmt.Sprintf("%s%s cube %d", shown, at, cube)
}

// BegunUnasked counts in the journal of a match how often the server resumed the match and
// began the next game at once. The list of the previous game is then lost before an answer to the
// bot's first commands.
func BegunUnasked(sgfPath string) (int, error) {
	stem := strings.TrimSuffix(filepath.Base(sgfPath), ".sgf")
	data, err := os.ReadFile(filepath.Join(filepath.Dir(sgfPath), "journal", stem+".journal"))
	if err != nil {
		return 0, err
	}
	n, loaded := 0, false
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var e struct {
			K, Raw  string
			Resumed bool
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			return 0, fmt.Errorf("%s: %w", stem, err)
		}
		switch {
		case e.K == "open" && e.Resumed, e.K == "<" && strings.HasSuffix(e.Raw, "Your running match was loaded."):
			loaded = true
		case e.K == "<" && strings.HasPrefix(e.Raw, "Starting a new game"):
			if loaded {
				n++
			}
			loaded = false
		case e.K == "<" && strings.HasPrefix(e.Raw, "board:"), e.K == ">" && e.Raw != "board" && !strings.HasPrefix(e.Raw, "oldmoves"):
			loaded = false
		}
	}
	return n, nil
}

func diceOfRoll(r [2]int) board.Dice { return board.Dice{A: uint8(r[0]), B: uint8(r[1])} }

// stepsOfServer converts the server's steps to the mover's numbering.
func stepsOfServer(a server.Action) []board.Step {
	var out []board.Step
	for _, s := range a.Steps {
		out = append(out, board.Step{From: serverPoint(s.From, a.Side), To: serverPoint(s.To, a.Side)})
	}
	return out
}

// serverPoint converts a board number to the mover's index: a colour's bar and off are 0 and
// 25, at the ends where it starts and finishes.
func serverPoint(p int, side server.Colour) int8 {
	if side == server.O {
		return int8(p - 1)
	}
	return int8(24 - p)
}
