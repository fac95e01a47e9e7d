package nn

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/internal/kernel"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
)

// randomWeights are weights about as large as trained ones.
func randomWeights(seed uint64, inputs, hidden, second int) *Weights {
	r := rand.New(rand.NewPCG(seed, 5))
	w := NewWeights(inputs, hidden, second)
	for i, p := range w.parts() {
		scale := 0.3
		if i >= 2 {
			scale = 1 / math.Sqrt(float64(hidden))
		}
		for j := range p.values {
			p.values[j] = float32(r.NormFloat64() * scale)
		}
	}
	w.Round()
	return w
}

var shapes = []struct {
	name                   string
	inputs, hidden, second int
}{
	{"one layer", NumInputs, 512, 0},
	{"odd width", NumInputs, 96, 0},
	{"wide in part", NumInputs, 352, 0},
	{"two layers", NumInputs, 512, 32},
	{"two layers, odd width", NumInputs, 352, 32},
	{"race", NumRaceInputs, 256, 0},
	{"race, two layers", NumRaceInputs, 128, 32},
}

// slowOutputs computes a net in float64 straight from the definition of Weights.
func slowOutputs(w *Weights, f *Features) (out [5]float64) {
	act := func(x float64) float64 {
		c := min(max(x, 0), 1)
		return c * c
	}
	sparse := NumSparse
	if w.Inputs == NumRaceInputs {
		sparse = NumRaceSparse
	}
	computed := make([]float32, w.Inputs-sparse)
	f.Computed(computed)
	h := make([]float64, w.Hidden)
	for j := range h {
		h[j] = float64(w.Bias[j])
		for _, r := range f.Rows(nil, w.Inputs == NumRaceInputs) {
			h[j] += float64(w.First[int(r)*w.Hidden+j])
		}
		for d, v := range computed {
			h[j] += float64(v) * float64(w.First[(sparse+d)*w.Hidden+j])
		}
		h[j] = act(h[j])
	}
	if w.Second > 0 {
		m := make([]float64, w.Second)
		for k := range m {
			m[k] = float64(w.MiddleBias[k])
			for j, x := range h {
				m[k] += x * float64(w.Middle[j*w.Second+k])
			}
			m[k] = act(m[k])
		}
		h = m
	}
	for o := range out {
		s := float64(w.OutBias[o])
		for j, x := range h {
			s += x * float64(w.Out[o*len(h)+j])
		}
		out[o] = 1 / (1 + math.Exp(-s))
	}
	return out
}

func encode(w *Weights, p *board.Position) (f Features) {
	if w.Inputs == NumRaceInputs {
		new(RaceEncoder).Encode(p, &f)
	} else {
		new(Encoder).Encode(p, &f)
	}
	return f
}

// onEach runs f with every variant of the kernels that this processor has.
func onEach(t *testing.T, f func(t *testing.T)) {
	t.Cleanup(func() { kernel.Force("") })
	for _, v := range []string{"go", "avx2", "avx512", "neon"} {
		if !kernel.Force(v) {
			t.Logf("no %s here", v)
			continue
		}
		t.Run(v, f)
	}
}

func TestEvaluate_isTheFormula(t *testing.T) {
	testsize.Medium(t)
	onEach(t, func(t *testing.T) {
		for _, s := range shapes {
			t.Run(s.name, func(t *testing.T) {
				w := randomWeights(1, s.inputs, s.hidden, s.second)
				n, err := NewNet(w)
				if err != nil {
					t.Fatal(err)
				}
				r := rand.New(rand.NewPCG(2, 2))
				var scratch Scratch
				for i := range 60 {
					p := naturalPosition(r)
					f := encode(w, &p)
					got, want := n.Evaluate(&scratch, &f), slowOutputs(w, &f)
					const limit = 5e-4 // weights, inputs and values are rounded
					for o := range got {
						if d := math.Abs(float64(got[o]) - want[o]); !(d < limit) {
							t.Fatalf("position %d: output %d is %v, by the formula %v", i, o, got[o], want[o])
						}
					}
				}
			})
		}
	})
}

