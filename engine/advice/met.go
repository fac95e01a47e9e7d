package advice

import (
	"fmt"
	"strings"

	"fibsbot/engine/match"
)

// Conversion is what equities and match winning chances are of each other at a score:
// the document of `fibsbot met eq2mwc` and `met mwc2eq`. Use NewConversion.
type Conversion struct {
	Table    string      `json:"table"`
	Length   int         `json:"length"`
	Score    [2]int      `json:"score"`
	Cube     int         `json:"cube"`
	Owner    string      `json:"owner"`
	Crawford bool        `json:"crawford"`
	Win      float64     `json:"mwc_win"`  // after winning singly at this cube
	Lose     float64     `json:"mwc_lose"` // after losing so
	Values   []Converted `json:"values"`

	table *match.Table
	state match.State
}

// Converted is one value in both forms: an equity (EMG) of the player on roll and his
// match winning chance. The standard errors are nil where none was given.
type Converted struct {
	Equity    float64  `json:"equity"`
	MWC       float64  `json:"mwc"`
	EquityErr *float64 `json:"equity_stderr,omitempty"`
	MWCErr    *float64 `json:"mwc_stderr,omitempty"`
}

// NewConversion converts by t at s, a state of a match before any double is taken.
func NewConversion(t *match.Table, s match.State) *Conversion {
	return &Conversion{Table: t.Name, Length: s.Length, Score: s.Score, Cube: s.Cube, Owner: ownerNames[s.Owner],
		Crawford: s.Crawford, Win: t.After(s, s.Cube), Lose: t.After(s, -s.Cube), table: t, state: s}
}

// ownerNames are the places of the cube in the spelling of Overrides, by match.Owner.
var ownerNames = [...]string{match.Centred: "centre", match.Mine: "me", match.Theirs: "opponent"}

// AddEquity adds an equity with its standard error, nil for none, and returns what it is.
func (c *Conversion) AddEquity(equity float64, stderr *float64) Converted {
	v := Converted{Equity: equity, MWC: c.table.MWC(c.state, equity), EquityErr: stderr}
	if stderr != nil {
		e := *stderr * c.table.MWCPerEMG(c.state)
		v.MWCErr = &e
	}
	c.Values = append(c.Values, v)
	return v
}

// AddChance adds a match winning chance as AddEquity adds an equity.
func (c *Conversion) AddChance(mwc float64, stderr *float64) Converted {
	v := Converted{Equity: c.table.EMG(c.state, mwc), MWC: mwc, MWCErr: stderr}
	if stderr != nil {
		e := *stderr / c.table.MWCPerEMG(c.state)
		v.EquityErr = &e
	}
	c.Values = append(c.Values, v)
	return v
}

// Possible reports whether a position may have this equity at this score: the chance is
// one between 0 and 1.
func (v Converted) Possible() bool { return v.MWC >= -1e-9 && v.MWC <= 1+1e-9 }

// Text is what people read.
func (c *Conversion) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d-%d to %d, cube %d", c.Score[0], c.Score[1], c.Length, c.Cube)
	if c.Crawford {
		b.WriteString(", Crawford game")
	}
	fmt.Fprintf(&b, ", %s: losing singly %.3f %%, winning singly %.3f %%\n", c.Table, 100*c.Lose, 100*c.Win)
	for _, v := range c.Values {
		b.WriteString("equity " + equity(v.Equity))
		if v.EquityErr != nil {
			fmt.Fprintf(&b, " +- %.4f", *v.EquityErr)
		}
		fmt.Fprintf(&b, "  match winning chance %.3f %%", 100*v.MWC)
		if v.MWCErr != nil {
			fmt.Fprintf(&b, " +- %.3f %%", 100**v.MWCErr)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// MatchTable is a match equity table up to some length, the document of `fibsbot met
// show`: chances to win the match before a game begins.
type MatchTable struct {
	Table       string      `json:"table"`
	Description string      `json:"description"`
	Published   int         `json:"published"`
	Pre         [][]float64 `json:"pre_crawford"`  // [needs of the player - 1][needs of the opponent - 1]
	Post        []float64   `json:"post_crawford"` // of the trailer, by his needs - 1
}

// MatchTableOf is t up to a length of 1 to match.MaxLength points.
func MatchTableOf(t *match.Table, length int) MatchTable {
	m := MatchTable{Table: t.Name, Description: t.Description, Published: t.Published}
	for me := 1; me <= length; me++ {
		row := make([]float64, length)
		for opp := range row {
			row[opp] = t.Equity(me, opp+1, false)
		}
		m.Pre = append(m.Pre, row)
		m.Post = append(m.Post, t.Equity(me, 1, true))
	}
	return m
}

// Text is what people read, in percent.
func (m *MatchTable) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\nneeds  ", m.Table, m.Description)
	for opp := range m.Pre {
		fmt.Fprintf(&b, "%6d", opp+1)
	}
	b.WriteString("\n")
	for me, row := range m.Pre {
		fmt.Fprintf(&b, "%5d  ", me+1)
		for _, v := range row {
			fmt.Fprintf(&b, "%6.2f", 100*v)
		}
		b.WriteString("\n")
	}
	b.WriteString(" post  ")
	for _, v := range m.Post {
		fmt.Fprintf(&b, "%6.2f", 100*v)
	}
	b.WriteString("\n")
	return b.String()
}
