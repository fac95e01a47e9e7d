package xg

import (
	"bytes"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

// A file that is cut anywhere is called damaged, in one line, and never encrypted.
func TestRead_cutFile(t *testing.T) {
	whole := sample(t)
	for n := len(Magic); n < len(whole); n += 499 {
		_, _, err := Read(bytes.NewReader(whole[:n]))
		if err == nil || !strings.Contains(err.Error(), "damaged .xg file: ") || strings.Contains(err.Error(), "encrypted") || strings.Contains(err.Error(), "\n") {
			t.Fatalf("cut at byte %d: %v", n, err)
		}
	}
}

// A match that is cut inside its container, where check sums are right, is called damaged
// wherever it ends, except where it is a whole position and nothing says that more followed.
func TestRead_cutMatch(t *testing.T) {
	testsize.Medium(t)
	parts, _, err := members(sample(t))
	if err != nil {
		t.Fatal(err)
	}
	data, ends := parts["temp.xg"], parts["temp.xgi"]
	records := len(data) / recordSize
	read := func(n int, ends []byte) string {
		all := map[string][]byte{"temp.xg": data[:n]}
		if ends != nil {
			all["temp.xgi"] = ends
		}
		_, ws, err := Read(bytes.NewReader(file(all, false)))
		if err != nil {
			return err.Error()
		}
		var said []string
		for _, w := range ws {
			said = append(said, w.Text)
		}
		return strings.Join(said, "; ")
	}
	for i := 0; i < records; i += 1 + i/6 {
		for _, inside := range []int{0, 1, recordSize / 2, recordSize - 1} {
			n := i*recordSize + inside
			for _, with := range [][]byte{ends, nil} {
				// Headers and a cube record, perhaps with a roll, are a position.
				position := with == nil && inside == 0 && (i == 3 || i == 4)
				if said := read(n, with); strings.Contains(said, "encrypted") || strings.Contains(said, "damaged .xg file") == position {
					t.Fatalf("cut after %d records and %d bytes: %q", i, inside, said)
				}
			}
		}
	}
	if said := read(len(data), ends); said != "" {
		t.Errorf("the whole match: %s", said)
	}
	// A match saved before its end: temp.xgi has its last record.
	n := (records - 7) * recordSize
	if said := read(n, append(bytes.Clone(data[:recordSize]), data[n-recordSize:n]...)); said != "" {
		t.Errorf("an unfinished match: %s", said)
	}
}
