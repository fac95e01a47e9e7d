package collection

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fibsbot/engine/match"
)

// Structure describes positions, as the player to decide sees them; zero fields do not
// restrict.
type Structure struct {
	// Made and TheirMade are points that the player and the opponent hold with two or more
	// checkers, each by the owner's own numbers.
	Made      []int `json:"made,omitempty"`
	TheirMade []int `json:"their_made,omitempty"`
	// Back and TheirBack are the number of checkers in the other's home or on the bar, as
	// "2", "2-4" or "3-".
	Back      string `json:"back,omitempty"`
	TheirBack string `json:"their_back,omitempty"`
	// Bar is how many checkers the player has on the bar, TheirBar the opponent.
	Bar      string `json:"bar,omitempty"`
	TheirBar string `json:"their_bar,omitempty"`
	// Lead is by how many pips the player leads, below 0 if he trails, as "8", "-20--5" or
	// "10-".
	Lead string `json:"lead,omitempty"`
	// Score is money, match, dmp, crawford, post-crawford, or points away as "3-5".
	Score string `json:"score,omitempty"`
	// Cube is the value, Owner me, opponent or centre.
	Cube  int    `json:"cube,omitempty"`
	Owner string `json:"owner,omitempty"`
}

// span is a range of numbers.
type span struct{ low, high int }

const far = 1 << 20

// parseSpan reads "3", "3-5", "3-" and "-5--2"; "" is everything.
func parseSpan(field, text string) (span, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return span{-far, far}, nil
	}
	bad := fmt.Errorf("%s: %.20q is not a number or range (use 3, 2-4 or 3-)", field, text)
	if n, err := strconv.Atoi(text); err == nil {
		return span{n, n}, nil
	}
	at := strings.Index(text[1:], "-") + 1
	if at < 1 {
		return span{}, bad
	}
	low, err := strconv.Atoi(text[:at])
	if err != nil {
		return span{}, bad
	}
	if text[at+1:] == "" {
		return span{low, far}, nil
	}
	high, err := strconv.Atoi(text[at+1:])
	if err != nil || high < low {
		return span{}, bad
	}
	return span{low, high}, nil
}

func (s span) has(n int) bool { return n >= s.low && n <= s.high }

// Scores are the names that Structure.Score takes.
var Scores = []string{"money", "match", "dmp", "crawford", "post-crawford"}

// AtScore reports whether a state has the score that name describes, as Structure.Score.
func AtScore(name string, st match.State) (bool, error) {
	me, opp := st.Away()
	switch name {
	case "":
		return true, nil
	case "money":
		return st.Length == 0, nil
	case "match":
		return st.Length > 0, nil
	case "dmp":
		return st.Length > 0 && me == 1 && opp == 1, nil
	case "crawford":
		return st.Length > 0 && st.Crawford, nil
	case "post-crawford":
		return !st.Crawford && match.AtCrawford(st.Length, st.Score), nil
	}
	a, b, ok := strings.Cut(name, "-")
	x, err := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	if !ok || err != nil || err2 != nil || x < 1 || y < 1 {
		return false, fmt.Errorf("score: unknown value %.20q (use %s, or points away as 3-5)", name, strings.Join(Scores, ", "))
	}
	return st.Length > 0 && me == x && opp == y, nil
}

// Matcher returns a function that reports whether a position has the structure. The error
// names the field that cannot be read.
func (q *Structure) Matcher() (func(match.Situation) bool, error) {
	for _, p := range slices.Concat(q.Made, q.TheirMade) {
		if p < 1 || p > 24 {
			return nil, fmt.Errorf("made: there is no point %d (use 1 to 24)", p)
		}
	}
	if _, err := AtScore(q.Score, match.State{}); err != nil {
		return nil, err
	}
	owner, ok := map[string]match.Owner{"": match.Centred, "centre": match.Centred, "me": match.Mine, "opponent": match.Theirs}[q.Owner]
	if !ok {
		return nil, fmt.Errorf("owner: unknown value %.20q (use me, opponent or centre)", q.Owner)
	}
	var spans [5]span
	for i, f := range []struct{ name, text string }{{"back", q.Back}, {"their_back", q.TheirBack}, {"bar", q.Bar}, {"their_bar", q.TheirBar}, {"lead", q.Lead}} {
		var err error
		if spans[i], err = parseSpan(f.name, f.text); err != nil {
			return nil, err
		}
	}
	return func(s match.Situation) bool {
		me, opp := &s.Position.Me, &s.Position.Opp
		made := func(points []int, c *[25]uint8) bool {
			return !slices.ContainsFunc(points, func(p int) bool { return c[p-1] < 2 })
		}
		back := func(c *[25]uint8) (n int) {
			for _, k := range c[18:] {
				n += int(k)
			}
			return n
		}
		at, _ := AtScore(q.Score, s.State)
		return at && made(q.Made, (*[25]uint8)(me)) && made(q.TheirMade, (*[25]uint8)(opp)) &&
			spans[0].has(back((*[25]uint8)(me))) && spans[1].has(back((*[25]uint8)(opp))) &&
			spans[2].has(int(me[24])) && spans[3].has(int(opp[24])) && spans[4].has(opp.Pips()-me.Pips()) &&
			(q.Cube == 0 || max(s.State.Cube, 1) == q.Cube) && (q.Owner == "" || s.State.Owner == owner)
	}, nil
}
