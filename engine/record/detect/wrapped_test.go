package detect

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/internal/testsize"
)

// TestRead_damageWrapped damages match files in UTF-16 and packed with gzip. The reader must
// report what is lost. FIBSBOT_DAMAGE sets the number of damages of each kind.
func TestRead_damageWrapped(t *testing.T) {
	testsize.Large(t)
	n := recordtest.Damages(t, 15)
	order := map[string]binary.AppendByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian}
	for _, file := range slices.Concat(recordtest.Samples(t, "match[35].*"), recordtest.Samples(t, "setup*.pos"), recordtest.Samples(t, "setup-snowie.txt"), recordtest.Samples(t, "short-analysed.txt")) {
		plain, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all, _, before, err := Read(bytes.NewReader(plain))
		if err != nil {
			t.Fatal(err)
		}
		want := recordtest.Sum(all)
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write(plain); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		forms := map[string][]byte{"gzip": packed.Bytes()}
		for name, o := range order {
			if !bytes.HasSuffix([]byte(file), []byte(".pos")) {
				forms["UTF-16 "+name] = inUTF16(o.(binary.ByteOrder), string(plain))
			}
		}
		for form, whole := range forms {
			if all, _, ws, err := Read(bytes.NewReader(whole)); err != nil || len(ws) > len(before) || want.Less(recordtest.Sum(all), 0, 0) != "" {
				t.Fatalf("%s in %s: %v %v", file, form, err, ws)
			}
			for k := range n {
				r := rand.New(rand.NewPCG(22, uint64(k)))
				bad, what := slices.Clone(whole), ""
				i := r.IntN(len(whole))
				gone, changed := 0, 0
				switch r.IntN(6) {
				case 0:
					if form != "gzip" { // a text that ends behind a character may be all there was
						i |= 1
					}
					bad, what = bad[:i], fmt.Sprintf("cut at %d of %d", i, len(whole))
				case 1:
					bad, what = slices.Delete(bad, i, i+1), fmt.Sprintf("byte %d lost", i)
				case 2:
					bad, what = slices.Insert(bad, i, bad[i]), fmt.Sprintf("byte %d doubled", i)
				case 3:
					bad, what = slices.Delete(bad, i, min(i+1+2*r.IntN(40), len(bad))), fmt.Sprintf("bytes from %d lost", i)
					gone = 4
				case 4:
					bad, what = append(bad, "more"[:r.IntN(4)+1]...), "bytes behind the end"
				default:
					bad[i] ^= 1 << r.IntN(8)
					what, changed = fmt.Sprintf("byte %d is %02x, not %02x", i, bad[i], whole[i]), 1
				}
				all, _, ws, err := Read(bytes.NewReader(bad))
				if err != nil || len(ws) > len(before) {
					continue
				}
				if lost := want.Less(recordtest.Sum(all), gone, changed); lost != "" {
					t.Errorf("%s in %s, damage %d: %s: %s", file, form, k, what, lost)
				}
			}
		}
	}
}
