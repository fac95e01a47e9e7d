package tune

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"gonum.org/v1/gonum/interp"

	"fibsbot/engine/preset"
	"fibsbot/engine/rating"
	"fibsbot/engine/tune/human"
)

// Point is one fitted rating.
type Point struct {
	Setting Setting `json:"setting"`
	Length  int     `json:"length"`
	Rating  float64 `json:"rating"`
	StdErr  float64 `json:"stderr"` // against the anchor
}

// LossPoint is the fitted loss of one amount of one kind of error.
type LossPoint struct {
	Param
	Loss   float64 `json:"loss"`
	StdErr float64 `json:"stderr"`
}

// Table is the content of measured.json: everything that was fitted, and from what.
type Table struct {
	Signature   string      `json:"signature"` // of the engine that played
	Nets        string      `json:"nets"`
	Seed        uint64      `json:"seed"`
	Anchor      float64     `json:"anchor"` // rating of expert
	Matches     int         `json:"matches"`
	Differences int         `json:"by_differences,omitempty"` // of the matches: valued by differences
	Ratings     []Point     `json:"ratings"`
	Losses      []LossPoint `json:"losses"`
}

// ErrTable means a table that cannot be used.
var ErrTable = errors.New("bad table of strength")

//go:embed measured.json
var measuredJSON []byte

var measured = sync.OnceValues(func() (*Surface, error) { return ReadSurface(measuredJSON) })

// Measured returns the surface in the program.
func Measured() (*Surface, error) { return measured() }

// vague is the standard error, in points, above which a loss counts as unknown: the results did
// not separate the two kinds of error.
const vague = 150

// maxTable bounds the size of a table file.
const maxTable = 4 << 20

// ReadSurface reads a table as JSON. The error wraps ErrTable.
func ReadSurface(data []byte) (*Surface, error) {
	if len(data) > maxTable {
		return nil, fmt.Errorf("%w: larger than %d bytes", ErrTable, maxTable)
	}
	var t Table
	if err := json.Unmarshal(data, &t); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTable, err)
	}
	return NewSurface(&t)
}

// Surface reads ratings off a table, also between measured points. Curves are made monotone: more
// error is never stronger. It is immutable.
type Surface struct {
	Table   *Table
	lengths []int
	paths   map[pathKey]*curve // rating loss over the amount, cube with checker
	parts   map[Param]*curve   // by kind and length alone: losses of one kind
	deep    map[Param]Point
}

type pathKey struct {
	style  Style
	length int
}

// curve is a monotone loss over the amount of error.
type curve struct {
	x, y, se []float64
	fit      interp.FritschButland
}

