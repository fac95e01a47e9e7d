package nn

import (
	"math"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/board"

	"github.com/google/go-cmp/cmp"
)

func raceInputs(p board.Position) (me, opp [SideRaceDense]float32) {
	var f Features
	new(RaceEncoder).Encode(&p, &f)
	return [SideRaceDense]float32(f.Dense[:SideRaceDense]), [SideRaceDense]float32(f.Dense[SideRaceDense:NumRaceDense])
}

func TestRaceEncode_namedPositions(t *testing.T) {
	tests := []struct {
		name    string
		me, opp map[int]uint8
		want    map[int]float32 // of the player on roll
	}{
		{
			name: "five checkers on the ace point cost 7 pips each and 1",
			me:   map[int]uint8{1: 5}, opp: map[int]uint8{6: 1},
			want: map[int]float32{RacePips: 5. / 120, RaceEffective: 36. / 130, RaceCheckers: 5. / 15, RaceGaps: 5. / 6,
				RaceLow: 5. / 12, RaceStack: 2. / 10, RaceCrossings: 5. / 35, RaceSave: 0, RaceHomePips: 0},
		},
		{
			name: "fifteen checkers smoothly at home waste 7 pips",
			me:   map[int]uint8{6: 5, 5: 5, 4: 5}, opp: map[int]uint8{6: 7},
			want: map[int]float32{RacePips: 75. / 120, RaceEffective: 106. / 130, RaceGaps: 0.5, RaceSave: 4. / 70},
		},
		{
			name: "a long way home",
			me:   map[int]uint8{8: 10, 12: 4, 3: 1}, opp: map[int]uint8{6: 7, 8: 8},
			// 10 * 2 + 4 * 6 pips home and 3 more to bear off the foremost checker.
			want: map[int]float32{RaceHomePips: 44. / 60, RaceSave: 47. / 70, RaceCrossings: (10*2 + 4*2 + 1) / 35., RaceBackPips: 0},
		},
		{
			name: "still in the opponent's home",
			me:   map[int]uint8{20: 1, 19: 1, 1: 13}, opp: map[int]uint8{1: 3},
			want: map[int]float32{RaceBackPips: 3. / 20, RaceLead: 0},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := board.Position{Me: points(tt.me), Opp: points(tt.opp)}
			if err := p.Validate(); err != nil || p.Contact() {
				t.Fatalf("no race: %v", err)
			}
			me, _ := raceInputs(p)
			for i, w := range tt.want {
				if math.Abs(float64(me[i]-w)) > 1e-6 {
					t.Errorf("%s = %v, want %v", raceNames[i], me[i], w)
				}
			}
		})
	}
}

func TestRaceEncode_evenRaceFavoursThePlayerOnRoll(t *testing.T) {
	even := map[int]uint8{6: 5, 5: 5, 4: 5}
	me, opp := raceInputs(board.Position{Me: points(even), Opp: points(even)})
	if me[RaceChance] < 0.6 || me[RaceChance] > 0.85 {
		t.Errorf("chance of the player on roll in a 75-pip race %v", me[RaceChance])
	}
	if s := me[RaceChance] + opp[RaceChance]; math.Abs(float64(s)-1) > 1e-6 {
		t.Errorf("the two chances sum to %v", s)
	}
}

func TestRaceEncode_theOtherPlayersViewSwapsAllButTheTempo(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	seen := 0
	for range 3000 {
		p := randomPosition(r)
		if p.Contact() {
			continue
		}
		seen++
		a, b := raceInputs(p)
		d, c := raceInputs(p.Swap())
		for i := range a {
			if i == RaceChance || i == RaceGammonChance {
				if a[i] < c[i] || d[i] < b[i] {
					t.Fatalf("%+v: %s is better without the roll", p, raceNames[i])
				}
				continue
			}
			if a[i] != c[i] || b[i] != d[i] {
				t.Fatalf("%+v: %s changes with the roll", p, raceNames[i])
			}
		}
	}
	if seen < 100 {
		t.Fatalf("only %d races among the positions", seen)
	}
}

func TestRaceEncode_rowsHaveNames(t *testing.T) {
	p := board.Position{Me: points(map[int]uint8{1: 9, 24: 2}), Opp: points(nil)}
	var f Features
	new(RaceEncoder).Encode(&p, &f)
	var got []string
	for _, r := range f.Rows(nil, true) {
		got = append(got, raceInputName(int(r)))
	}
	want := []string{"me 1 point, 8 or more checkers", "me 24 point, 2 checkers", "me 4 off", "opponent 15 off"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := raceInputName(NumRaceInputs - 1); got != "opponent crossings" {
		t.Errorf("the last row is %q", got)
	}
	seen := map[string]bool{}
	for row := range NumInputs {
		if n := inputName(row); seen[n] {
			t.Errorf("two rows are called %q", n)
		} else {
			seen[n] = true
		}
	}
}

// An encoder that has encoded other positions returns the same inputs as a new one.
func TestRaceEncode_memoryChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	var used RaceEncoder
	var p board.Position
	side := func() (c board.Checkers) {
		for range r.IntN(board.MaxCheckers + 1) {
			c[r.IntN(24)]++
		}
		return c
	}
	for range 20000 {
		if r.IntN(2) == 0 {
			p.Me = side()
		} else {
			p.Opp = side()
		}
		var got, want Features
		used.Encode(&p, &got)
		new(RaceEncoder).Encode(&p, &want)
		if got != want {
			t.Fatalf("%+v: %v, a new encoder says %v", p, got.Dense, want.Dense)
		}
	}
}
