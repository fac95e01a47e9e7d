package human

import "strings"

// Character is how the errors of a player lean, at any amount.
type Character string

// The characters. Plain is the average of real players.
const (
	Plain   Character = ""
	Bold    Character = "bold"
	Careful Character = "careful"
	Racer   Character = "racer"
)

// Characters lists the characters except Plain.
func Characters() []Character { return []Character{Bold, Careful, Racer} }

// CharacterNames lists the names of Characters for a sentence.
func CharacterNames() string {
	var names []string
	for _, c := range Characters() {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}

// Summary says in one line what a character does wrong.
func (c Character) Summary() string {
	switch c {
	case Bold:
		return "hits loose and leaves shots, doubles early and takes too much"
	case Careful:
		return "never leaves a shot that can be helped, doubles late and passes too much"
	case Racer:
		return "runs for home, gives up anchors and blocks, and misjudges contact"
	}
	return "errs as the average player of its rating"
}

// lean is what a character adds: to the weights of features, and to the log odds of doubling and
// taking. factor is the amount at which it is as strong as Plain at amount 1.
type lean struct {
	natural      Features
	double, take float64
	factor       float64
}

// Factor is by how much the amounts of the character are multiplied to be as strong as Plain.
func (c Character) Factor() float64 { return c.lean().factor }

var leans = map[Character]*lean{
	Plain: {factor: 1},
	Bold: {
		natural: Features{featHit: 0.5, featLooseHit: 0.8, featHomePoint: 0.2, featShot: 0.55, featBackShot: 0.3, featEscape: -0.2, featSources: 0.25},
		double:  0.9, take: 1, factor: 0.91,
	},
	Careful: {
		natural: Features{featHit: -0.3, featLooseHit: -0.8, featShot: -0.55, featBackShot: -0.3, featStack: 0.2, featPointBroken: -0.3, featAnchorLost: -0.5},
		double:  -0.7, take: -1, factor: 0.8,
	},
	Racer: {
		natural: Features{featEscape: 0.9, featAnchorLost: 0.8, featAnchor: -0.4, featBlockPoint: -0.3, featPrime: -0.3, featPointBroken: 0.3, featHomePoint: -0.2, featStack: 0.15},
		double:  0.2, take: -0.2, factor: 0.9,
	},
}

// lean returns that of the character; an unknown one is Plain.
func (c Character) lean() *lean {
	if l := leans[c]; l != nil {
		return l
	}
	return leans[Plain]
}

// Known reports whether there is such a character.
func (c Character) Known() bool { return leans[c] != nil }
