package bearoff

import "encoding/binary"

// full is the sum of a stored distribution: chances are kept as 16-bit parts of it.
const full = 65535

// Dist is a distribution of the number of rolls: the chance of needing exactly
// n rolls is At(n). The zero value is the impossible distribution, all chances 0.
type Dist struct {
	start int
	vals  []byte // little-endian 16-bit parts of full, from start on
}

// At returns the chance, within [0,1], of needing exactly n rolls.
func (d Dist) At(n int) float64 {
	n -= d.start
	if n < 0 || n*2 >= len(d.vals) {
		return 0
	}
	return float64(binary.LittleEndian.Uint16(d.vals[n*2:])) / full
}

// Len returns one more than the largest number of rolls with a chance above 0.
func (d Dist) Len() int { return d.start + len(d.vals)/2 }

// Slice returns the chances of 0, 1, 2, ... rolls.
func (d Dist) Slice() []float64 {
	out := make([]float64, d.Len())
	for i := range out {
		out[i] = d.At(i)
	}
	return out
}

// Mean returns the expected number of rolls.
func (d Dist) Mean() float64 {
	var m float64
	for i := d.start; i < d.Len(); i++ {
		m += float64(i) * d.At(i)
	}
	return m
}

// Variance returns the variance of the number of rolls.
func (d Dist) Variance() float64 {
	var m, q float64
	for i := d.start; i < d.Len(); i++ {
		p := d.At(i)
		m += float64(i) * p
		q += float64(i) * float64(i) * p
	}
	return max(q-m*m, 0)
}

// noLater returns the chance that a count drawn from a is at most a count drawn
// from b minus lead: sum over i of a(i) * b(>= i+lead). With lead 0 it is the
// chance of winning the race for the player on roll (GNU Backgammon manual,
// one-sided databases).
func noLater(a, b Dist, lead int) float64 {
	// tail is b(>= i+lead) while i walks through a.
	tail := uint64(full)
	j := 0
	bn := len(b.vals) / 2
	var sum uint64
	for k, i := 0, a.start+lead-b.start; k+1 < len(a.vals); k, i = k+2, i+1 {
		for j < i && j < bn {
			tail -= uint64(binary.LittleEndian.Uint16(b.vals[2*j:]))
			j++
		}
		if tail == 0 {
			break
		}
		sum += uint64(binary.LittleEndian.Uint16(a.vals[k:])) * tail
	}
	return float64(sum) / (full * full)
}

// quantise appends the chances p[0..] to dst as 16-bit parts whose sum is
// exactly full, without leading and trailing zeros, and returns the number of
// the first one kept. The rounding error of the sum goes to the largest part,
// where it is relatively smallest.
func quantise(dst []byte, p []float64) (out []byte, start int) {
	var q [maxRolls]uint16
	sum, big := 0, 0
	first, last := -1, -1
	for i, v := range p {
		k := int(v*full + 0.5)
		q[i] = uint16(k)
		sum += k
		if k > int(q[big]) {
			big = i
		}
		if k > 0 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	q[big] = uint16(int(q[big]) + full - sum)
	for i := first; i <= last; i++ {
		dst = binary.LittleEndian.AppendUint16(dst, q[i])
	}
	return dst, first
}

// maxRolls bounds a distribution: 15 checkers on 18 points are 270 pips, at
// least 3 a roll, and each checker may waste one roll more.
const maxRolls = 128
