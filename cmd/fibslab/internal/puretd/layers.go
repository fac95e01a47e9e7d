package puretd

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"fibsbot/cmd/fibslab/internal/kernel"
	outer "fibsbot/internal/kernel"
)

// ErrFile means a file that is not a net of layers.
var ErrFile = errors.New("not a net of layers")

// The largest net that Read accepts.
const (
	maxLayers = 8
	maxWidth  = 2048
)

// maxWeight bounds every weight, so that no sum of them overflows to infinity.
const maxWeight = 1e4

// together is how many positions go through the net together.
const together = 48

// layers are a net of plain layers in float32: every layer but the last rectifies its sums. A file
// holds, little endian, the number of layers, and for each layer an int32 of outputs, an int32 of inputs,
// the weights [input][output] and the bias [output] as float32. They are immutable. Many positions are
// evaluated at once, so that the weights, which fit no near cache, are read once for several of them.
type layers []layer

// layer has its weights in rows of one input each, padded to step floats.
type layer struct {
	in, out, step int
	weights, bias []float32
}

// readLayers reads a net and the end of r after it. The error wraps ErrFile, or is r's.
func readLayers(r io.Reader) (layers, error) {
	count, err := readInt(r)
	if err != nil {
		return nil, fmt.Errorf("number of layers: %w", err)
	}
	if count < 1 || count > maxLayers {
		return nil, fmt.Errorf("%w: %d layers, want 1 to %d", ErrFile, count, maxLayers)
	}
	var n layers
	for i := range count {
		l, err := readLayer(r)
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", i+1, err)
		}
		if i > 0 && l.in != n[i-1].out {
			return nil, fmt.Errorf("%w: layer %d has %d inputs, the one before it %d outputs", ErrFile, i+1, l.in, n[i-1].out)
		}
		n = append(n, l)
	}
	if _, err := io.ReadFull(r, make([]byte, 1)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: more bytes than the layers have", ErrFile)
	}
	return n, nil
}

func readLayer(r io.Reader) (l layer, err error) {
	if l.out, err = readInt(r); err != nil {
		return l, err
	}
	if l.in, err = readInt(r); err != nil {
		return l, err
	}
	if l.in < 1 || l.in > maxWidth || l.out < 1 || l.out > maxWidth {
		return l, fmt.Errorf("%w: %d inputs and %d outputs, want 1 to %d", ErrFile, l.in, l.out, maxWidth)
	}
	l.step = (l.out + outer.Width - 1) / outer.Width * outer.Width
	row := make([]byte, 4*l.out)
	for i := range l.in + 1 {
		if _, err := io.ReadFull(r, row); err != nil {
			return l, cut(err)
		}
		values := make([]float32, l.step)
		for j := range l.out {
			v := math.Float32frombits(binary.LittleEndian.Uint32(row[4*j:]))
			if !(math.Abs(float64(v)) <= maxWeight) {
				return l, fmt.Errorf("%w: a weight is %v", ErrFile, v)
			}
			values[j] = v
		}
		if i < l.in {
			l.weights = append(l.weights, values...)
		} else {
			l.bias = values
		}
	}
	return l, nil
}

func readInt(r io.Reader) (int, error) {
	var b [4]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return 0, cut(err)
	}
	return int(int32(binary.LittleEndian.Uint32(b[:]))), nil
}

// cut is ErrFile for a file that ends too early.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the file ends too early", ErrFile)
	}
	return err
}

// inputs and outputs are their numbers.
func (n layers) inputs() int  { return n[0].in }
func (n layers) outputs() int { return n[len(n)-1].out }

// input is an input that is not zero: its number, from 0, and its value.
type input struct {
	At    uint16
	Value float32
}

// scratch is the working memory of evaluations. It belongs to one goroutine; the zero
// value is ready.
type scratch struct {
	rows []outer.Row
	a, b []float32
}

// run sets out, which has outputs values for each position, to the net's last sums.
// inputs are those of each position that are not zero; every At must be below inputs.
func (n layers) run(s *scratch, inputs [][]input, out []float32) {
	width := n.outputs()
	for len(inputs) > together {
		n.part(s, inputs[:together], out)
		inputs, out = inputs[together:], out[together*width:]
	}
	n.part(s, inputs, out)
}

func (n layers) part(s *scratch, inputs [][]input, out []float32) {
	if s.a == nil {
		s.a, s.b = make([]float32, together*maxWidth), make([]float32, together*maxWidth)
	}
	first := &n[0]
	for k, in := range inputs {
		s.rows = s.rows[:0]
		for _, x := range in {
			s.rows = append(s.rows, outer.Row{Offset: uint32(int(x.At) * first.step), Scale: x.Value})
		}
		outer.Accumulate(s.a[k*first.step:][:first.step], first.bias, first.weights, s.rows)
	}
	from, to := s.a, s.b
	for i := 1; i < len(n); i++ {
		before, l := &n[i-1], &n[i]
		rectify(from[:len(inputs)*before.step])
		for k := range inputs {
			copy(to[k*l.step:], l.bias)
		}
		kernel.AddProduct(to, l.step, kernel.Rows(from, before.step), l.weights, l.step, len(inputs), l.in, l.step)
		from, to = to, from
	}
	last := &n[len(n)-1]
	for k := range inputs {
		copy(out[k*last.out:][:last.out], from[k*last.step:])
	}
}

// rectify sets negative values to zero.
func rectify(x []float32) {
	for i, v := range x {
		x[i] = max(v, 0)
	}
}
