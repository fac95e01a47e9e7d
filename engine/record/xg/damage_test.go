package xg

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/internal/testsize"
)

// fields are the bytes of a record that say what was done, by its kind.
var fields = map[byte][]int{
	gameHeader: {8, 12, 16, 20, 24}, cubeRecord: {8, 12, 16, 20, 24, 32, 40}, gameFooter: {8, 24, 28, 32},
	moveRecord: {8, 12, 20, 38, 46, 64, 67, 68, 72, 76, 100, 104, 108, 2308},
}

// TestRead_damage edits the records of a match inside its file and corrects the checksums. The
// reader must report whatever is then missing or different.
func TestRead_damage(t *testing.T) {
	testsize.Medium(t)
	n := recordtest.Damages(t, 40)
	parts, _, err := members(sample(t))
	if err != nil {
		t.Fatal(err)
	}
	data := parts["temp.xg"]
	read := func(data []byte) (recordtest.Reading, int, error) {
		m, ws, err := Read(bytes.NewReader(file(map[string][]byte{"temp.xg": data}, false)))
		if err != nil {
			return recordtest.Reading{}, 0, err
		}
		return recordtest.Sum([]*record.Match{m}), len(ws), nil
	}
	want, before, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	records := len(data) / recordSize
	at := func(b []byte, i int) []byte { return b[i*recordSize : (i+1)*recordSize] }
	silent := 0
	for k := range n {
		r := rand.New(rand.NewPCG(16, uint64(k)))
		bad := bytes.Clone(data)
		i := 1 + r.IntN(records-2)
		what, gone, changed := "", 0, 0
		switch r.IntN(6) {
		case 0:
			what, gone = "record lost", 3
			bad = append(bad[:i*recordSize], bad[(i+1)*recordSize:]...)
		case 1:
			what = "record doubled"
			bad = append(bad[:i*recordSize:i*recordSize], data[(i-1)*recordSize:]...)
		case 2:
			what = "records exchanged"
			copy(at(bad, i), at(data, i+1))
			copy(at(bad, i+1), at(data, i))
		case 3:
			what, gone = "record emptied", 3
			clear(at(bad, i))
		default:
			f := fields[data[i*recordSize+8]]
			if f == nil {
				continue
			}
			k := f[r.IntN(len(f))]
			bad[i*recordSize+k] ^= byte(1 + r.IntN(7))
			what, changed = fmt.Sprintf("byte %d of a record of kind %d: %d, not %d", k, data[i*recordSize+8], bad[i*recordSize+k], data[i*recordSize+k]), 3
		}
		got, ws, err := read(bad)
		if err != nil || ws > before {
			continue
		}
		if lost := want.Less(got, gone, changed); lost != "" {
			silent++
			t.Errorf("damage %d, record %d: %s: %s", k, i, what, lost)
		}
	}
	t.Logf("%d damages, %d silent", n, silent)
}
