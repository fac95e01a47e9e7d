package train

import (
	"bytes"
	"fmt"

	"fibsbot/engine/nn"
	"fibsbot/engine/nn/kernel"
	"fibsbot/internal/atomicfile"
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

// Pack writes a weights file of the fitted nets in the given checkpoints, by
// class as in nn.Write, and reads it back to be sure that it is usable.
func Pack(path string, m nn.Manifest, checkpoints map[string]string) error {
	nets := map[string]*nn.Weights{}
	for class, file := range checkpoints {
		shape, p, err := LoadParams(file)
		if err != nil {
			return fmt.Errorf("%s net: %w", class, err)
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
