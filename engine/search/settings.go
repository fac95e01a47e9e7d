package search

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/eval"
)

// MaxPlies is the deepest search.
const MaxPlies = 4

// ErrSettings is wrapped by errors about settings outside their ranges.
var ErrSettings = errors.New("bad search settings")

// Cut says which plays go on to a deeper level: the best Accept ones always,
// and up to Extra more that are at most Threshold (EMG) behind the best. A
// negative Accept means the level is not evaluated at all.
type Cut struct {
	Accept, Extra int
	Threshold     float64
}

// Skip is the Cut of a level that is not evaluated.
var Skip = Cut{Accept: -1}

// Filter is a named table of cuts: Cuts[n-1][k] applies after level k of a
// search n plies deep.
type Filter struct {
	Name string
	Cuts [MaxPlies][]Cut
}

// AtLeast returns the filter with at least n plays accepted at every level that it
// evaluates.
func (f Filter) AtLeast(n int) Filter {
	for depth, cuts := range f.Cuts {
		f.Cuts[depth] = slices.Clone(cuts)
		for k := range cuts {
			if c := &f.Cuts[depth][k]; c.Accept >= 0 && c.Accept < n {
				c.Extra, c.Accept = max(0, c.Extra-(n-c.Accept)), n
			}
		}
	}
	return f
}

// newFilter fills the table from the cuts after levels 0, 1 and 2.
func newFilter(name string, first, second, third Cut) Filter {
	return Filter{Name: name, Cuts: [MaxPlies][]Cut{
		{first},
		{first, second},
		{first, second, third},
		{first, second, third, Skip},
	}}
}

// The built-in filters. Those of gnubg have its names and figures; they skip the odd levels. Lean and
// Broad are for this engine's nets: a look at 1 ply costs a thirteenth of one at 2 and leaves half as many
// plays for it (docs/performance.md has what each filter costs and loses).
var (
	Tiny   = newFilter("tiny", Cut{0, 5, 0.08}, Skip, Cut{0, 2, 0.02})
	Narrow = newFilter("narrow", Cut{0, 8, 0.12}, Skip, Cut{0, 2, 0.03})
	Lean   = newFilter("lean", Cut{0, 8, 0.12}, Cut{0, 3, 0.04}, Cut{0, 2, 0.04})
	Normal = newFilter("normal", Cut{0, 8, 0.16}, Skip, Cut{0, 2, 0.04})
	Broad  = newFilter("broad", Cut{0, 16, 0.32}, Cut{0, 6, 0.08}, Cut{0, 4, 0.08})
	Large  = newFilter("large", Cut{0, 16, 0.32}, Skip, Cut{0, 4, 0.08})
	Huge   = newFilter("huge", Cut{0, 20, 0.44}, Skip, Cut{0, 6, 0.11})
)

// Filters lists the built-in filters from narrow to wide.
func Filters() []Filter { return []Filter{Tiny, Lean, Narrow, Normal, Broad, Large, Huge} }

