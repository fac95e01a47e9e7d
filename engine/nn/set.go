package nn

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
)

// Set is a whole evaluator's worth of nets: one for each class of position that
// needs one, and the manifest of the file they came from. It is immutable.
type Set struct {
	Manifest Manifest
	own      [NumNets]*Net
	// nets judge the classes: their own ones, or where the file has none those of the wider class.
	nets [NumNets]*Net
}

// The places of nets in a Set, in the order in which a file has them: that of contact positions, those
// of the plans, and these.
const (
	crashedNet       = 1 + int(NumPlans) // of crashed positions of the player on roll
	crashedTheirsNet = crashedNet + 1    // of positions crashed on the opponent's side alone
	RaceNet          = crashedNet + 2
	NumNets          = crashedNet + 3
)

// PlanNet is the place of the net of contact positions with that plan.
func PlanNet(p Plan) int { return 1 + int(p) }

// CrashedNet is the place of the net of crashed positions: theirs means on the opponent's side alone.
func CrashedNet(theirs bool) int {
	if theirs {
		return crashedTheirsNet
	}
	return crashedNet
}

// At returns the net that judges the positions of a place, or nil if the set has none.
func (s *Set) At(place int) *Net { return s.nets[place] }

// Warm lays all nets out in whole numbers, which each otherwise does when it is first asked.
func (s *Set) Warm() {
	for _, n := range s.nets {
		if n != nil {
			n.wholeForm()
		}
	}
}

// ClassOfPlan is the class of the net for a plan in a weights file:
// "contact/backgame".
func ClassOfPlan(p Plan) string { return ClassContact + "/" + p.String() }

// Classes lists all classes of nets in the order in which a file has them.
func Classes() []string {
	list := []string{ClassContact}
	for p := range NumPlans {
		list = append(list, ClassOfPlan(p))
	}
	return append(list, ClassCrashed, ClassCrashedTheirs, ClassRace)
}

// With returns a copy of s that has n as the net of a class of Classes, nil for a
// class there is not. The manifest stays that of s.
func (s *Set) With(class string, n *Net) *Set {
	place := slices.Index(Classes(), class)
	if place < 0 {
		return nil
	}
	c := *s
	c.own[place] = n
	c.fill()
	return &c
}

// fill has every class judged by its own net or by that of the wider class: of a plan the one from which
// it was cut (of one of the opponent's the same plan of the player on roll).
func (s *Set) fill() {
	s.nets = s.own
	for place, n := range s.own {
		if n == nil && place != RaceNet {
			s.nets[place] = s.nets[wider(place)]
		}
	}
}

// NetFor returns the net that judges the positions of a class as in Classes, which may be that of
// another one; nil for a class there is not.
func (s *Set) NetFor(class string) *Net {
	place := slices.Index(Classes(), class)
	if place < 0 {
		return nil
	}
	return s.nets[place]
}

// OwnNet returns the net of a class as in Classes, nil where s has none of its own.
func (s *Set) OwnNet(class string) *Net {
	place := slices.Index(Classes(), class)
	if place < 0 {
		return nil
	}
	return s.own[place]
}

// Manifest is the part of a weights file meant for people and for the check that
// the file fits this build. Inputs and Nets are filled in when it is written.
type Manifest struct {
	Name     string             `json:"name"`               // "fibsbot-1"
	Inputs   int                `json:"inputs_version"`     // InputsVersion when it was trained
	Nets     []Shape            `json:"nets"`               // in the order of their numbers
	History  []string           `json:"history,omitempty"`  // one line a training step, oldest first
	Measured map[string]float64 `json:"measured,omitempty"` // figures of bench nets by name
}

// Shape is one net's dimensions in a manifest.
type Shape struct {
	Class      string `json:"class"` // "contact", "contact/backgame", "crashed" or "race"
	Inputs     int    `json:"inputs"`
	Hidden     int    `json:"hidden"`
	Second     int    `json:"second,omitempty"`
	Activation string `json:"activation"`
	Grid       int    `json:"grid"` // first-layer weights are whole numbers times 2^-Grid
}

// Activation names the curve of all units in the manifests of files: sums are clipped to [0,1] and
// squared.
const Activation = "squared-clipped"

