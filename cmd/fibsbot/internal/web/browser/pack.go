package browser

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"fibsbot/engine/nn"
	"fibsbot/engine/search"
	"fibsbot/weights"
)

// A packed program is compressed by gzip: the length of a packing (uint32, little endian), that
// packing as JSON, and the program. In it the weights of the nets are arranged so that they
// compress better; unpack.js has the inverse.
type packing struct {
	Layers []layer `json:"layers"`
	Floats []span  `json:"floats"`
}

// span is numbers of four bytes that are stored as the first bytes of all, then the second...
type span struct {
	At    int `json:"at"` // in the program
	Count int `json:"count"`
}

// layer is the first layer of a net with the numbers behind it. The nets of plans were fitted
// on from one net, so most units are like one of an earlier net, wherever that stands there. The
// weights of a unit are stored less those of that unit. Then the weights of an input are stored together,
// without the last bits that none of them has, and small ones of either sign as small numbers (0, -1, 1, -2...):
// all low bytes of the layer, then all high ones, most of which are 0. Inputs with small weights come first.
// The numbers behind it are stored as the first bytes of all, then the second... Those of the second
// layer are multiples of 2^-Grid; they are stored as whole numbers, small ones of either sign as small ones.
type layer struct {
	At     int   `json:"at"`    // in the program
	Order  []int `json:"order"` // of the inputs
	Shift  []int `json:"shift"` // for each input, how many last bits are left out
	Units  int   `json:"units"`
	Floats int   `json:"floats"`
	Second int   `json:"second"` // how many of them are weights of the second layer, after one for each unit
	Grid   int   `json:"grid"`
	Like   []int `json:"like"` // for each unit the number of an earlier one, counted over all layers with so many inputs; -1 for none
}

// pack compresses a program.
func pack(wasm []byte) ([]byte, error) {
	var p packing
	nets := weights.File()
	wasm = bytes.Clone(wasm)
	if at := bytes.Index(wasm, nets); at >= 0 { // else weights of another version
		var err error
		if p.Layers, err = arrange(wasm[:at+len(nets)], at); err != nil {
			return nil, err
		}
	}
	small, err := search.SmallNet().Bytes()
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	if at := bytes.Index(wasm, small); at >= 0 {
		planes(wasm[at:][:len(small)], 4)
		p.Floats = append(p.Floats, span{at, len(small) / 4})
	}
	head, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	for _, part := range [][]byte{binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head, wasm} {
		if _, err := z.Write(part); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return b.Bytes(), err
}

// arrange stores the weights, which begin at program[at:] and end with it, in another order.
func arrange(program []byte, at int) (list []layer, err error) {
	var m nn.Manifest
	const begin = 16 // behind magic word, version and length
	length := int(binary.LittleEndian.Uint32(program[at+begin-4:]))
	if err := json.Unmarshal(program[at+begin:at+begin+length], &m); err != nil {
		return nil, fmt.Errorf("pack the weights: %w", err)
	}
	at += begin + length
	known := map[int]*units{} // by their length
	for _, s := range m.Nets {
		last := s.Hidden
		if s.Second > 0 {
			last = s.Second
		}
		l := layer{At: at, Units: s.Hidden, Floats: s.Hidden + (s.Hidden+1)*s.Second + 5*last + 5, Second: s.Hidden * s.Second}
		l.arrange(program[at:][:2*s.Inputs*s.Hidden], s.Inputs, known)
		at += 2 * s.Inputs * s.Hidden
		l.wholeNumbers(program[at+4*s.Hidden:][:4*l.Second])
		planes(program[at:][:4*l.Floats], 4)
		at += 4 * l.Floats
		list = append(list, l)
	}
	return list, nil
}

// arrange arranges the weights of a layer with so many inputs and adds its units to those known.
func (l *layer) arrange(data []byte, inputs int, known map[int]*units) {
	own := make([][]int16, l.Units)
	less := make([][]int16, inputs) // the differences
	all := make([]int16, inputs)    // the bits that any weight of an input has
	size := make([]int, inputs)
	for u := range own {
		own[u] = make([]int16, inputs)
		for r := range own[u] {
			own[u][r] = int16(binary.LittleEndian.Uint16(data[2*(r*l.Units+u):]))
		}
	}
	if known[inputs] == nil {
		known[inputs] = &units{order: largest(own, inputs)}
	}
	earlier := known[inputs]
	for u := range own {
		k := earlier.nearest(own[u])
		l.Like = append(l.Like, k)
		for r, v := range own[u] {
			all[r] |= v
			if k >= 0 {
				v -= earlier.list[k][r]
				all[r] |= v
			}
			less[r] = append(less[r], v)
			size[r] += max(int(v), -int(v))
		}
	}
	earlier.add(own)
	for r := range inputs {
		l.Order = append(l.Order, r)
		shift := 0
		if all[r] != 0 {
			shift = bits.TrailingZeros16(uint16(all[r]))
		}
		l.Shift = append(l.Shift, shift)
		size[r] >>= shift
	}
	slices.SortStableFunc(l.Order, func(a, b int) int { return size[a] - size[b] })
	for i, r := range l.Order {
		for u, v := range less[r] {
			v >>= l.Shift[r]
			binary.LittleEndian.PutUint16(data[2*(i*l.Units+u):], uint16(v<<1^v>>15))
		}
	}
	planes(data, 2)
}

// mostGrid bounds the grids of second layers.
const mostGrid = 30

// wholeNumbers stores the weights of a second layer as whole numbers if they can be.
func (l *layer) wholeNumbers(data []byte) {
	value := func(i int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[i:])))
	}
	for i := 0; i < len(data); i += 4 {
		for l.Grid <= mostGrid && math.Mod(math.Ldexp(value(i), l.Grid), 1) != 0 {
			l.Grid++
		}
		if l.Grid > mostGrid || math.Abs(math.Ldexp(value(i), l.Grid)) >= 1<<30 || value(i) == 0 && math.Signbit(value(i)) {
			l.Second = 0
			return
		}
	}
	for i := 0; i < len(data); i += 4 {
		v := int32(math.Ldexp(value(i), l.Grid))
		binary.LittleEndian.PutUint32(data[i:], uint32(v<<1^v>>31))
	}
}

