package advice

import (
	"errors"
	"fmt"
	"strings"

	"fibsbot/bearoff"
	"fibsbot/engine/board"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/race"
)

// BearoffSide is what a one-sided database knows of the checkers of one side: rolls until
// they are all off, and until the first is. Rolls and FirstOff are chances by the number
// of rolls, from 0.
type BearoffSide struct {
	Pips      int       `json:"pips"`
	MeanRolls float64   `json:"mean_rolls"`
	StdDev    float64   `json:"std_dev"`
	EPC       float64   `json:"epc"`
	Wastage   float64   `json:"wastage"`
	Rolls     []float64 `json:"rolls"`
	FirstOff  []float64 `json:"first_off"`
	// Approximate says that the chances of rolls were made of mean and variance.
	Approximate bool `json:"approximate"`
}

// Bearoff is what the bearoff databases say about a race, the player on roll first: the
// document of `fibsbot bearoff show`. Probs are win, gammon, backgammon, lost gammon and
// lost backgammon; Equities are nil outside the two-sided databases.
type Bearoff struct {
	PositionID  string            `json:"position_id"`
	Exact       bool              `json:"exact"`
	Approximate bool              `json:"approximate"`
	Probs       [5]float32        `json:"probs"`
	Equities    *bearoff.Equities `json:"equities"`
	OnRoll      *BearoffSide      `json:"on_roll"`
	Opponent    *BearoffSide      `json:"opponent"`
	Kleinman    float64           `json:"kleinman"`
	Thorp       [2]float64        `json:"thorp"`
	Keith       [2]float64        `json:"keith"`
	Ward        [2]float64        `json:"ward"`
	Isight      [2]float64        `json:"isight"`
	Best        *BearoffPlay      `json:"best_play,omitempty"`
}

// BearoffPlay is the play of a roll that wins most often, and the one that needs the
// fewest rolls on average.
type BearoffPlay struct {
	Dice     [2]int  `json:"dice"`
	Move     string  `json:"move"`
	Win      float64 `json:"win"`
	Quickest string  `json:"quickest"`
	QuickWin float64 `json:"quickest_win"`
}

// BearoffOf looks sit up; ok is false where no database knows the position. With a roll
// in sit the plays of it are compared, too.
func BearoffOf(src *bearoff.Source, sit match.Situation) (s Bearoff, ok bool) {
	p := sit.Position
	pr, exact, ok := src.Lookup(&p)
	if !ok {
		return s, false
	}
	s = Bearoff{PositionID: p.ID(), Exact: exact, Probs: pr,
		Kleinman: race.Kleinman(p.Me.Pips(), p.Opp.Pips())}
	if e, ok := src.Equities(&p); ok {
		s.Equities = &e
	}
	for _, c := range []struct {
		out   *[2]float64
		count race.Count
	}{{&s.Thorp, race.Thorp(&p)}, {&s.Keith, race.Keith(&p)}, {&s.Ward, race.Ward(&p)}, {&s.Isight, race.Isight(&p)}} {
		*c.out = [2]float64{c.count.Me, c.count.Opp}
	}
	s.OnRoll, s.Opponent = sideOf(src, &p.Me), sideOf(src, &p.Opp)
	s.Approximate = s.Equities == nil && (s.OnRoll != nil && s.OnRoll.Approximate || s.Opponent != nil && s.Opponent.Approximate)
	one := src.OneSided()
	if sit.Dice.Valid() {
		if best, ok := one.BestPlay(&p, sit.Dice); ok {
			d := sit.Dice.Sorted()
			s.Best = &BearoffPlay{Dice: [2]int{int(d.A), int(d.B)}, Move: board.FormatPlay(p, best.Play), Win: best.Win,
				Quickest: board.FormatPlay(p, best.Quick), QuickWin: best.QuickWin}
		}
	}
	return s, true
}

// sideOf is nil where no one-sided database knows the checkers c.
func sideOf(src *bearoff.Source, c *board.Checkers) *BearoffSide {
	v, ok := src.Side(c)
	if !ok {
		return nil
	}
	return &BearoffSide{Pips: c.Pips(), MeanRolls: v.Mean, StdDev: v.StdDev, EPC: v.EPC, Wastage: v.Wastage,
		Rolls: v.Off, FirstOff: v.First, Approximate: v.Approximate}
}