func TestEvaluate_byDifferenceIsTheSameToTheBit(t *testing.T) {
	testsize.Medium(t)
	onEach(t, func(t *testing.T) {
		for _, s := range shapes {
			n, err := NewNet(randomWeights(3, s.inputs, s.hidden, s.second))
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(4, 4))
			var chain, fresh Scratch
			var out [BatchSize]Outputs
			var want []Outputs
			for i := range 300 {
				p := naturalPosition(r)
				f := encode(&Weights{Inputs: s.inputs}, &p)
				fresh.Forget()
				want = append(want, n.Evaluate(&fresh, &f))
				n.Add(&chain, &f)
				if len(want) < BatchSize && i%23 != 0 {
					continue
				}
				if k := n.Run(&chain, out[:]); k != len(want) {
					t.Fatalf("%s: %d positions run, %d added", s.name, k, len(want))
				}
				if diff := cmp.Diff(want, out[:len(want)]); diff != "" {
					t.Fatalf("%s: from nothing and by difference (-want +got):\n%s", s.name, diff)
				}
				want = want[:0]
			}
		}
	})
}

func TestEvaluate_twoNetsMayShareAScratch(t *testing.T) {
	a, _ := NewNet(randomWeights(1, NumInputs, 128, 0))
	b, _ := NewNet(randomWeights(2, NumInputs, 128, 0))
	f := encode(&Weights{Inputs: NumInputs}, &board.Start)
	var shared, own Scratch
	want := b.Evaluate(&own, &f)
	var got [BatchSize]Outputs
	a.Add(&shared, &f)
	b.Add(&shared, &f)
	if k := b.Run(&shared, got[:]); k != 1 || got[0] != want {
		t.Errorf("%v after another net, %v alone", got[0], want)
	}
	if k := b.Run(&shared, got[:]); k != 0 {
		t.Errorf("%d positions evaluated twice", k)
	}
}

func TestSigmoid(t *testing.T) {
	for x := -45.0; x <= 45; x += 0.01 {
		got, want := float64(kernel.Sigmoid(float32(x))), 1/(1+math.Exp(-float64(float32(x))))
		if math.Abs(got-want) > 2e-7 {
			t.Fatalf("sigmoid(%v) = %v, want %v", x, got, want)
		}
	}
	if got := kernel.Sigmoid(float32(math.Inf(-1))); got < 0 || got > 1e-15 {
		t.Errorf("sigmoid(-Inf) = %v", got)
	}
}

func TestWeights_roundTripThroughNet(t *testing.T) {
	testsize.Medium(t)
	for _, s := range shapes {
		w := randomWeights(6, s.inputs, s.hidden, s.second)
		n, err := NewNet(w)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(w, n.Weights()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", s.name, diff)
		}
	}
}

func TestWeights_gridCoarsensForLargeWeights(t *testing.T) {
	w := NewWeights(NumInputs, 32, 0)
	for _, tt := range []struct {
		largest float32
		want    int
	}{{0, 11}, {15.9, 11}, {-17, 10}, {100, 8}, {399, 6}} {
		w.First[7] = tt.largest
		if got := w.Grid(); got != tt.want {
			t.Errorf("largest weight %v: grid %d, want %d", tt.largest, got, tt.want)
		}
	}
}

func TestNewNet_refusesBadWeights(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, tt := range []struct {
		name, want string
		spoil      func(w *Weights)
	}{
		{"NaN in the first layer", "first layer: number 100", func(w *Weights) { w.First[100] = nan }},
		{"infinite bias", "first bias: number 1", func(w *Weights) { w.Bias[1] = inf }},
		{"infinite output", "outputs: number 0", func(w *Weights) { w.Out[0] = -inf }},
		{"far too large", "output bias", func(w *Weights) { w.OutBias[4] = 1e30 }},
		{"a row missing", "first layer has", func(w *Weights) { w.First = w.First[32:] }},
		{"other inputs", "250 inputs", func(w *Weights) { w.Inputs = 250 }},
		{"odd hidden units", "100 hidden", func(w *Weights) { w.Hidden = 100 }},
		{"too many hidden units", "hidden units", func(w *Weights) { w.Hidden = 1 << 20 }},
		{"second layer of 16", "16 units", func(w *Weights) { w.Second = 16 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := randomWeights(1, NumInputs, 32, 0)
			tt.spoil(w)
			_, err := NewNet(w)
			if !errors.Is(err, ErrBadWeights) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want bad weights with %q", err, tt.want)
			}
		})
	}
}

