package puretd

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// file is a net of random weights as a file holds it.
func layersFile(rng *rand.Rand, widths ...int) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(widths)-1))
	for i := 1; i < len(widths); i++ {
		b = binary.LittleEndian.AppendUint32(b, uint32(widths[i]))
		b = binary.LittleEndian.AppendUint32(b, uint32(widths[i-1]))
		for range widths[i] * (widths[i-1] + 1) {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(rng.NormFloat64())/4))
		}
	}
	return b
}

// plainly evaluates the net of a file as its description says, in float64.
func plainly(b []byte, in []input) []float64 {
	next := func() uint32 { v := binary.LittleEndian.Uint32(b); b = b[4:]; return v }
	layers := int(next())
	var x []float64
	for i := range layers {
		outs, ins := int(next()), int(next())
		if i == 0 {
			x = make([]float64, ins)
			for _, v := range in {
				x[v.At] = float64(v.Value)
			}
		}
		y := make([]float64, outs)
		for row := range ins + 1 {
			for j := range y {
				w := float64(math.Float32frombits(next()))
				if row == ins {
					y[j] += w
				} else {
					y[j] += x[row] * w
				}
			}
		}
		if i < layers-1 {
			for j := range y {
				y[j] = max(y[j], 0)
			}
		}
		x = y
	}
	return x
}

func TestEvaluate_isWhatTheFileSays(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, widths := range [][]int{{7, 5}, {40, 33, 5}, {196, 96, 64, 32, 1}} {
		b := layersFile(rng, widths...)
		n, err := readLayers(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if n.inputs() != widths[0] || n.outputs() != widths[len(widths)-1] {
			t.Fatalf("%d inputs, %d outputs of %v", n.inputs(), n.outputs(), widths)
		}
		inputs := make([][]input, 2*together+5)
		for k := range inputs {
			for at := range widths[0] {
				if rng.IntN(3) == 0 {
					inputs[k] = append(inputs[k], input{uint16(at), float32(rng.NormFloat64())})
				}
			}
		}
		var s scratch
		out := make([]float32, len(inputs)*n.outputs())
		n.run(&s, inputs, out)
		for k, in := range inputs {
			for j, want := range plainly(b, in) {
				if got := float64(out[k*n.outputs()+j]); math.Abs(got-want) > 1e-3 {
					t.Fatalf("%v: position %d, output %d: %v, want %v", widths, k, j, got, want)
				}
			}
		}
	}
}

func TestReadLayers_refuses(t *testing.T) {
	good := layersFile(rand.New(rand.NewPCG(3, 4)), 3, 2, 1)
	change := func(at int, v uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	for _, c := range []struct {
		b     []byte
		fault string
	}{
		{nil, "ends too early"},
		{good[:2], "ends too early"},
		{good[:len(good)-1], "ends too early"},
		{append(bytes.Clone(good), 0), "more bytes"},
		{change(0, 0), "0 layers"},
		{change(0, 1<<31), "layers"},
		{change(4, 1<<20), "outputs"},
		{change(8, 0), "0 inputs"},
		{change(12, math.Float32bits(float32(math.NaN()))), "NaN"},
		{change(12, math.Float32bits(1e9)), "a weight is"},
		{change(4+8+4*8+4, 1), "layer 2 has 1 inputs"},
	} {
		if _, err := readLayers(bytes.NewReader(c.b)); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%d bytes: %v, want %q", len(c.b), err, c.fault)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(layersFile(rand.New(rand.NewPCG(5, 6)), 3, 2, 1))
	f.Add([]byte{1, 0, 0, 0, 255, 7, 0, 0, 255, 7, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := readLayers(bytes.NewReader(b))
		if err != nil {
			return
		}
		var s scratch
		out := make([]float32, n.outputs())
		n.run(&s, [][]input{{{uint16(n.inputs() - 1), 1}}}, out)
	})
}

func BenchmarkEvaluate(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	n, err := readLayers(bytes.NewReader(layersFile(rng, 196, 512, 512, 256, 128, 5)))
	if err != nil {
		b.Fatal(err)
	}
	inputs := make([][]input, together)
	for k := range inputs {
		for range 30 {
			inputs[k] = append(inputs[k], input{uint16(rng.IntN(196)), 1})
		}
	}
	var s scratch
	out := make([]float32, together*5)
	for b.Loop() {
		n.run(&s, inputs, out)
	}
	b.ReportMetric(float64(b.N*together)/b.Elapsed().Seconds(), "positions/s")
}
