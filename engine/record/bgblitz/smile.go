package bgblitz

import (
	"bytes"
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

// smile decodes a SMILE document into maps, slices, strings, float64, bool and nil. After an
// error its values mean nothing.
type smile struct {
	in            []byte
	at            int
	names, values []string
	shareNames    bool
	shareValues   bool
	count         int
	err           error // the first
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
	v := s.value(0)
	return v, s.err
}

func (s *smile) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

func (s *smile) take(n int) []byte {
	if n > len(s.in)-s.at {
		s.fail(errCut)
		return make([]byte, n)
	}
	s.at += n
	return s.in[s.at-n : s.at]
}

func (s *smile) byte() byte { return s.take(1)[0] }

// long reads up to the byte that ends a long string.
func (s *smile) long() string {
	n := bytes.IndexByte(s.in[s.at:], 0xfc)
	if n < 0 {
		s.fail(errCut)
		return ""
	}
	text := string(s.take(n))
	s.at++
	return text
}

// number reads an integer of 7-bit groups, the last of 6 bits.
func (s *smile) number() uint64 {
	var n uint64
	for range 11 {
		c := s.byte()
		if c&0x80 != 0 || s.err != nil {
			return n<<6 | uint64(c&0x3f)
		}
		n = n<<7 | uint64(c)
	}
	s.fail(errors.New("an integer of more than 64 bits"))
	return 0
}

func zigzag(n uint64) float64 { return float64(int64(n>>1) ^ -int64(n&1)) }

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

func (s *smile) lookUp(table []string, i int) string {
	if i >= len(table) {
		s.fail(fmt.Errorf("a reference to string %d of %d", i, len(table)))
		return ""
	}
	return table[i]
}

// text reads a string value of n bytes that joins the table of values.
func (s *smile) text(n int) string {
	text := string(s.take(n))
	if s.shareValues {
		share(&s.values, text)
	}
	return text
}

// bits reads n 7-bit groups, right-aligned.
func (s *smile) bits(n int) (v uint64) {
	for _, c := range s.take(n) {
		v = v<<7 | uint64(c&0x7f)
	}
	return v
}

func (s *smile) value(depth int) any {
	if s.count++; s.count > maxValues || depth > maxDepth {
		s.fail(errors.New("more or deeper values than a match has"))
		return nil
	}
	c := s.byte()
	switch n := int(c); {
	case s.err != nil:
		return nil
	case c >= 0x01 && c <= 0x1f:
		return s.lookUp(s.values, n-1)
	case c >= 0x40 && c <= 0x7f:
		return s.text(n - 0x40 + 1)
	case c >= 0x80 && c <= 0xbf:
		return s.text(n - 0x80 + 2)
	case c >= 0xc0 && c <= 0xdf:
		return zigzag(uint64(c & 0x1f))
	case c >= 0xec && c <= 0xef:
		return s.lookUp(s.values, n&3<<8|int(s.byte()))
	}
	switch c {
	case 0x20:
		return ""
	case 0x21:
		return nil
	case 0x22:
		return false
	case 0x23:
		return true
	case 0x24, 0x25:
		return zigzag(s.number())
	case 0x28:
		return float64(math.Float32frombits(uint32(s.bits(5))))
	case 0x29:
		return math.Float64frombits(s.bits(10))
	case 0xe0, 0xe4:
		return s.long()
	case 0xf8:
		return s.array(depth)
	case 0xfa:
		return s.object(depth)
	}
	s.fail(fmt.Errorf("a value of kind %02x", c))
	return nil
}

func (s *smile) array(depth int) any {
	out := []any{}
	for s.err == nil {
		if s.at < len(s.in) && s.in[s.at] == 0xf9 {
			s.at++
			break
		}
		out = append(out, s.value(depth+1))
	}
	return out
}

func (s *smile) object(depth int) any {
	out := map[string]any{}
	for {
		name, end := s.key()
		if s.err != nil || end {
			return out
		}
		out[name] = s.value(depth + 1)
	}
}

// key reads the name of a field, or the end of the object.
func (s *smile) key() (name string, end bool) {
	c := s.byte()
	switch n := int(c); {
	case s.err != nil || c == 0xfb:
		return "", true
	case c == 0x20:
		return "", false
	case c >= 0x30 && c <= 0x33:
		return s.lookUp(s.names, n&3<<8|int(s.byte())), false
	case c >= 0x40 && c <= 0x7f:
		return s.lookUp(s.names, n-0x40), false
	case c == 0x34:
		name = s.long()
	case c >= 0x80 && c <= 0xbf:
		name = string(s.take(n - 0x80 + 1))
	case c >= 0xc0 && c <= 0xf7:
		name = string(s.take(n - 0xc0 + 2))
	default:
		s.fail(fmt.Errorf("a name of kind %02x", c))
	}
	if s.shareNames {
		share(&s.names, name)
	}
	return name, false
}
