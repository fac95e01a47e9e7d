package browser

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"

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
// weights of a unit are stored together, less those of that unit, without the last bits that none of
// them has, and small ones of either sign as small numbers (0, -1, 1, -2...): all low bytes of the layer,
// then all high ones, most of which are 0. The numbers behind it are stored as the first bytes of all, then
// the second...
type layer struct {
	At     int   `json:"at"`    // in the program
	Shift  int   `json:"shift"` // how many last bits are left out
	Rows   int   `json:"rows"`
	Units  int   `json:"units"`
	Floats int   `json:"floats"`
	Like   []int `json:"like"` // for each unit the number of an earlier one, counted over all layers with so many rows; -1 for none
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
	known := map[int][][]int16{} // units by their length
	for _, s := range m.Nets {
		last := s.Hidden
		if s.Second > 0 {
			last = s.Second
		}
		l := layer{At: at, Rows: s.Inputs, Units: s.Hidden, Floats: s.Hidden + (s.Hidden+1)*s.Second + 5*last + 5}
		l.Like, l.Shift = arrangeLayer(program[at:][:2*l.Rows*l.Units], l.Rows, known)
		at += 2 * l.Rows * l.Units
		planes(program[at:][:4*l.Floats], 4)
		at += 4 * l.Floats
		list = append(list, l)
	}
	return list, nil
}

// arrangeLayer arranges a layer and adds its units to those known.
func arrangeLayer(data []byte, rows int, known map[int][][]int16) (like []int, shift int) {
	units := len(data) / 2 / rows
	own := make([][]int16, units)
	for u := range own {
		own[u] = make([]int16, rows)
		for r := range own[u] {
			own[u][r] = int16(binary.LittleEndian.Uint16(data[2*(r*units+u):]))
		}
	}
	differences, all := make([]int16, 0, units*rows), int16(0)
	for _, unit := range own {
		k := nearest(unit, known[rows])
		like = append(like, k)
		for r, v := range unit {
			if k >= 0 {
				v -= known[rows][k][r]
			}
			differences = append(differences, v)
			all |= v
		}
	}
	if all != 0 {
		shift = bits.TrailingZeros16(uint16(all))
	}
	for i, v := range differences {
		v >>= shift
		binary.LittleEndian.PutUint16(data[2*i:], uint16(v<<1^v>>15))
	}
	known[rows] = append(known[rows], own...)
	planes(data, 2)
	return like, shift
}

// nearest returns the number of the unit of list that is most like unit, or -1 if none is.
func nearest(unit []int16, list [][]int16) (best int) {
	least := math.MaxInt
	best = -1
	for k, other := range append([][]int16{make([]int16, len(unit))}, list...) {
		sum := 0
		for r := 0; r < len(unit) && sum < least; r++ {
			d := int(unit[r]) - int(other[r])
			sum += max(d, -d)
		}
		if sum < least {
			best, least = k-1, sum
		}
	}
	return best
}

// planes stores numbers of so many bytes as the first bytes of all, then the second and so on.
func planes(data []byte, size int) {
	old, n := bytes.Clone(data), len(data)/size
	for i, b := range old {
		data[i%size*n+i/size] = b
	}
}
