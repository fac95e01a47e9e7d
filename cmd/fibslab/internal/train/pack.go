package train

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"

	"fibsbot/engine/board"
	"fibsbot/engine/nn"
	"fibsbot/internal/atomicfile"
	"fibsbot/weights"
)

// Weights returns the weights in the layout that engine/nn evaluates and stores.
func (p *Params) Weights(s Shape) *nn.Weights {
	sp, de := s.Inputs()
	w := nn.NewWeights(sp+de, s.Hidden, s.Second)
	copy(w.First, p.First)
	copy(w.Bias, p.Bias)
	copy(w.Middle, p.Mid)
	copy(w.MiddleBias, p.MidB)
	copy(w.Out, p.Out)
	copy(w.OutBias, p.OutB)
	return w
}

// paramsOf reverses Params.Weights.
func paramsOf(w *nn.Weights) (Shape, Params) {
	s := Shape{Kind: KindContact, Hidden: w.Hidden, Second: w.Second, Activation: nn.Activation}
	if w.Inputs == nn.NumRaceInputs {
		s.Kind = KindRace
	}
	p := newParams(s)
	copy(p.First, w.First)
	copy(p.Bias, w.Bias)
	copy(p.Mid, w.Middle)
	copy(p.MidB, w.MiddleBias)
	copy(p.Out, w.Out)
	copy(p.OutB, w.OutBias)
	return s, p
}

// ErrNoNet means that a weights file has no net of the class asked for.
var ErrNoNet = errors.New("no net of that class")

// Embedded names the weights file in the program, where a net of a weights file is named.
const Embedded = "embedded"

// LoadStart reads the weights with which a fit begins: the averaged weights of a checkpoint,
// or with FILE:CLASS the net of that class in a weights file, its first layer as rounded
// there; FILE ends in .weights, or is [Embedded]. A plan without its own net has the one
// that judges it. Errors wrap [ErrBadCheckpoint] or [ErrNoNet], or are those of the file.
func LoadStart(from string) (Shape, Params, error) {
	var set *nn.Set
	path, class, ok := strings.Cut(from, ".weights:")
	own, ours := strings.CutPrefix(from, Embedded+":")
	switch {
	case ours:
		var err error
		if set, err = weights.Embedded(); err != nil {
			return Shape{}, Params{}, fmt.Errorf("start weights: %w", err)
		}
		class = own
	case ok:
		data, err := os.ReadFile(path + ".weights")
		if err != nil {
			return Shape{}, Params{}, fmt.Errorf("start weights: %w", err)
		}
		if set, err = nn.Read(data); err != nil {
			return Shape{}, Params{}, fmt.Errorf("start weights %s.weights: %w", path, err)
		}
	default:
		s, p, err := loadParams(from)
		if errors.Is(err, ErrBadCheckpoint) && isWeights(from) {
			err = fmt.Errorf("%w: %s is a weights file (name one of its nets, as in %s.weights:%s)", ErrBadCheckpoint, from, strings.TrimSuffix(from, ".weights"), nn.ClassContact)
		}
		return s, p, err
	}
	n := set.OwnNet(class)
	if n == nil && (strings.HasPrefix(class, nn.ClassContact+"/") || class == nn.ClassCrashedTheirs && set.OwnNet(nn.ClassCrashed) != nil) {
		n = set.NetFor(class)
	}
	if n == nil {
		return Shape{}, Params{}, fmt.Errorf("start weights %s: %w", from, ErrNoNet)
	}
	s, p := paramsOf(n.Weights())
	return s, p, nil
}

// isWeights reports whether the file is a weights file and not a checkpoint.
func isWeights(path string) bool {
	_, err := weights.Load(path)
	return path != "" && err == nil
}

// Pack writes a weights file of the given nets, by class as in nn.Classes, and reads it back
// to verify it. Each net is a checkpoint or FILE.weights:CLASS (LoadStart). coarse rounds all but
// the race net, see coarsenClass.
func Pack(path string, m nn.Manifest, from map[string]string, coarse bool) error {
	nets := map[string]*nn.Weights{}
	for class, file := range from {
		shape, p, err := LoadStart(file)
		if err != nil {
			return fmt.Errorf("%s net: %w", class, err)
		}
		if coarse && class != nn.ClassRace {
			if err := coarsenClass(shape, p, class); err != nil {
				return err
			}
		}
		nets[class] = p.Weights(shape)
	}
	return packWeights(path, m, nets)
}

func packWeights(path string, m nn.Manifest, nets map[string]*nn.Weights) error {
	var b bytes.Buffer
	if err := nn.Write(&b, m, nets); err != nil {
		return err
	}
	if _, err := nn.Read(b.Bytes()); err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, 0o644, b.Bytes())
}

