package train

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"fibsbot/engine/nn"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/kernel"
	"fibsbot/weights"
)

// Weights returns the weights in the layout that engine/nn evaluates and stores.
func (p *Params) Weights(s Shape) *nn.Weights {
	act, _ := kernel.ActivationByName(s.Activation)
	sp, de := s.Inputs()
	w := nn.NewWeights(sp+de, s.Hidden, s.Second, act)
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
	s := Shape{Kind: KindContact, Hidden: w.Hidden, Second: w.Second, Activation: w.Activation.String()}
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
	n := set.NetOf(class)
	if n == nil && (strings.HasPrefix(class, nn.ClassContact+"/") || class == nn.ClassCrashedTheirs && set.NetOf(nn.ClassCrashed) != nil) {
		n = set.Judge(class)
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