// NewSurface makes a surface of a table. The error wraps ErrTable.
func NewSurface(t *Table) (*Surface, error) {
	s := &Surface{Table: t, paths: map[pathKey]*curve{}, parts: map[Param]*curve{}, deep: map[Param]Point{}}
	if !finite(t.Anchor) || t.Anchor == 0 {
		return nil, fmt.Errorf("%w: anchor %v", ErrTable, t.Anchor)
	}
	add := func(c *curve, x, loss, se float64) *curve {
		if c == nil {
			c = &curve{x: []float64{0}, y: []float64{0}, se: []float64{0}}
		}
		c.x, c.y, c.se = append(c.x, x), append(c.y, loss), append(c.se, se)
		return c
	}
	for _, p := range t.Ratings {
		if err := p.Setting.Validate(); err != nil || p.Length < 1 || p.Length > MaxLength || !finite(p.Rating) || !(p.StdErr >= 0) || !finite(p.StdErr) {
			return nil, fmt.Errorf("%w: %+v", ErrTable, p)
		}
		if !slices.Contains(s.lengths, p.Length) {
			s.lengths = append(s.lengths, p.Length)
		}
		switch x := p.Setting; {
		case x.Deep != "" && x.Share == 0:
			s.deep[Param{Kind: DeepPreset, Preset: x.Deep, Length: p.Length}] = p
		case x.Deep == "" && x.Character == human.Plain && x.Checker > 0 && (x.Cube == x.Checker || p.Length == 1):
			k := pathKey{x.Style, p.Length}
			s.paths[k] = add(s.paths[k], x.Checker, t.Anchor-p.Rating, p.StdErr)
		}
	}
	for _, l := range t.Losses {
		if l.Length < 1 || l.Length > MaxLength || !finite(l.Loss) || !(l.StdErr >= 0) || !(l.At >= 0 && l.At <= maxNoise) {
			return nil, fmt.Errorf("%w: %+v", ErrTable, l)
		}
		if l.Kind == DeepPreset || l.StdErr > vague {
			continue
		}
		k := Param{Kind: l.Kind, Length: l.Length}
		s.parts[k] = add(s.parts[k], l.At, l.Loss, l.StdErr)
	}
	if len(s.lengths) == 0 {
		return nil, fmt.Errorf("%w: no ratings", ErrTable)
	}
	slices.Sort(s.lengths)
	for _, c := range s.paths {
		if err := c.finish(); err != nil {
			return nil, err
		}
	}
	for _, c := range s.parts {
		if err := c.finish(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Z90 is the half width of a 90 % interval in standard errors.
const Z90 = rating.Z90

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// finish sorts the points, makes them monotone and prepares the curve between
// them (F. N. Fritsch and J. Butland, SIAM J. Sci. Stat. Comput. 5, 1984).
func (c *curve) finish() error {
	order := make([]int, len(c.x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(c.x[a], c.x[b]) })
	x, y, se := make([]float64, len(order)), make([]float64, len(order)), make([]float64, len(order))
	for i, k := range order {
		x[i], y[i], se[i] = c.x[k], c.y[k], c.se[k]
		if i > 0 && x[i] == x[i-1] {
			return fmt.Errorf("%w: amount %v is there twice", ErrTable, x[i])
		}
	}
	c.x, c.y, c.se = x, monotone(y, se), se
	if err := c.fit.Fit(c.x, c.y); err != nil {
		return fmt.Errorf("%w: %w", ErrTable, err)
	}
	return nil
}

// monotone is the rising sequence nearest to y by weighted least squares, the first value fixed
// (pool adjacent violators; M. Ayer et al. 1955). Pooled values rise by a ten-thousandth of a point
// a step, so that the curve can be inverted.
func monotone(y, se []float64) []float64 {
	type pool struct {
		sum, weight float64
		n           int
	}
	var pools []pool
	for i := range y {
		w := 1 / (se[i]*se[i] + 1)
		if i == 0 {
			w = 1e9
		}
		pools = append(pools, pool{y[i] * w, w, 1})
		for k := len(pools) - 1; k > 0 && pools[k].sum/pools[k].weight <= pools[k-1].sum/pools[k-1].weight; k-- {
			pools[k-1] = pool{pools[k-1].sum + pools[k].sum, pools[k-1].weight + pools[k].weight, pools[k-1].n + pools[k].n}
			pools = pools[:k]
		}
	}
	var out []float64
	for _, p := range pools {
		for range p.n {
			v := p.sum / p.weight
			if k := len(out); k > 0 && v <= out[k-1] {
				v = out[k-1] + 1e-4
			}
			out = append(out, v)
		}
	}
	return out
}

// at returns loss and standard error at amount v, within the measured range.
func (c *curve) at(v float64) (loss, se float64) {
	v = math.Max(0, math.Min(v, c.x[len(c.x)-1]))
	i := 1
	for i < len(c.x)-1 && c.x[i] < v {
		i++
	}
	share := (v - c.x[i-1]) / (c.x[i] - c.x[i-1])
	return c.fit.Predict(v), (1-share)*c.se[i-1] + share*c.se[i]
}

// neighbours returns the measured lengths around a length for which has is true, and the weight of
// the second, linear in the logarithm. Unlimited matches (length 0) count as the longest measured.
func (s *Surface) neighbours(length int, has func(n int) bool) (a, b int, share float64, ok bool) {
	if length <= 0 {
		length = s.lengths[len(s.lengths)-1]
	}
	a, b = -1, -1
	for _, n := range s.lengths {
		if !has(n) {
			continue
		}
		if n <= length {
			a = n
		}
		if n >= length && b < 0 {
			b = n
		}
	}
	// Beyond the measured lengths the nearest one counts; a gap inside is not bridged from one side.
	switch first, last := s.lengths[0], s.lengths[len(s.lengths)-1]; {
	case a < 0 && b == first:
		a = b
	case b < 0 && a == last:
		b = a
	case a < 0 || b < 0:
		return 0, 0, 0, false
	}
	if a != b {
		share = math.Log(float64(length)/float64(a)) / math.Log(float64(b)/float64(a))
	}
	return a, b, share, true
}

// At returns the rating of a setting in matches of length points (0 unlimited), with its 90 %
// interval against the anchor. ok is false for settings that were not measured.
func (s *Surface) At(x Setting, length int) (iv rating.Interval, ok bool) {
	r, se, ok := s.estimate(x, length)
	return rating.Interval{Estimate: r, Low: r - Z90*se, High: r + Z90*se}, ok
}

func (s *Surface) estimate(x Setting, length int) (r, se float64, ok bool) {
	x = x.plain()
	if x == Expert || x.Deep == "" && x.Checker == 0 && x.Cube == 0 {
		return s.Table.Anchor, 0, true
	}
	a, b, share, ok := s.neighbours(length, func(n int) bool { _, _, ok := s.measuredAt(x, n); return ok })
	if !ok {
		return 0, 0, false
	}
	ra, sa, _ := s.measuredAt(x, a)
	rb, sb, _ := s.measuredAt(x, b)
	return (1-share)*ra + share*rb, (1-share)*sa + share*sb, true
}

// measuredAt is estimate at a measured length.
func (s *Surface) measuredAt(x Setting, n int) (r, se float64, ok bool) {
	if x.Deep != "" {
		p, ok := s.deep[Param{Kind: DeepPreset, Preset: x.Deep, Length: n}]
		return s.Table.Anchor + x.Ahead()*(p.Rating-s.Table.Anchor), x.Ahead() * p.StdErr, ok
	}
	if c := s.paths[pathKey{x.Style, n}]; c != nil && (x.Checker == x.Cube || n == 1) && x.Checker <= c.x[len(c.x)-1] {
		loss, se := c.at(x.Checker)
		return s.Table.Anchor - loss, se, true
	}
	checker, cube := NoiseChecker, NoiseCube
	if x.Style == Human {
		checker, cube = HumanChecker, HumanCube
	}
	r, v := s.Table.Anchor, 0.0
	// In a fixed order: a sum of floats depends on it.
	for _, part := range [...]struct {
		kind   Kind
		amount float64
	}{{checker, x.Checker}, {cube, x.Cube}} {
		if part.amount == 0 || part.kind == cube && n == 1 {
			continue
		}
		c := s.parts[Param{Kind: part.kind, Length: n}]
		if c == nil || part.amount > c.x[len(c.x)-1] {
			return 0, 0, false
		}
		loss, se := c.at(part.amount)
		r, v = r-loss, v+se*se
	}
	return r, math.Sqrt(v), true
}

// Print writes the ratings as a table: a row for each setting, the presets first, a column
// for each match length.
func (s *Surface) Print(w io.Writer) error {
	t := s.Table
	matches := fmt.Sprintf("%d matches", t.Matches)
	if t.Differences > 0 {
		matches += fmt.Sprintf(" (%d of them valued by differences)", t.Differences)
	}
	fmt.Fprintf(w, "nets %s, engine %s, %s; expert = %.0f; 90 %% intervals against expert\n\n", t.Nets, t.Signature, matches, t.Anchor)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	lengths := t.Lengths()
	fmt.Fprint(tab, "setting\t")
	for _, n := range lengths {
		fmt.Fprintf(tab, "%d points\t", n)
	}
	fmt.Fprintln(tab)
	row := func(name string, x Setting) {
		cells := make([]string, len(lengths))
		some := false
		for i, n := range lengths {
			cells[i] = "-"
			if iv, ok := s.At(x, n); ok {
				cells[i] = fmt.Sprintf("%.0f ±%.0f", iv.Estimate, iv.Estimate-iv.Low)
				some = true
			}
		}
		if some {
			fmt.Fprintf(tab, "%s\t%s\t\n", name, strings.Join(cells, "\t"))
		}
	}
	for _, p := range preset.All() {
		if x, err := OfPreset(p); err == nil {
			row(p.Name, x)
		}
	}
	seen := map[Setting]bool{Expert: true}
	for _, p := range t.Ratings {
		if x := p.Setting; (x.Deep == "" || x.Share > 0) && !seen[x] {
			seen[x] = true
			row(x.String(), x)
		}
	}
	return tab.Flush()
}

// Lengths lists the measured lengths of a table.
func (t *Table) Lengths() (out []int) {
	for _, p := range t.Ratings {
		if len(out) == 0 || out[len(out)-1] != p.Length {
			out = append(out, p.Length)
		}
	}
	return out
}
