package mat

import (
	"fmt"
	"strings"
	"testing"

	"fibsbot/engine/match"
)

// What servers count for a pass follows from a tag, or from points that no other rule explains.
func TestRead_priceOfAPass(t *testing.T) {
	game := func(n, ours int, words string) string {
		return fmt.Sprintf(" Game %d\n anna : %d                       bert : 0\n  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops                       %s\n", n, ours, words) +
			"\n"
	}
	for _, c := range []struct {
		name, text string
		want       match.DropRule
		points     int // of the last game
	}{
		{"the usual price", " 7 point match\n\n" + game(1, 0, "Wins 1 point"), match.DropSingle, 1},
		{"three points for a first double", " 7 point match\n\n" + game(1, 0, "Wins 3 points"), match.DropByPosition, 3},
		{"which win the match", " 3 point match\n\n" + game(1, 0, "Wins 3 points"), match.DropByPosition, 3},
		{"the rule is named", "; [Drops \"ByPosition\"]\n 7 point match\n\n" + game(1, 0, "Wins"), match.DropByPosition, 3},
		{"a name of no rule", "; [Drops \"Twice\"]\n 7 point match\n\n" + game(1, 0, "Wins"), match.DropSingle, 1},
		{"points of no rule", " 7 point match\n\n" + game(1, 0, "Wins 2 points"), match.DropSingle, 1},
		{"games that disagree", " 7 point match\n\n" + game(1, 0, "Wins 3 points") + game(2, 0, "Wins 1 point"), match.DropSingle, 1},
		{"money", " 0 point match\n\n" + game(1, 0, "Wins 3 points"), match.DropSingle, 1},
	} {
		m, _, err := Read(strings.NewReader(c.text))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := m.Games[len(m.Games)-1].Result; m.Rules.Drops != c.want || got.Points != c.points || got.Winner != 1 || got.Resigned {
			t.Errorf("%s: rule %d, %+v, want %d and %d points", c.name, m.Rules.Drops, got, c.want, c.points)
		}
	}
}
