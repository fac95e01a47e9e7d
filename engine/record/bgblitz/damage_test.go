package bgblitz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/engine/record/sgf"
)

// document writes a match as the description of the format says.
func document(m *record.Match) map[string]any {
	sign := [2]int{-1, 1}
	final := m.FinalScore()
	var games []any
	for i := range m.Games {
		g := &m.Games[i]
		var moves []any
		add := func(player int, more map[string]any) {
			more["type"], more["player"] = "amove", sign[player]
			if more["from"] == nil {
				more["from"], more["to"] = []any{-1}, []any{-1}
			}
			moves = append(moves, more)
		}
		for t := range m.Turns(g) {
			switch t.Action.Kind {
			case record.Double:
				accepted := t.Index+1 < len(g.Actions) && g.Actions[t.Index+1].Kind == record.Take
				add(t.Player, map[string]any{"equity": map[string]any{"cubeDecision": map[string]any{"hasDoubled": true, "hasAccepted": accepted}}})
			case record.Take, record.Drop:
				add(t.Player, map[string]any{})
			case record.Move:
				d := t.Action.Dice
				if t.Play.N == 0 {
					add(t.Player, map[string]any{"red": 0, "green": 0, "from": []any{int(d.A)}, "to": []any{int(d.B)}, "dancingEquity": -0.1})
					continue
				}
				var from, to []any
				for _, st := range t.Play.Steps[:t.Play.N] {
					from, to = append(from, int(st.From)+1), append(to, max(int(st.To)+1, 0))
				}
				add(t.Player, map[string]any{"red": int(d.A), "green": int(d.B), "from": append(from, -1), "to": append(to, -1)})
			}
		}
		games = append(games, map[string]any{"scoreGreen": g.Score[0], "scoreRed": g.Score[1], "isCrawford": g.Crawford, "wonPoints": g.Result.Points,
			"wasResignation": g.Result.Resigned, "wasForfeit": false, "moves": moves})
	}
	return map[string]any{"matchlen": m.Length, "nameGreen": "anna", "nameRed": "bert", "useCube": true, "useCrawford": m.Rules.Crawford, "useJacoby": m.Rules.Jacoby,
		"finalGreen": final[0], "finalRed": final[1], "games": games}
}

// TestRead_damage edits matches inside their file. The reader must report whatever is then
// missing or different.
func TestRead_damage(t *testing.T) {
	n := recordtest.Damages(t, 15)
	read := func(doc any) (recordtest.Reading, []record.Warning, error) {
		b, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		m, ws, err := Read(bytes.NewReader(pack(b, "gzip")))
		if err != nil {
			return recordtest.Reading{}, ws, err
		}
		return recordtest.Sum([]*record.Match{m}), ws, nil
	}
	for _, file := range recordtest.Samples(t, "match[357].sgf") {
		m, _, err := sgf.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, before, err := read(document(m))
		if own := recordtest.Sum([]*record.Match{m}); err != nil || len(before) > 0 || own.Less(want, 0, 0) != "" {
			t.Fatalf("%s: %v %v %s", file, err, before, own.Less(want, 0, 0))
		}
		for k := range n {
			r := rand.New(rand.NewPCG(17, uint64(k)))
			doc := document(m)
			what, gone, changed := hurt(r, doc)
			got, ws, err := read(doc)
			if err != nil || len(ws) > 0 {
				continue
			}
			if lost := want.Less(got, gone, changed); lost != "" {
				t.Errorf("%s, damage %d: %s: %s", file, k, what, lost)
			}
		}
	}
}

// hurt damages a document in one place, and says what may be gone and different then.
func hurt(r *rand.Rand, doc map[string]any) (what string, gone, changed int) {
	games := doc["games"].([]any)
	g := games[r.IntN(len(games))].(map[string]any)
	moves := g["moves"].([]any)
	i := r.IntN(len(moves) - 1)
	m := moves[i].(map[string]any)
	switch r.IntN(9) {
	case 0:
		g["moves"] = slices.Delete(moves, i, i+1)
		return fmt.Sprintf("record %d lost", i), 2, 0
	case 1:
		g["moves"] = slices.Insert(moves, i, moves[i])
		return fmt.Sprintf("record %d doubled", i), 0, 0
	case 2:
		moves[i], moves[i+1] = moves[i+1], moves[i]
		return fmt.Sprintf("records %d and %d exchanged", i, i+1), 0, 0
	case 3:
		moves[i] = pickOne[any](r, nil, "x", 3, map[string]any{})
		return fmt.Sprintf("record %d is %v", i, moves[i]), 0, 1
	case 4:
		k := pickOne(r, "player", "red", "green", "from", "to", "equity", "dancingEquity")
		delete(m, k)
		return fmt.Sprintf("record %d without %s", i, k), 0, 1
	case 5:
		k := pickOne(r, "player", "red", "green")
		if v, ok := m[k].(int); ok {
			m[k] = v + pickOne(r, -1, 1, 2)
		}
		return fmt.Sprintf("record %d with %s of %v", i, k, m[k]), 0, 1
	case 6:
		k := pickOne(r, "from", "to")
		if l := m[k].([]any); len(l) > 0 {
			l[r.IntN(len(l))] = r.IntN(board.Bar + 2)
		}
		return fmt.Sprintf("record %d with %s of %v", i, k, m[k]), 0, 1
	case 7:
		k := pickOne(r, "moves", "scoreGreen", "scoreRed", "wonPoints")
		delete(g, k)
		return "a game without " + k, 0, 0
	}
	if k := r.IntN(len(games)); len(games) > 1 {
		games[k] = pickOne[any](r, nil, "x")
		return fmt.Sprintf("game %d is not a game", k), 0, 0
	}
	return "", 0, 0
}

func pickOne[T any](r *rand.Rand, v ...T) T { return v[r.IntN(len(v))] }
