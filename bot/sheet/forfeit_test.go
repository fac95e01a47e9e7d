package sheet

import (
	"bytes"
	"io"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/sgf"
)

// TestForfeited: in whatever state the loser left the game, the match is won by the winner that
// the server named, and the score in every format shows it.
func TestForfeited(t *testing.T) {
	for name, play := range map[string]func(*Sheet){
		"before a roll":       func(*Sheet) {},
		"before a play":       func(s *Sheet) { s.Rolled(Us, board.Dice{A: 6, B: 5}) },
		"with a cube of ours": func(s *Sheet) { s.DoubledBy(Us); s.Took(Them, 2) },
		"between two games":   func(s *Sheet) { s.GameWon(Us, 2, ByResignation) },
		"one point away":      func(s *Sheet) { s.GameWon(Them, 4, ByResignation) },
	} {
		for _, winner := range []Side{Us, Them} {
			s := midGame(t)
			s.Rules.Drops = match.DropByPosition
			play(s)
			before := s.Score
			s.Forfeited(winner)
			want := before
			want[winner] = 5
			if !s.Over || s.Winner != winner || s.Score != want || !s.Last().Forfeit || s.Current() != nil {
				t.Errorf("%s: won by %d at %v, over %v: %+v", name, s.Winner, s.Score, s.Over, s.Last())
			}
			s.Forfeited(winner.Other())
			m := s.Record(About{Drops: match.DropByPosition})
			if g := m.Games[len(m.Games)-1]; g.Comment != Forfeit || m.FinalScore() != want {
				t.Errorf("%s: %q at %v", name, g.Comment, m.FinalScore())
			}
			for format, f := range map[string]struct {
				write func(io.Writer, *record.Match) error
				read  func(io.Reader) (*record.Match, []record.Warning, error)
			}{"sgf": {sgf.Write, sgf.Read}, "oldmoves": {oldmoves.Write, oldmoves.Read}} {
				var b bytes.Buffer
				if err := f.write(&b, m); err != nil {
					t.Fatal(err)
				}
				text := b.String()
				got, warns, err := f.read(&b)
				if err != nil || len(warns) > 0 || got.FinalScore() != want || len(got.Games) != len(m.Games) {
					t.Errorf("%s as %s: %v, %v\n%s", name, format, err, warns, text)
				}
			}
		}
	}
}