// units are those of all layers with so many inputs.
type units struct {
	list, sorted [][]int16 // in sorted their weights are in this order
	order        []int
}

// largest are the inputs of units, those with the largest weights first.
func largest(list [][]int16, inputs int) []int {
	order, size := make([]int, inputs), make([]int, inputs)
	for r := range order {
		order[r] = r
		for _, unit := range list {
			size[r] += max(int(unit[r]), -int(unit[r]))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return size[b] - size[a] })
	return order
}

func (s *units) inOrder(unit []int16) []int16 {
	out := make([]int16, len(unit))
	for i, r := range s.order {
		out[i] = unit[r]
	}
	return out
}

func (s *units) add(list [][]int16) {
	s.list = append(s.list, list...)
	for _, unit := range list {
		s.sorted = append(s.sorted, s.inOrder(unit))
	}
}

// nearest returns the number of the first of the units that are most like this one, or -1 if none is more
// like it than zeros. Another is left as soon as it differs by more, which large weights show first.
func (s *units) nearest(unit []int16) (best int) {
	unit = s.inOrder(unit)
	least := distance(unit, make([]int16, len(unit)), math.MaxInt)
	best = -1
	for k, other := range s.sorted {
		if sum := distance(unit, other, least); sum < least {
			best, least = k, sum
		}
	}
	return best
}

// distance is the sum of the differences, or anything from most on if it is not below it.
func distance(a, b []int16, most int) (sum int) {
	const step = 8
	for len(a) >= step && sum < most {
		x, y := (*[step]int16)(a), (*[step]int16)(b)
		for i := range x {
			d := int(x[i]) - int(y[i])
			sum += max(d, -d)
		}
		a, b = a[step:], b[step:]
	}
	if sum < most {
		for i := range a {
			d := int(a[i]) - int(b[i])
			sum += max(d, -d)
		}
	}
	return sum
}

// planes stores numbers of so many bytes as the first bytes of all, then the second and so on.
func planes(data []byte, size int) {
	old, n := bytes.Clone(data), len(data)/size
	for i, b := range old {
		data[i%size*n+i/size] = b
	}
}