// file is a small whole weights file.
func file(t testing.TB, nets map[string]*Weights) []byte {
	t.Helper()
	var b bytes.Buffer
	m := Manifest{Name: "test", History: []string{"random numbers"}, Measured: map[string]float64{"ppg": -3}}
	if err := Write(&b, m, nets); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func smallNets() map[string]*Weights {
	return map[string]*Weights{
		ClassContact: randomWeights(1, NumInputs, 32, 32),
		ClassRace:    randomWeights(2, NumRaceInputs, 32, 0),
	}
}

func TestFile_roundTrip(t *testing.T) {
	nets := smallNets()
	nets[ClassCrashed] = randomWeights(3, NumInputs, 64, 0)
	s, err := Read(file(t, nets))
	if err != nil {
		t.Fatal(err)
	}
	for class, n := range map[string]*Net{ClassContact: s.At(0), ClassCrashed: s.At(CrashedNet(false)), ClassRace: s.At(RaceNet)} {
		if diff := cmp.Diff(nets[class], n.Weights()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", class, diff)
		}
	}
	m := s.Manifest
	if m.Name != "test" || len(m.Nets) != 3 || m.Inputs != InputsVersion || m.Measured["ppg"] != -3 {
		t.Errorf("manifest %+v", m)
	}
}

func TestFile_contactNetStandsInForCrashed(t *testing.T) {
	s, err := Read(file(t, smallNets()))
	if err != nil || s.NetFor(ClassCrashed) != s.NetFor(ClassContact) {
		t.Errorf("crashed net %v, contact net %v, %v", s.NetFor(ClassCrashed), s.NetFor(ClassContact), err)
	}
}

// TestFile_netOfTheWiderPlan: a plan without a net has that of the one from which it was cut.
func TestFile_netOfTheWiderPlan(t *testing.T) {
	nets := smallNets()
	for i, class := range []string{ClassOfPlan(PlanBlitz), ClassOfPlan(PlanContainmentTheirs), ClassOfPlan(PlanBearoffTheirs), ClassOfPlan(PlanMutual), ClassCrashed} {
		nets[class] = randomWeights(uint64(4+i), NumInputs, 32, 0)
	}
	s, err := Read(file(t, nets))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		class  string
		judges string
	}{
		{ClassOfPlan(PlanBlitz), ClassOfPlan(PlanBlitz)},
		{ClassOfPlan(PlanBlitzTheirs), ClassOfPlan(PlanBlitz)},
		{ClassOfPlan(PlanAttackTheirs), ClassOfPlan(PlanBlitz)},
		{ClassOfPlan(PlanShutoutTheirs), ClassOfPlan(PlanContainmentTheirs)},
		{ClassOfPlan(PlanShutout), ClassContact},
		{ClassOfPlan(PlanLoose), ClassOfPlan(PlanMutual)},
		{ClassOfPlan(PlanHoldingDeep), ClassContact},
		{ClassOfPlan(PlanBearoff), ClassContact},
		{ClassOfPlan(PlanBearoffTheirs), ClassOfPlan(PlanBearoffTheirs)},
		{ClassOfPlan(PlanBackgameTheirs), ClassContact},
		{ClassOfPlan(PlanHeld), ClassContact},
		{ClassCrashedTheirs, ClassCrashed},
	} {
		if n := s.OwnNet(tt.judges); n == nil || s.NetFor(tt.class) != n {
			t.Errorf("%s is not judged by the net of %s", tt.class, tt.judges)
		}
		if own := s.OwnNet(tt.class); (own != nil) != (tt.class == tt.judges) {
			t.Errorf("%s has a net of its own: %v", tt.class, own != nil)
		}
	}
	if s.NetFor("contact/nosuch") != nil {
		t.Error("a net judges a class that there is not")
	}
}

