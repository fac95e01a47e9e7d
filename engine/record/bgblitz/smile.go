package bgblitz

import (
	"errors"
	"fmt"
	"math"
)

// Limits of a document.
const (
	maxDepth   = 64
	maxValues  = 4_000_000
	maxShared  = 1024
	sharedSize = 64 // bytes of a string that joins a table
)

var errCut = errors.New("the document ends in the middle of a value")

// smile decodes a SMILE document into maps, slices, strings, float64, bool and nil.
type smile struct {
	in            []byte
	at            int
	names, values []string
	shareNames    bool
	shareValues   bool
	count         int
}

// decodeSmile reads a document that begins with its head, ":)" and a line end.
func decodeSmile(in []byte) (any, error) {
	if len(in) < 4 || string(in[:3]) != ":)\n" {
		return nil, errors.New("no SMILE document")
	}
	s := smile{in: in, at: 4, shareNames: in[3]&1 != 0, shareValues: in[3]&2 != 0}
	if in[3]>>4 != 0 {
		return nil, fmt.Errorf("SMILE of version %d", in[3]>>4)
	}
	return s.value(0)
}

func (s *smile) byte() (byte, error) {
	if s.at >= len(s.in) {
		return 0, errCut
	}
	s.at++
	return s.in[s.at-1], nil
}

func (s *smile) take(n int) ([]byte, error) {
	if n < 0 || n > len(s.in)-s.at {
		return nil, errCut
	}
	s.at += n
	return s.in[s.at-n : s.at], nil
}

// long reads up to the byte that ends a long string.
func (s *smile) long() (string, error) {
	for i := s.at; i < len(s.in); i++ {
		if s.in[i] == 0xfc {
			out := string(s.in[s.at:i])
			s.at = i + 1
			return out, nil
		}
	}
	return "", errCut
}

// number reads an integer of 7-bit groups, the last of 6 bits.
func (s *smile) number() (uint64, error) {
	var n uint64
	for range 11 {
		c, err := s.byte()
		if err != nil {
			return 0, err
		}
		if c&0x80 != 0 {
			return n<<6 | uint64(c&0x3f), nil
		}
		n = n<<7 | uint64(c)
	}
	return 0, errors.New("an integer of more than 64 bits")
}

func zigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// share adds a string to a table and empties a full one first. Entries whose number
// ends in FE or FF exist, but are never referred to.
func share(table *[]string, v string) {
	if len(v) > sharedSize {
		return
	}
	if len(*table) >= maxShared {
		*table = (*table)[:0]
	}
	*table = append(*table, v)
}

func lookUp(table []string, i int) (string, error) {
	if i < 0 || i >= len(table) {
		return "", fmt.Errorf("a reference to string %d of %d", i, len(table))
	}
	return table[i], nil
}

// text reads a string value of n bytes that joins the table of values.
func (s *smile) text(n int) (any, error) {
	b, err := s.take(n)
	if err != nil {
		return nil, err
	}
	if s.shareValues {
		share(&s.values, string(b))
	}
	return string(b), nil
}

// bits reads n 7-bit groups, right-aligned.
func (s *smile) bits(n int) (uint64, error) {
	b, err := s.take(n)
	if err != nil {
		return 0, err
	}
	var v uint64
	for _, c := range b {
		v = v<<7 | uint64(c&0x7f)
	}
	return v, nil
}

func (s *smile) value(depth int) (any, error) {
	if s.count++; s.count > maxValues || depth > maxDepth {
		return nil, errors.New("more or deeper values than a match has")
	}
	c, err := s.byte()
	if err != nil {
		return nil, err
	}
	switch {
	case c >= 0x01 && c <= 0x1f:
		return lookUp(s.values, int(c)-1)
	case c >= 0x40 && c <= 0x7f:
		return s.text(int(c) - 0x40 + 1)
	case c >= 0x80 && c <= 0xbf:
		return s.text(int(c) - 0x80 + 2)
	case c >= 0xc0 && c <= 0xdf:
		return float64(zigzag(uint64(c & 0x1f))), nil
	case c >= 0xec && c <= 0xef:
		low, err := s.byte()
		if err != nil {
			return nil, err
		}
		return lookUp(s.values, int(c&3)<<8|int(low))
	}
	switch c {
	case 0x20:
		return "", nil
	case 0x21:
		return nil, nil
	case 0x22:
		return false, nil
	case 0x23:
		return true, nil
	case 0x24, 0x25:
		n, err := s.number()
		return float64(zigzag(n)), err
	case 0x28:
		n, err := s.bits(5)
		return float64(math.Float32frombits(uint32(n))), err
	case 0x29:
		n, err := s.bits(10)
		return math.Float64frombits(n), err
	case 0xe0, 0xe4:
		return s.long()
	case 0xf8:
		return s.array(depth)
	case 0xfa:
		return s.object(depth)
	}
	return nil, fmt.Errorf("a value of kind %02x", c)
}

func (s *smile) array(depth int) (any, error) {
	out := []any{}
	for {
		if s.at < len(s.in) && s.in[s.at] == 0xf9 {
			s.at++
			return out, nil
		}
		v, err := s.value(depth + 1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
}

func (s *smile) object(depth int) (any, error) {
	out := map[string]any{}
	for {
		name, end, err := s.key()
		if err != nil || end {
			return out, err
		}
		if out[name], err = s.value(depth + 1); err != nil {
			return nil, err
		}
	}
}

// key reads the name of a field, or the end of the object.
func (s *smile) key() (name string, end bool, err error) {
	c, err := s.byte()
	if err != nil {
		return "", false, err
	}
	n := 0
	switch {
	case c == 0xfb:
		return "", true, nil
	case c == 0x20:
		return "", false, nil
	case c >= 0x30 && c <= 0x33:
		low, err := s.byte()
		if err != nil {
			return "", false, err
		}
		name, err = lookUp(s.names, int(c&3)<<8|int(low))
		return name, false, err
	case c == 0x34:
		if name, err = s.long(); err == nil && s.shareNames {
			share(&s.names, name)
		}
		return name, false, err
	case c >= 0x40 && c <= 0x7f:
		name, err = lookUp(s.names, int(c)-0x40)
		return name, false, err
	case c >= 0x80 && c <= 0xbf:
		n = int(c) - 0x80 + 1
	case c >= 0xc0 && c <= 0xf7:
		n = int(c) - 0xc0 + 2
	default:
		return "", false, fmt.Errorf("a name of kind %02x", c)
	}
	b, err := s.take(n)
	if err == nil && s.shareNames {
		share(&s.names, string(b))
	}
	return string(b), false, err
}
