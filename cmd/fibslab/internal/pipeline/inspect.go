package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fibsbot/engine/nn"
	"fibsbot/weights"
)

// Report is the content of a weights file.
type Report struct {
	nn.Manifest
	Parts []NetReport `json:"weights"`
}

// NetReport is one net of it.
type NetReport struct {
	Class string       `json:"class"`
	Shape string       `json:"shape"`
	Parts []nn.Figures `json:"parts"`
	// Faint counts units whose weights to the outputs are below a fiftieth of the
	// units' root mean square.
	Faint int `json:"faint_units"`
}

// Inspect reads a weights file, "" for the one in the program. Errors are those of
// weights.Load.
func Inspect(file string) (*Report, error) {
	set, err := weights.Load(file)
	if err != nil {
		return nil, err
	}
	r := &Report{Manifest: set.Manifest}
	for _, class := range nn.Classes() {
		n := set.NetOf(class)
		if n == nil {
			continue
		}
		w := n.Weights()
		r.Parts = append(r.Parts, NetReport{Class: class, Shape: n.String(), Parts: w.Inspect(), Faint: w.Faint(0.02)})
	}
	return r, nil
}

// Text is the report for people.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, inputs version %d\n\n", r.Name, r.Inputs)
	fmt.Fprintf(&b, "%-26s %-30s %-12s %8s %7s %9s %9s %8s\n", "net", "shape", "part", "numbers", "zero", "least", "largest", "rms")
	for _, n := range r.Parts {
		class, shape := n.Class, n.Shape
		for _, p := range n.Parts {
			fmt.Fprintf(&b, "%-26s %-30s %-12s %8d %7d %9.3f %9.3f %8.4f\n", class, shape, p.Part, p.Count, p.Zero, p.Min, p.Max, p.RMS)
			class, shape = "", ""
		}
		if n.Faint > 0 {
			fmt.Fprintf(&b, "%-26s %d units hardly matter\n", "", n.Faint)
		}
	}
	if len(r.Measured) > 0 {
		b.WriteString("\nmeasured\n")
		for _, name := range slices.Sorted(maps.Keys(r.Measured)) {
			fmt.Fprintf(&b, "  %-40s %.4f\n", name, r.Measured[name])
		}
	}
	if len(r.History) > 0 {
		b.WriteString("\nhow it was made\n")
		for _, line := range r.History {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	return b.String()
}