// forge builds a file with a right checksum around any manifest and numbers.
func forge(m Manifest, numbers []byte, version uint32) []byte {
	text, _ := json.Marshal(m)
	b := binary.LittleEndian.AppendUint32([]byte(magic), version)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	b = append(append(b, text...), numbers...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

func TestRead_refuses(t *testing.T) {
	good := file(t, smallNets())
	m, numbers, err := open(good)
	if err != nil {
		t.Fatal(err)
	}
	change := func(f func(m *Manifest)) []byte {
		c := m
		c.Nets = append([]Shape(nil), m.Nets...)
		f(&c)
		return forge(c, numbers, formatVersion)
	}
	nan := append([]byte(nil), numbers...)
	first := 2 * NumInputs * 32
	binary.LittleEndian.PutUint32(nan[first:], math.Float32bits(float32(math.NaN())))
	for _, tt := range []struct {
		name string
		data []byte
		want error
		text string
	}{
		{"nothing", nil, ErrNotWeights, "does not begin"},
		{"wrong magic", append([]byte("GNUBGWTS"), good[8:]...), ErrNotWeights, "does not begin"},
		{"cut in the head", good[:14], ErrDamaged, "cut off"},
		{"cut off", good[:len(good)-1], ErrDamaged, "checksum"},
		{"altered", append(append([]byte(nil), good...), 0), ErrDamaged, "checksum"},
		{"a later format", forge(m, numbers, 2), ErrNotWeights, "format version 2, this build reads 1"},
		{"other inputs", change(func(m *Manifest) { m.Inputs = 2 }), ErrInputsVersion, "inputs version 2, this build reads 1"},
		{"no race net", change(func(m *Manifest) { m.Nets = m.Nets[:1] }), ErrBadWeights, "no race net"},
		{"two contact nets", change(func(m *Manifest) { m.Nets = append(m.Nets, m.Nets[0]) }), ErrBadWeights, "2 nets"},
		{"unknown class", change(func(m *Manifest) { m.Nets[0].Class = "prime" }), ErrBadWeights, "prime"},
		{"wrong inputs", change(func(m *Manifest) { m.Nets[0].Inputs = NumRaceInputs }), ErrBadWeights, "inputs"},
		{"other width", change(func(m *Manifest) { m.Nets[0].Hidden = 64 }), ErrDamaged, "bytes of numbers"},
		{"huge width", change(func(m *Manifest) { m.Nets[0].Hidden = 1 << 40 }), ErrBadWeights, "hidden"},
		{"more than the nets need", forge(m, append(numbers[:len(numbers):len(numbers)], 1, 2), formatVersion), ErrDamaged, "2 bytes behind"},
		{"activation", change(func(m *Manifest) { m.Nets[0].Activation = "tanh" }), ErrBadWeights, "tanh"},
		{"grid", change(func(m *Manifest) { m.Nets[0].Grid = -1 }), ErrBadWeights, "grid"},
		{"NaN", forge(m, nan, formatVersion), ErrBadWeights, "NaN"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(tt.data)
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("%v, want %v with %q", err, tt.want, tt.text)
			}
		})
	}
}

func TestWrite_refusesIncompleteSets(t *testing.T) {
	nets := smallNets()
	delete(nets, ClassRace)
	if err := Write(&bytes.Buffer{}, Manifest{}, nets); !errors.Is(err, ErrBadWeights) {
		t.Errorf("without a race net: %v", err)
	}
	nets = smallNets()
	nets[ClassContact].Bias[0] = float32(math.NaN())
	if err := Write(&bytes.Buffer{}, Manifest{}, nets); !errors.Is(err, ErrBadWeights) {
		t.Errorf("with NaN: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	good := file(f, smallNets())
	m, numbers, _ := open(good)
	text, _ := json.Marshal(m)
	f.Add(text, uint16(0))
	f.Add([]byte(`{"inputs_version":1,"nets":[{"class":"contact","inputs":404,"hidden":32,"activation":"squared-clipped","grid":11}]}`), uint16(3))
	f.Add([]byte(`{}`), uint16(65535))
	f.Fuzz(func(t *testing.T, manifest []byte, cut uint16) {
		// Inside a right checksum, so that the fuzzer gets behind it.
		b := binary.LittleEndian.AppendUint32([]byte(magic), formatVersion)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(manifest)))
		b = append(append(b, manifest...), numbers[:len(numbers)-min(int(cut), len(numbers))]...)
		sum := sha256.Sum256(b)
		if s, err := Read(append(b, sum[:]...)); err == nil {
			if slices.Contains(s.nets[:], nil) {
				t.Error("read without an error, but a net is missing")
			}
		}
		Read(b)
	})
}

func BenchmarkEvaluate(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var ps [256]board.Position
	for i := range ps {
		ps[i] = naturalPosition(r)
	}
	n, err := NewNet(randomWeights(1, NumInputs, 512, 0))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { kernel.Force("") })
	for _, v := range []string{"go", "avx2", "avx512", "neon"} {
		if !kernel.Force(v) {
			continue
		}
		b.Run(v+"/404-512-5", func(b *testing.B) {
			var s Scratch
			var f Features
			var e Encoder
			for i := 0; b.Loop(); i++ {
				e.Encode(&ps[i&255], &f)
				n.Evaluate(&s, &f)
			}
		})
	}
}