// Text is what people read.
func (s *Bearoff) Text() string {
	var b strings.Builder
	kind := "from one-sided distributions"
	switch {
	case s.Exact:
		kind = "exact"
	case s.Approximate:
		kind = "from means and variances of rolls"
	}
	fmt.Fprintf(&b, "%s, %s\n", s.PositionID, kind)
	fmt.Fprintf(&b, "win %.3f %%, gammon %.3f %%, lose gammon %.3f %%\n", 100*s.Probs[0], 100*s.Probs[1], 100*s.Probs[3])
	if e := s.Equities; e != nil {
		fmt.Fprintf(&b, "equity cubeless %s, own cube %s, centred %s, opponent's cube %s (no double now)\n",
			equity(e.Cubeless), equity(e.Owned), equity(e.Centred), equity(e.OppOwned))
	}
	if s.OnRoll != nil && s.Opponent != nil {
		fmt.Fprintf(&b, "%-18s %10s %10s\n", "", "on roll", "opponent")
		for _, r := range []struct {
			name     string
			me, oppo float64
		}{
			{"pips", float64(s.OnRoll.Pips), float64(s.Opponent.Pips)},
			{"mean rolls", s.OnRoll.MeanRolls, s.Opponent.MeanRolls},
			{"standard deviation", s.OnRoll.StdDev, s.Opponent.StdDev},
			{"EPC", s.OnRoll.EPC, s.Opponent.EPC}, {"wastage", s.OnRoll.Wastage, s.Opponent.Wastage},
			{"Thorp", s.Thorp[0], s.Thorp[1]}, {"Keith", s.Keith[0], s.Keith[1]}, {"Ward", s.Ward[0], s.Ward[1]}, {"Isight", s.Isight[0], s.Isight[1]},
		} {
			fmt.Fprintf(&b, "%-18s %10.3f %10.3f\n", r.name, r.me, r.oppo)
		}
		for n := range max(len(s.OnRoll.Rolls), len(s.Opponent.Rolls)) {
			at := func(d []float64) float64 {
				if n < len(d) {
					return 100 * d[n]
				}
				return 0
			}
			if max(at(s.OnRoll.Rolls), at(s.Opponent.Rolls)) >= 0.0005 {
				fmt.Fprintf(&b, "%2d rolls            %9.3f%% %9.3f%%\n", n, at(s.OnRoll.Rolls), at(s.Opponent.Rolls))
			}
		}
	}
	if m := s.Best; m != nil {
		fmt.Fprintf(&b, "%d%d: %s wins %.3f %%", m.Dice[0], m.Dice[1], m.Move, 100*m.Win)
		if m.Quickest != m.Move {
			fmt.Fprintf(&b, "; %s is quicker and wins %.3f %%", m.Quickest, 100*m.QuickWin)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "Kleinman: wins %.1f %%\n", 100*s.Kleinman)
	return b.String()
}

// BearoffFile is one database file: the document of `fibsbot bearoff info` and `build`.
type BearoffFile struct {
	Path     string `json:"path"`
	Kind     string `json:"kind"`
	Version  int    `json:"version"`
	Points   int    `json:"points"`
	Checkers int    `json:"checkers"`
	Bytes    int64  `json:"bytes"`
	SHA256   string `json:"sha256"`         // empty for a part
	Part     int    `json:"part,omitempty"` // of Sconyers' database
}

// BearoffFileOf is the document about the file that i describes.
func BearoffFileOf(i bearoff.Info) BearoffFile {
	f := BearoffFile{Path: i.Path, Kind: i.Kind.String(), Version: i.Version, Points: i.Points,
		Checkers: i.Checkers, Bytes: i.Bytes, Part: i.Part}
	if i.Part == 0 {
		f.SHA256 = fmt.Sprintf("%x", i.SHA256)
	}
	return f
}

// Text is what people read, one line.
func (f BearoffFile) Text() string {
	shape := fmt.Sprintf("%s: %s, %d checkers on %d points", f.Path, f.Kind, f.Checkers, f.Points)
	if f.Part > 0 {
		return fmt.Sprintf("%s, file %d of Sconyers' 44, %d bytes, no checksum\n", shape, f.Part, f.Bytes)
	}
	return fmt.Sprintf("%s, %d bytes, format %d, sha-256 %s\n", shape, f.Bytes, f.Version, f.SHA256)
}

// HyperPlay is a play of a roll in hypergammon; Diff is its distance from the best.
type HyperPlay struct {
	Rank   int        `json:"rank"`
	Move   string     `json:"move"`
	Equity float64    `json:"equity"`
	Diff   float64    `json:"diff"`
	Probs  [5]float32 `json:"probs"`
}

// Hyper is what a hypergammon database says about a position of money play: the document
// of `fibsbot bearoff show --hyper`. The equities are those before any double now.
type Hyper struct {
	PositionID string      `json:"position_id"`
	MatchID    string      `json:"match_id"`
	Checkers   int         `json:"checkers"`
	Probs      [5]float32  `json:"probs"`
	Cubeless   float64     `json:"cubeless_equity"`
	Jacoby     float64     `json:"centred_jacoby"`
	Centred    float64     `json:"centred"`
	Owned      float64     `json:"owned"`
	OppOwned   float64     `json:"opp_owned"`
	Cube       *Cube       `json:"cube"`
	Dice       *[2]int     `json:"dice,omitempty"`
	Moves      []HyperPlay `json:"moves,omitempty"`

	decision cube.Decision
}

// ErrHyper is wrapped where a hypergammon database cannot be asked about a situation.
var ErrHyper = errors.New("hypergammon")

// HyperOf asks db about a situation of money play: its chances and equities, the cube
// decision, and the ranked plays of a roll. The error wraps ErrHyper if db does not cover
// the situation, and bearoff.ErrDamaged if its file is damaged.
func HyperOf(db *bearoff.Hyper, sit match.Situation) (s Hyper, err error) {
	if sit.State.Length > 0 {
		return s, fmt.Errorf("%w: the equities are those of money play, not of a match to %d points", ErrHyper, sit.State.Length)
	}
	p := sit.Position
	v, ok := db.Value(&p)
	if !ok {
		if db.Damaged() {
			return s, bearoff.ErrDamaged
		}
		return s, fmt.Errorf("%w: %s is not a position with %d checkers a side", ErrHyper, p.ID(), db.Checkers())
	}
	if p.Result() != 0 {
		return s, fmt.Errorf("%w: the game is over", ErrHyper)
	}
	s = Hyper{PositionID: p.ID(), MatchID: sit.MatchID(), Checkers: db.Checkers(), Probs: v.Probs, Cubeless: v.Cubeless(),
		Jacoby: v.Jacoby, Centred: v.Centred, Owned: v.Owned, OppOwned: v.OppOwned}
	st := sit.State
	l, err := cube.NewLadder(nil, st)
	if err != nil {
		return s, fmt.Errorf("%w: %w", ErrHyper, err)
	}
	s.decision = cube.Settle(nil, st, l, &p, v.Probs, v.NoDouble(st.Owner, st.Jacoby), 2*v.OppOwned)
	s.Cube = cubeOf(s.decision, st)
	if sit.Dice.Valid() {
		d := sit.Dice.Sorted()
		s.Dice = &[2]int{int(d.A), int(d.B)}
		list, err := db.Plays(p, sit.Dice, st.Owner, st.Jacoby)
		if err != nil {
			return s, err
		}
		for i, pl := range list {
			s.Moves = append(s.Moves, HyperPlay{Rank: i + 1, Move: board.FormatPlay(p, pl.Play), Equity: pl.Equity,
				Diff: pl.Equity - list[0].Equity, Probs: pl.Probs})
		}
	}
	return s, nil
}

// Text is what people read; st is the state that was asked about.
func (s *Hyper) Text(st match.State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%s, hypergammon with %d checkers, exact\n", s.PositionID, s.MatchID, s.Checkers)
	fmt.Fprintf(&b, "win %.1f%% (gammon %.1f%%, backgammon %.1f%%)  lose %.1f%% (gammon %.1f%%, backgammon %.1f%%)\n",
		100*s.Probs[0], 100*s.Probs[1], 100*s.Probs[2], 100-100*s.Probs[0], 100*s.Probs[3], 100*s.Probs[4])
	fmt.Fprintf(&b, "equity cubeless %s, own cube %s, centred %s, with Jacoby %s, opponent's cube %s (no double now)\n",
		equity(s.Cubeless), equity(s.Owned), equity(s.Centred), equity(s.Jacoby), equity(s.OppOwned))
	if s.Cube != nil {
		b.WriteString(DescribeCube(s.decision, st))
	}
	if s.Dice != nil && len(s.Moves) == 0 {
		b.WriteString("no legal play\n")
	}
	for _, m := range s.Moves {
		fmt.Fprintf(&b, "%3d. %-24s %s (%s)\n", m.Rank, m.Move, equity(m.Equity), equity(m.Diff))
	}
	return b.String()
}