// FilterByName finds a built-in filter; case does not matter.
func FilterByName(name string) (Filter, error) {
	var names []string
	for _, f := range Filters() {
		if strings.EqualFold(f.Name, name) {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Filter{}, fmt.Errorf("%w: unknown filter %.60q (use %s, or stages ACCEPT:EXTRA:THRESHOLD or skip, with commas)", ErrSettings, name, strings.Join(names, ", "))
}

// ParseFilter reads a filter written as its cuts, ACCEPT:EXTRA:THRESHOLD or skip, joined by
// commas, for the levels from 0 plies on: "0:8:0.16,skip,0:2:0.04". Errors wrap ErrSettings.
func ParseFilter(text string) (Filter, error) {
	f := Filter{Name: text}
	var cuts []Cut
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if strings.EqualFold(part, "skip") {
			cuts = append(cuts, Skip)
			continue
		}
		fields := strings.Split(part, ":")
		if len(fields) != 3 {
			return f, fmt.Errorf("%w: filter %.60q: %.30q is not a stage (use ACCEPT:EXTRA:THRESHOLD or skip)", ErrSettings, text, part)
		}
		accept, err1 := strconv.Atoi(fields[0])
		extra, err2 := strconv.Atoi(fields[1])
		threshold, err3 := strconv.ParseFloat(fields[2], 64)
		if err1 != nil || err2 != nil || err3 != nil || accept < 0 || extra < 0 || accept > 1000 || extra > 1000 || !(threshold >= 0 && threshold <= 10) {
			return f, fmt.Errorf("%w: filter %.60q: %.30q is not two numbers of plays, 0 to 1000, and an equity, 0 to 10", ErrSettings, text, part)
		}
		cuts = append(cuts, Cut{Accept: accept, Extra: extra, Threshold: threshold})
	}
	if len(cuts) > MaxPlies || cuts[0] == Skip {
		return f, fmt.Errorf("%w: filter %.60q: 1 to %d levels are written, the first of them not skip", ErrSettings, text, MaxPlies)
	}
	for n := range f.Cuts {
		for k := range n + 1 {
			cut := Skip
			if k < len(cuts) {
				cut = cuts[k]
			}
			f.Cuts[n] = append(f.Cuts[n], cut)
		}
	}
	return f, nil
}

// Settings say how a decision is made. The zero value is a static, cubeless and
// noiseless evaluation.
type Settings struct {
	// Plies is the depth, 0 to MaxPlies.
	Plies int
	// Share is the part of all decisions, drawn by Seed, that look Plies ahead;
	// the others are made at 0 plies. 0 means all, like 1. Which they are
	// is a matter of chance and not of the position, so strength rises evenly with
	// the share.
	Share float64
	// Cubeful counts the cube in the equities that rank plays. Cube decisions
	// are always cubeful.
	Cubeful bool
	// Noise is the standard deviation added to the winning chance of every
	// static evaluation, 0 to 1; gammons get a quarter, backgammons a hundredth
	// of it.
	Noise float64
	// Deterministic noise depends on the position alone; otherwise it depends on
	// Seed too, which callers change from decision to decision. So does the choice
	// of the decisions that look ahead.
	Deterministic bool
	Seed          uint64
	// Filter chooses the plays that are searched deeper. One without cuts for
	// Plies searches all.
	Filter Filter
	// Prune lets a small net choose which replies inside the tree the full net
	// judges.
	Prune bool
	// Reduced averages over 7 or 14 of the 21 rolls below the first; 0 is all.
	Reduced int
	// Efficiency replaces the cube efficiency of every position when it is not
	// nil: 0 counts the cube as dead, 1 as fully live.
	Efficiency *float64
	// Budget ends the search after that time with the best answer so far; 0 is
	// no limit. Results then depend on the machine.
	Budget time.Duration
}

// Validate reports the first field outside its range; the error wraps
// ErrSettings.
func (s *Settings) Validate() error {
	switch {
	case s.Plies < 0 || s.Plies > MaxPlies:
		return fmt.Errorf("%w: plies %d is not between 0 and %d", ErrSettings, s.Plies, MaxPlies)
	case !(s.Share >= 0 && s.Share <= 1):
		return fmt.Errorf("%w: share %v is not between 0 and 1", ErrSettings, s.Share)
	case !(s.Noise >= 0 && s.Noise <= 1):
		return fmt.Errorf("%w: noise %v is not between 0 and 1", ErrSettings, s.Noise)
	case s.Reduced != 0 && s.Reduced != 7 && s.Reduced != 14:
		return fmt.Errorf("%w: reduced %d rolls (use 0, 7 or 14)", ErrSettings, s.Reduced)
	case s.Reduced != 0 && s.Prune:
		return fmt.Errorf("%w: reduced rolls and pruning exclude each other", ErrSettings)
	case s.Efficiency != nil && !(*s.Efficiency >= 0 && *s.Efficiency <= 1):
		return fmt.Errorf("%w: cube efficiency %v is not between 0 and 1", ErrSettings, *s.Efficiency)
	case s.Budget < 0:
		return fmt.Errorf("%w: budget %v is negative", ErrSettings, s.Budget)
	}
	return nil
}

// Random reports whether decisions depend on Seed.
func (s *Settings) Random() bool {
	return !s.Deterministic && (s.Noise > 0 || s.Share > 0 && s.Share < 1 && s.Plies > 0)
}

// drawn returns the settings of one decision: with a Share, s itself or s at 0
// plies. about distinguishes the decisions at a position.
func (s Settings) drawn(p *board.Position, about uint64) Settings {
	if s.Share == 0 || s.Share == 1 || s.Plies == 0 {
		return s
	}
	seed := s.Seed
	if s.Deterministic {
		seed = 0
	}
	a, b := hashPosition(p)
	// The seed is that of the noise too; the constant makes another draw of it.
	if h := mix(mix(a, b, seed), about, 0x2545f4914f6cdd1d); float64(h>>11)/(1<<53) >= s.Share {
		s.Plies = 0
	}
	s.Share = 0
	return s
}

// cuts returns the filter's row for the depth of s, without cuts where it has
// none.
func (s *Settings) cuts() []Cut {
	if s.Plies == 0 {
		return nil
	}
	row := slices.Clone(s.Filter.Cuts[s.Plies-1])
	for len(row) < s.Plies {
		row = append(row, Skip)
	}
	return row[:s.Plies]
}

// noise makes weaker players: it adds a normal deviate to every chance of a
// static evaluation. The deviate is a function of the position and the seed, so
// a decision can be repeated, for any number of threads.
type noise struct {
	deviation float64
	seed      uint64
}

// The shares of the winning chance's deviation that gammons and backgammons get,
// as in gnubg.
const (
	gammonShare     = 0.25
	backgammonShare = 0.01
)

// add disturbs pr, the chances of position p. The noise is centred: where a
// chance is so near 0 or 1 that the deviate would leave the range, it is cut on
// both sides alike, so that a sure thing stays one and the mean is not moved.
// Gammons keep their share of the disturbed wins and losses before their own
// deviate, which keeps the distribution valid.
func (n *noise) add(p *board.Position, pr *eval.Probs) {
	if n.deviation == 0 {
		return
	}
	a, b := hashPosition(p)
	h := mix(a, b, n.seed)
	var z [5]float64
	for i := range z {
		z[i] = deviate(mix(h, uint64(i), 1), mix(h, uint64(i), 2)) * n.deviation
	}
	win := float64(pr[eval.Win])
	w := symmetric(win, z[0], 1)
	scale := func(v, old, now float64) float64 {
		if old <= 0 {
			return 0
		}
		return v * now / old
	}
	wg := symmetric(scale(float64(pr[eval.WinGammon]), win, w), z[1]*gammonShare, w)
	lg := symmetric(scale(float64(pr[eval.LoseGammon]), 1-win, 1-w), z[3]*gammonShare, 1-w)
	wb := symmetric(scale(float64(pr[eval.WinBackgammon]), float64(pr[eval.WinGammon]), wg), z[2]*backgammonShare, wg)
	lb := symmetric(scale(float64(pr[eval.LoseBackgammon]), float64(pr[eval.LoseGammon]), lg), z[4]*backgammonShare, lg)
	*pr = eval.Probs{float32(w), float32(wg), float32(wb), float32(lg), float32(lb)}
}

// symmetric returns v+d with d cut so that v-d and v+d both lie in [0,hi].
func symmetric(v, d, hi float64) float64 {
	room := max(0, min(v, hi-v))
	return v + max(-room, min(room, d))
}

// deviate turns two random words into one standard normal number (Box and
// Muller 1958).
func deviate(a, b uint64) float64 {
	u := (float64(a>>11) + 0.5) / (1 << 53)
	v := float64(b>>11) / (1 << 53)
	return math.Sqrt(-2*math.Log(u)) * math.Cos(2*math.Pi*v)
}
