package archivetest

import (
	"strings"
	"testing"
)

// TestSame has games that an incomplete game may and may not equal.
func TestSame(t *testing.T) {
	played := []string{"1 rolls {3 1} plays to A", "0 rolls {6 1} plays to B", "1 double", "0 take", "1 rolls {2 2} plays to C",
		"0 rolls {6 5} plays to C", "1 rolls {4 1} plays to D", "0 rolls {4 3} plays to E"}
	for _, tt := range []struct {
		name string
		acts string // numbers in played; a capital letter is a board that is shown
		want int    // incomplete games, -1 if not the same
	}{
		{"whole", "0 1 2 3 4 5 6 7", -1}, // but marked as incomplete
		{"the end is missing", "0 1 2 3 4", 1},
		{"the middle is missing", "0 1 2 3 C1 6 7", -1}, // the cube is at 2
		{"the middle is missing, the cube is right", "0 1 2 3 C2 6 7", 1},
		{"a dance is missing", "0 1 2 3 4 C2 6 7", 1},
		{"the middle and the end", "0 1 2 3 C2 6", 1},
		{"no board behind the hole", "0 1 2 3 6 7", -1},
		{"another board", "0 1 2 3 D2 6 7", -1},
		{"another order", "0 1 2 3 C2 7 6", -1},
		{"our double is missing", "0 B1 3 4 5 6 7", -1},
		{"our double is missing with more", "0 C2 5 6 7", -1},
		{"the end with our double is missing", "0 1", -1},
		{"the start is missing", "B1 2 3 4 5 6 7", 1},
		{"something that was not played", "0 1 2 3 4 5 6 7 7", -1},
	} {
		g := Game{Incomplete: true}
		for _, w := range strings.Fields(tt.acts) {
			if at := w[0] - '0'; at < 10 {
				g.Acts = append(g.Acts, played[at])
			} else {
				g.Acts = append(g.Acts, shown+w[:1]+" cube "+w[1:])
			}
		}
		got, ok := Same(Match{Games: []Game{{Acts: played}}}, Match{Games: []Game{g}})
		if !ok {
			got = -1
		}
		if got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	whole := Match{Games: []Game{{Acts: played}}}
	if short, ok := Same(whole, whole); short != 0 || !ok {
		t.Errorf("equal: %d, %v", short, ok)
	}
}
