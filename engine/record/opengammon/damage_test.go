package opengammon

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/sgf"
)

// plies are those of a game, each with its bytes.
func plies(m *record.Match, g *record.Game) (out [][]byte) {
	for t := range m.Turns(g) {
		seat := byte(t.Player << 6)
		switch t.Action.Kind {
		case record.Double:
			out = append(out, []byte{double | seat})
		case record.Take:
			out = append(out, []byte{take | seat})
		case record.Drop:
			out = append(out, []byte{drop | seat})
		case record.Move:
			var steps []int
			for _, st := range t.Play.Steps[:t.Play.N] {
				from, pips := int(st.From)+1, int(st.From-max(st.To, board.Off))
				if t.Player == 0 {
					from = board.Bar + 1 - from
				}
				steps = append(steps, from, pips)
			}
			d := t.Action.Dice.Sorted()
			out = append(out, roll(t.Player, int(d.B), int(d.A), steps...))
		}
	}
	if g.Result.Resigned {
		k := 0
		if st := record.NewReplay(m, g); st != nil {
			for ok := true; ok; {
				_, ok = st.Next()
			}
			k = g.Result.Points / st.State(0).Cube
		}
		out = append(out, append([]byte{byte(resignGame | (1-g.Result.Winner)<<6 | 0x80)}, rec(2, k)...))
	}
	return out
}

func written(m *record.Match, games [][][]byte) []byte {
	final := m.FinalScore()
	parts := [][]byte{section("MTCH", true, rec(1|2|4|32, m.Length, 0, "anna", "bert", 1, final[0], final[1]))}
	for i, g := range games {
		r := m.Games[i].Result
		parts = append(parts, section("GAME", true, append(rec(1|2, r.Winner, r.Points), bytes.Join(g, nil)...)))
	}
	return file(parts...)
}

// TestRead_damage edits matches inside their file. The reader must report whatever is then
// missing or different.
func TestRead_damage(t *testing.T) {
	n := recordtest.Damages(t, 15)
	read := func(in []byte) (recordtest.Reading, []record.Warning, error) {
		m, ws, err := Read(bytes.NewReader(in))
		if err != nil {
			return recordtest.Reading{}, ws, err
		}
		return recordtest.Sum([]*record.Match{m}), ws, nil
	}
	for _, name := range recordtest.Samples(t, "match[357].sgf") {
		m, _, err := sgf.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		whole := func() (out [][][]byte) {
			for i := range m.Games {
				out = append(out, plies(m, &m.Games[i]))
			}
			return out
		}
		want, before, err := read(written(m, whole()))
		if own := recordtest.Sum([]*record.Match{m}); err != nil || len(before) > 0 || own.Less(want, 0, 0) != "" {
			t.Fatalf("%s: %v %v %s", name, err, before, own.Less(want, 0, 0))
		}
		for k := range n {
			r := rand.New(rand.NewPCG(18, uint64(k)))
			games := whole()
			i := r.IntN(len(games))
			g := games[i]
			p := r.IntN(len(g) - 1)
			what, gone, changed := "", 0, 0
			switch r.IntN(7) {
			case 0:
				what, gone = "ply lost", 1
				games[i] = append(g[:p:p], g[p+1:]...)
			case 1:
				what = "ply doubled"
				games[i] = append(g[:p:p], g[max(p-1, 0):]...)
			case 2:
				what = "plies exchanged"
				g[p], g[p+1] = g[p+1], g[p]
			case 3:
				what, gone = "game lost", len(g)+1
				games[i] = nil
			default:
				k := r.IntN(len(g[p]))
				old := g[p][k]
				g[p][k] ^= 1 << r.IntN(8)
				what, changed = fmt.Sprintf("byte %d of ply %d: %02x, not %02x", k, p, g[p][k], old), 1
			}
			got, ws, err := read(written(m, games))
			if err != nil || len(ws) > 0 {
				continue
			}
			if lost := want.Less(got, gone, changed); lost != "" {
				t.Errorf("%s, damage %d, game %d: %s: %s", name, k, i, what, lost)
			}
		}
	}
}
