package jellyfish

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/record/internal/recordtest"
)

// constants are the numbers of the header that nothing is known of, by their first byte.
var constants = map[int]bool{}

func init() {
	for _, n := range []int{1, 2, 3, 5, 9, 10, 11, 13, 14} {
		constants[2*n], constants[2*n+1] = true, true
	}
}

// TestRead_damage damages position files: what is not read as written gives a warning.
// FIBSBOT_DAMAGE is how many times.
func TestRead_damage(t *testing.T) {
	n := recordtest.Damages(t, 300)
	silent := 0
	for k := range n {
		r := rand.New(rand.NewPCG(21, uint64(k)))
		d := recordtest.Diagram(r)
		m, err := d.Match()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Write(&b, m); err != nil {
			t.Fatal(err)
		}
		whole := b.Bytes()
		if _, ws, err := Read(bytes.NewReader(whole)); err != nil || len(ws) > 0 {
			t.Fatalf("%v %v", ws, err)
		}
		i := r.IntN(len(whole))
		bad, what := bytes.Clone(whole), ""
		switch r.IntN(5) {
		case 0:
			bad, what = bad[:i], fmt.Sprintf("cut at %d", i)
		case 1:
			bad, what = append(bad[:i], bad[i+1:]...), fmt.Sprintf("byte %d lost", i)
		case 2:
			bad, what = append(bad[:i+1], whole[i:]...), fmt.Sprintf("byte %d doubled", i)
		default:
			bad[i] ^= 1 << r.IntN(8)
			what = fmt.Sprintf("byte %d is %d, not %d", i, bad[i], whole[i])
		}
		got, ws, err := Read(bytes.NewReader(bad))
		if err != nil || len(ws) > 0 {
			continue
		}
		var again bytes.Buffer
		if err := Write(&again, got); err != nil {
			t.Fatal(err)
		}
		out := again.Bytes()
		for i := range out {
			// Two bytes behind the names say nothing, nor does Jacoby's rule in a match. Which kind
			// of match it is is not kept.
			if i < len(bad) && (constants[i] || i >= header+10 && i < header+12 || i == 24 || i == 8 && bad[i] < 2 && bad[30] > 0) {
				bad[i] = out[i]
			}
		}
		if !bytes.Equal(out, bad) && !rest(out, bad) {
			silent++
			t.Errorf("damage %d: %s\n% x\n% x\n% x", k, what, whole, bad, out)
		}
	}
	t.Logf("%d damages, %d silent", n, silent)
}

// rest reports whether two files differ only in the bytes behind the phase of the match that
// are 0 in every file that is known.
func rest(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && (i < header+14 || i > header+16) {
			return false
		}
	}
	return true
}

func FuzzRead(f *testing.F) {
	m, err := recordtest.Diagram(rand.New(rand.NewPCG(1, 1))).Match()
	if err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, m); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, in []byte) {
		m, _, err := Read(bytes.NewReader(in))
		if err == nil && len(m.Games) != 1 {
			t.Error("no game")
		}
	})
}
