package explain

import (
	"cmp"
	"slices"

	"fibsbot/engine/board"
)

// The kinds of facts about plays. Figures are those of the play that the fact speaks of and of
// the other play; rolls are throws of 36.
const (
	Hit           Kind = "hit"            // checkers hit
	Point         Kind = "point"          // own points made
	Break         Kind = "break"          // own points broken
	Prime         Kind = "prime"          // longest block before checkers of the opponent, in points
	Anchor        Kind = "anchor"         // an anchor made, kept or given up
	Split         Kind = "split"          // rolls that make an advanced anchor, after parting the back checkers
	AnchorRolls   Kind = "anchor_rolls"   // rolls that make an advanced anchor
	Slot          Kind = "slot"           // rolls that cover a blot put on a point
	Builder       Kind = "builder"        // rolls that make a point
	HitRolls      Kind = "hit_rolls"      // rolls that hit
	Escape        Kind = "escape"         // back checkers left: from the opponent's bar point on, and on the bar
	EscapeRolls   Kind = "escape_rolls"   // rolls that bring one of these out
	Edge          Kind = "edge"           // checkers at the edge of the opponent's prime
	Shots         Kind = "shots"          // the opponent's rolls whose best play hits
	Enter         Kind = "enter"          // the opponent's rolls that stay on the bar
	Timing        Kind = "timing"         // rolls that break a point at home
	Off           Kind = "off"            // checkers borne off
	Waste         Kind = "waste"          // pips wasted
	Gammon        Kind = "gammon"         // gammons won, share of games
	GammonAgainst Kind = "gammon_against" // gammons lost, share of games
	Wins          Kind = "wins"           // games won, share
	Rolls         Kind = "rolls"          // the opponent's rolls that hold most of the difference
)

// The kinds of facts about the cube. Figures are chances of the player on roll, unless the kind
// says otherwise.
const (
	Market     Kind = "market"      // throws that lose the market
	Volatility Kind = "volatility"  // standard deviation of the equity after the roll, EMG
	TakePoint  Kind = "take_point"  // chance of the opponent, and what a take needs
	Window     Kind = "window"      // chance, and that from which a double is right
	GammonRate Kind = "gammon_rate" // share of the games won that are gammons
	TooGood    Kind = "too_good"    // equity of playing on, and of a pass
	LastCube   Kind = "last_cube"   // the opponent cannot use the cube after a take
	Recube     Kind = "recube"      // chance that a take needs with a dead cube, and with the cube in use
	Answer     Kind = "answer"      // equity of a take and of a pass, of the taker
	Price      Kind = "price"       // what a gammon adds to a win; 1 in money play
	Woolsey    Kind = "woolsey"     // double/take and double/pass, EMG
	Percent    Kind = "8-9-12"      // race lead in hundredths of the leader's pips
	Kleinman   Kind = "kleinman"    // Kleinman's metric
	Thorp      Kind = "thorp"       // Thorp's counts, player on roll first
)

// Fact is one thing that two plays differ in, or that bears on a cube action.
type Fact struct {
	Kind Kind
	// For is 1 for a fact that speaks for the better play or the right action, -1 against it. The
	// fact is about the play that it speaks for.
	For     int
	Figures [2]float64
	// Points are those it is about, 1 to 24, seen by the player who decides.
	Points []int
	// Made of an Anchor reports that it is new; otherwise the other play gives it up.
	Made bool
	// Rolls are the throws that Figures count after either play, nil without.
	Rolls [2][]board.Dice
	// Share is the part of the difference that it explains, by the measure of the package
	// comment: near 1 for all, below 0 for facts against.
	Share float64
}

// Reason is what explains a decision, the facts that explain most first.
type Reason struct {
	Facts []Fact
	// Best and Other are the plays in notation, empty for the cube.
	Best, Other string
	// Diff is how much better the best play is, EMG.
	Diff float64
	// chances of the mover after either play, for the figures of the text
	win, gammon, lost [2]float64
	cube, taker       bool // of a cube action; of the answer to a double
}

const (
	// closeDiff is the difference in EMG below which plays are called close.
	closeDiff = 0.01
	// same is the difference in EMG that is written as 0.
	same = 0.0005
	// clear is the least Share of a fact that stands out, clearAgainst of one against.
	clear, clearAgainst = 0.12, -0.3
)

// Close reports whether the plays are about equal.
func (r *Reason) Close() bool { return !r.cube && r.Diff < closeDiff }

// sort puts the facts that explain most first, games won behind them, those against the better play last.
func (r *Reason) sort() {
	slices.SortStableFunc(r.Facts, func(a, b Fact) int {
		return cmp.Or(cmp.Compare(b.For, a.For), cmp.Compare(figure(a), figure(b)), cmp.Compare(float64(b.For)*b.Share, float64(a.For)*a.Share))
	})
}

// figure is 1 for games won, which put the difference into a figure and give no reason, and 0 for others.
func figure(f Fact) int {
	if f.Kind == Wins {
		return 1
	}
	return 0
}

// told are the facts of the short form: the first two that stand out, three to a taker, and the strongest against.
func (r *Reason) told() (pro []Fact, con *Fact) {
	most := 2
	if r.taker {
		most = 3
	}
	for i := range r.Facts {
		f := &r.Facts[i]
		switch {
		case f.Kind == Wins, f.Kind == Volatility && len(pro) > 0:
		case f.For > 0 && (f.Share >= clear || r.cube) && len(pro) < most:
			pro = append(pro, *f)
		case f.For < 0 && con == nil && f.Share <= clearAgainst:
			con = f
		}
	}
	return pro, con
}