// Coarse weights are in steps of 2^-g. Each input has a g of its own: one that seldom acts bears larger
// steps. An input that acts like the mean of all has coarseGrid; one that acts r times as much has
// steps smaller by r^coarsePower.
const (
	coarseGrid  = 8
	coarsePower = 0.4
	finestGrid  = 11 // of nets
	middleGrid  = 11 // of the second layer
)

// coarseGrids returns g for each input of nets of contact, by how much it acts in the positions of
// bench nets: the mean of its square.
var coarseGrids = sync.OnceValues(func() ([]int, error) {
	recs, err := BenchPositions()
	if err != nil {
		return nil, err
	}
	var (
		e     nn.Encoder
		f     nn.Features
		dense [nn.NumDense]float32
		acts  = make([]float64, nn.NumInputs)
		mean  float64
	)
	for i := range acts {
		acts[i] = 1 // those that no position has
	}
	for _, r := range recs {
		p := r.Position()
		if !p.Contact() {
			continue
		}
		e.Encode(&p, &f)
		for _, row := range f.Rows(nil, false) {
			acts[row]++
		}
		f.Computed(dense[:])
		for i, v := range dense {
			acts[nn.NumSparse+i] += float64(v * v)
		}
	}
	for _, a := range acts {
		mean += math.Pow(a, 2*coarsePower) / nn.NumInputs
	}
	grids := make([]int, len(acts))
	for i, a := range acts {
		g := coarseGrid + math.Log2(math.Pow(a, 2*coarsePower)/mean)/2
		grids[i] = min(int(math.Round(g)), finestGrid)
	}
	return grids, nil
})

// coarsenClass rounds the weights of the net of a class, see coarsen.
func coarsenClass(s Shape, p Params, class string) error {
	grids, err := coarseGrids()
	if err != nil {
		return err
	}
	samples, err := coarseSamples()
	if err != nil {
		return err
	}
	coarsen(s, p, grids, samples[class])
	return nil
}

// coarsen rounds the weights of the inputs to steps of 2^-grids[i], those of the second layer to steps
// of 2^-middleGrid, so that they compress better. Then it moves the biases of both layers so that the
// means of their sums over the sample stay.
func coarsen(s Shape, p Params, grids []int, sample []board.Position) {
	first, second := meanSums(s, p, sample)
	for r, g := range grids {
		onGrid(p.First[r*s.Hidden:][:s.Hidden], g)
	}
	onGrid(p.Mid, middleGrid)
	now, _ := meanSums(s, p, sample)
	addDifference(p.Bias, first, now)
	onGrid(p.Bias, finestGrid)
	_, now = meanSums(s, p, sample)
	addDifference(p.MidB, second, now)
}

// addDifference adds a - b to the numbers of list.
func addDifference(list []float32, a, b []float64) {
	for i := range list {
		list[i] += float32(a[i] - b[i])
	}
}

// meanSums returns what the units of both layers add up on average, nothing for an empty sample.
func meanSums(s Shape, p Params, sample []board.Position) (first, second []float64) {
	w := newWorker(s)
	w.p = p
	first, second = make([]float64, s.Hidden), make([]float64, s.Second)
	add := func(to []float64, sums []float32) {
		for i, v := range sums {
			to[i%len(to)] += float64(v) / float64(len(sample))
		}
	}
	for part := range slices.Chunk(sample, tile) {
		for i := range part {
			w.encode(i, &part[i])
		}
		w.forward(len(part))
		add(first, w.pre[:len(part)*s.Hidden])
		add(second, w.pre2[:len(part)*s.Second])
	}
	return first, second
}

// coarseSamples returns by class the positions of bench nets, and those after the plays of its decisions.
// Their labels are not used.
var coarseSamples = sync.OnceValues(func() (map[string][]board.Position, error) {
	recs, err := BenchPositions()
	if err != nil {
		return nil, err
	}
	ds, err := BenchProblems()
	if err != nil {
		return nil, err
	}
	for _, d := range ds {
		for _, c := range d.Candidates {
			recs = append(recs, Record{Key: c.Key})
		}
	}
	list := map[string][]board.Position{}
	for _, r := range recs {
		p := r.Position()
		c := ClassOf(&p)
		list[c] = append(list[c], p)
	}
	return list, nil
})

// onGrid rounds numbers to steps of 2^-g. None becomes a negative zero, which no whole number is.
func onGrid(list []float32, g int) {
	for i, v := range list {
		list[i] = float32(math.Ldexp(math.RoundToEven(math.Ldexp(float64(v), g)), -g)) + 0
	}
}
