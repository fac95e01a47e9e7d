package play

import (
	"errors"
	"slices"
	"testing"
)

// kindsOf are the kinds of the acts of this game, without rolls.
func kindsOf(m *Match) (out []Kind) {
	for _, a := range m.View().Acts {
		if a.Kind != Roll && a.Kind != Start {
			out = append(out, a.Kind)
		}
	}
	return out
}

func TestCorrect_cube(t *testing.T) {
	begin := []Act{byHand(3, 1), moved("8/5 6/5"), byHand(6, 4), moved("24/14")}
	double := Act{Kind: Double}
	for _, tt := range []struct {
		name string
		acts []Act
		c    Correction
		want []Kind
		cube int
		on   Phase
		err  error
	}{
		{"a take was a pass", []Act{double, {Kind: Take}}, Correction{Act: 5, Kind: Drop}, []Kind{Move, Move, Double, Drop}, 1, GameOver, nil},
		{"a take was a pass, and the game went on", []Act{double, {Kind: Take}, byHand(2, 1), moved("13/10")}, Correction{Act: 5, Kind: Drop}, nil, 0, "", ErrLater},
		{"a take was a pass, and the rest goes", []Act{double, {Kind: Take}, byHand(2, 1), moved("13/10")}, Correction{Act: 5, Kind: Drop, Cut: true}, []Kind{Move, Move, Double, Drop}, 1, GameOver, nil},
		{"a pass was a take", []Act{double, {Kind: Drop}}, Correction{Act: 5, Kind: Take}, []Kind{Move, Move, Double, Take}, 2, ToRoll, nil},
		{"there was no double", []Act{double, {Kind: Take}, byHand(2, 1), moved("13/10")}, Correction{Act: 4, Remove: true}, []Kind{Move, Move, Move}, 1, ToRoll, nil},
		{"a double was forgotten", []Act{byHand(2, 1), moved("13/10")}, Correction{Act: 5, Doubled: true}, []Kind{Move, Move, Double, Take, Move}, 2, ToRoll, nil},
		{"a double was forgotten, and the play was another", []Act{byHand(2, 1), moved("13/10")}, Correction{Act: 5, Doubled: true, Play: ptr("13/11 6/5")}, []Kind{Move, Move, Double, Take, Move}, 2, ToRoll, nil},
		{"no double before the opening", nil, Correction{Act: 1, Doubled: true}, nil, 0, "", ErrNotNow},
		{"a double without the cube", []Act{double, {Kind: Take}, byHand(2, 1), moved("6/3"), byHand(6, 5), moved("14/3"), byHand(2, 1), moved("6/3")}, Correction{Act: 11, Doubled: true}, nil, 0, "", ErrNotNow},
		{"a play is not an answer", nil, Correction{Act: 3, Kind: Drop}, nil, 0, "", ErrNotNow},
		{"a roll is not an answer", []Act{double, {Kind: Take}}, Correction{Act: 5, Kind: Roll}, nil, 0, "", ErrNotNow},
		{"a take is not a double", []Act{double, {Kind: Take}}, Correction{Act: 5, Remove: true}, nil, 0, "", ErrNotNow},
		{"no beaver in a match", []Act{double, {Kind: Take}}, Correction{Act: 5, Kind: Beaver}, nil, 0, "", ErrNotNow},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := recorded(t, Options{Length: 5}, append(begin[:len(begin):len(begin)], tt.acts...)...)
			before := kindsOf(m)
			err := m.Correct(tt.c, -1)
			if !errors.Is(err, tt.err) {
				t.Fatalf("%v, want %v", err, tt.err)
			}
			want := tt.want
			if err != nil {
				want = before
			}
			v := m.View()
			if got := kindsOf(m); !slices.Equal(got, want) || err == nil && (v.Cube != tt.cube || v.Phase != tt.on) {
				t.Errorf("%v, cube %d, %s; want %v, cube %d, %s", got, v.Cube, v.Phase, want, tt.cube, tt.on)
			}
		})
	}
}

func ptr(text string) *string { return &text }