// The classes of nets in a file.
const (
	ClassContact       = "contact"
	ClassCrashed       = "crashed"
	ClassCrashedTheirs = "crashed-theirs"
	ClassRace          = "race"
)

// A file is the magic word, the format version and the manifest's length (both
// uint32), the manifest as JSON, the numbers of each net, and the SHA-256 of all
// that. Numbers are little endian: the first layer int16 in steps of 2^-Grid,
// then bias, second layer, second bias, outputs and output bias as float32.
const (
	magic         = "FIBSBOTW"
	formatVersion = 1
	maxManifest   = 1 << 20
)

// MaxFile is the size of the largest weights file that is read, in bytes.
const MaxFile = 64 << 20

// Errors that a caller can tell apart; each is wrapped with details.
var (
	ErrNotWeights    = errors.New("not a fibsbot weights file")
	ErrDamaged       = errors.New("weights file is damaged")
	ErrInputsVersion = errors.New("weights are for other inputs")
)

// Write writes a weights file with the given nets, by class (ClassContact and so
// on, see Classes). A contact and a race net are required, the others may be missing. The
// manifest's Inputs and Nets are set here. The first layers are stored rounded
// to their grid, which is what evaluation uses anyway.
func Write(w io.Writer, m Manifest, nets map[string]*Weights) error {
	m.Inputs, m.Nets = InputsVersion, nil
	var body bytes.Buffer
	for _, class := range Classes() {
		n := nets[class]
		if n == nil {
			continue
		}
		if err := n.Validate(); err != nil {
			return fmt.Errorf("write %s net: %w", class, err)
		}
		m.Nets = append(m.Nets, Shape{
			Class: class, Inputs: n.Inputs, Hidden: n.Hidden, Second: n.Second,
			Activation: Activation, Grid: n.Grid(),
		})
		writeNumbers(&body, n)
	}
	if err := checkClasses(m.Nets); err != nil {
		return err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("write weights manifest: %w", err)
	}
	head := binary.LittleEndian.AppendUint32([]byte(magic), formatVersion)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	all := append(append(head, text...), body.Bytes()...)
	sum := sha256.Sum256(all)
	if _, err := w.Write(append(all, sum[:]...)); err != nil {
		return fmt.Errorf("write weights: %w", err)
	}
	return nil
}

func writeNumbers(b *bytes.Buffer, n *Weights) {
	g := n.Grid()
	raw := make([]byte, 0, 2*len(n.First))
	for _, v := range n.First {
		raw = binary.LittleEndian.AppendUint16(raw, uint16(int16(math.RoundToEven(math.Ldexp(float64(v), g)))))
	}
	for _, p := range n.parts()[1:] {
		for _, v := range p.values {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		}
	}
	b.Write(raw)
}

// inBrowser: there the file is part of the program, whose compression has a checksum; this one
// would take a third of a second.
const inBrowser = runtime.GOOS == "js"

// open checks magic, format and checksum and splits the file.
func open(data []byte) (m Manifest, numbers []byte, err error) {
	if len(data) < len(magic) || string(data[:len(magic)]) != magic {
		return m, nil, fmt.Errorf("%w: it does not begin with %q", ErrNotWeights, magic)
	}
	const head = len(magic) + 8
	if len(data) < head+sha256.Size {
		return m, nil, fmt.Errorf("%w: cut off after %d bytes", ErrDamaged, len(data))
	}
	if v := binary.LittleEndian.Uint32(data[len(magic):]); v != formatVersion {
		return m, nil, fmt.Errorf("%w: format version %d, this build reads %d", ErrNotWeights, v, formatVersion)
	}
	end := len(data) - sha256.Size
	if !inBrowser && sha256.Sum256(data[:end]) != [sha256.Size]byte(data[end:]) {
		return m, nil, fmt.Errorf("%w: checksum mismatch in %d bytes (cut off or altered)", ErrDamaged, len(data))
	}
	size := binary.LittleEndian.Uint32(data[len(magic)+4:])
	if size > maxManifest || int(size) > end-head {
		return m, nil, fmt.Errorf("%w: manifest of %d bytes", ErrDamaged, size)
	}
	if err := json.Unmarshal(data[head:head+int(size)], &m); err != nil {
		return m, nil, fmt.Errorf("%w: manifest: %v", ErrDamaged, err)
	}
	return m, data[head+int(size) : end], nil
}

