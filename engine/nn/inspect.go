package nn

import "math"

// Figures describe the numbers of one part of a net.
type Figures struct {
	Part  string  `json:"part"` // "first layer", "outputs"
	Count int     `json:"count"`
	Zero  int     `json:"zero"` // exactly 0
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	RMS   float64 `json:"rms"`
}

// Inspect lists the parts of a net's weights with their figures. Parts that the net does
// not have are left out.
func (w *Weights) Inspect() []Figures {
	var out []Figures
	for _, p := range w.parts() {
		if len(p.values) == 0 {
			continue
		}
		f := Figures{Part: p.name, Count: len(p.values), Min: math.Inf(1), Max: math.Inf(-1)}
		squares := 0.0
		for _, x := range p.values {
			v := float64(x)
			f.Min, f.Max = min(f.Min, v), max(f.Max, v)
			squares += v * v
			if v == 0 {
				f.Zero++
			}
		}
		f.RMS = math.Sqrt(squares / float64(len(p.values)))
		out = append(out, f)
	}
	return out
}

// Faint counts the units of the first layer whose weights to what follows are all below
// share of the root mean square of all units: they cost time and tell little.
func (w *Weights) Faint(share float64) int {
	norms := make([]float64, w.Hidden)
	all := 0.0
	for j := range norms {
		sum := 0.0
		if w.Second > 0 {
			for k := range w.Second {
				v := float64(w.Middle[w.Second*j+k])
				sum += v * v
			}
		} else {
			for o := range 5 {
				v := float64(w.Out[o*w.Hidden+j])
				sum += v * v
			}
		}
		norms[j] = math.Sqrt(sum)
		all += sum
	}
	n := 0
	for _, v := range norms {
		if v < share*math.Sqrt(all/float64(len(norms))) {
			n++
		}
	}
	return n
}