// checkClasses refuses a list of nets that does not cover the classes.
func checkClasses(nets []Shape) error {
	seen := map[string]int{}
	for _, s := range nets {
		seen[s.Class]++
		want := NumInputs
		if s.Class == ClassRace {
			want = NumRaceInputs
		}
		if !slices.Contains(Classes(), s.Class) {
			return fmt.Errorf("%w: net of unknown class %q", ErrBadWeights, s.Class)
		}
		if s.Inputs != want {
			return fmt.Errorf("%w: %s net has %d inputs, this build has %d", ErrBadWeights, s.Class, s.Inputs, want)
		}
	}
	for _, c := range []string{ClassContact, ClassRace} {
		if seen[c] == 0 {
			return fmt.Errorf("%w: no %s net", ErrBadWeights, c)
		}
	}
	for c, k := range seen {
		if k > 1 {
			return fmt.Errorf("%w: %d nets of class %s", ErrBadWeights, k, c)
		}
	}
	return nil
}

// Read loads a whole weights file held in data, which the nets keep: it must not be changed
// afterwards. The error wraps ErrNotWeights, ErrDamaged, ErrInputsVersion or ErrBadWeights.
func Read(data []byte) (*Set, error) {
	m, numbers, err := open(data)
	if err != nil {
		return nil, err
	}
	if m.Inputs != InputsVersion {
		return nil, fmt.Errorf("%w: inputs version %d, this build reads %d", ErrInputsVersion, m.Inputs, InputsVersion)
	}
	if err := checkClasses(m.Nets); err != nil {
		return nil, err
	}
	s := &Set{Manifest: m}
	for _, shape := range m.Nets {
		var n *Net
		if n, numbers, err = readNet(shape, numbers); err != nil {
			return nil, fmt.Errorf("%s net: %w", shape.Class, err)
		}
		s.own[slices.Index(Classes(), shape.Class)] = n
	}
	if len(numbers) > 0 {
		return nil, fmt.Errorf("%w: %d bytes behind the last net", ErrDamaged, len(numbers))
	}
	s.fill()
	return s, nil
}

// readNet takes one net's numbers from the front of raw.
func readNet(s Shape, raw []byte) (*Net, []byte, error) {
	if s.Activation != Activation {
		return nil, nil, fmt.Errorf("%w: unknown activation %q", ErrBadWeights, s.Activation)
	}
	if s.Grid < 0 || s.Grid > 15 {
		return nil, nil, fmt.Errorf("%w: grid %d, not 0 to 15", ErrBadWeights, s.Grid)
	}
	if err := checkShape(s.Inputs, s.Hidden, s.Second); err != nil {
		return nil, nil, err
	}
	w := withoutFirst(s.Inputs, s.Hidden, s.Second)
	need := 2 * s.Inputs * s.Hidden
	for _, p := range w.parts()[1:] {
		need += 4 * len(p.values)
	}
	if len(raw) < need {
		return nil, nil, fmt.Errorf("%w: %d bytes of numbers, want %d", ErrDamaged, len(raw), need)
	}
	first := raw[:2*s.Inputs*s.Hidden]
	raw = raw[len(first):]
	for _, p := range w.parts()[1:] {
		for i := range p.values {
			p.values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
		raw = raw[4*len(p.values):]
	}
	step := float32(math.Ldexp(1, -s.Grid))
	take := func(r, j int, to []float32) {
		b := first[2*(r*s.Hidden+j):][:2*len(to)]
		for i := range to {
			to[i] = float32(int16(binary.LittleEndian.Uint16(b[2*i:]))) * step
		}
	}
	if s.Grid > finestGrid { // finer than evaluation: rounded as weights in training are
		w.First = make([]float32, s.Inputs*s.Hidden)
		for r := range w.Inputs {
			take(r, 0, w.First[r*w.Hidden:][:w.Hidden])
		}
		n, err := NewNet(w)
		return n, raw, err
	}
	// On the grid and within 16 bits as they are: nothing to check or to round.
	if err := w.validate(1); err != nil {
		return nil, nil, err
	}
	for j, v := range w.Bias {
		w.Bias[j] = round(v, s.Grid)
	}
	return &Net{rest: w, grid: s.Grid, row: take}, raw, nil
}
