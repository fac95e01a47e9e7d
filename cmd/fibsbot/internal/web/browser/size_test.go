package browser

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"fibsbot/internal/testsize"
)

// mostBytes bounds what a visitor loads, compressed as a host does it: 8 MB.
const mostBytes = 8_000_000

func TestSite_size(t *testing.T) {
	testsize.Large(t)
	p, err := built()
	if err != nil {
		t.Fatal(err)
	}
	site, err := content("v1.2.3", p)
	if err != nil {
		t.Fatal(err)
	}
	sum, largest := 0, 0
	for name, data := range site {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		size := min(len(data), b.Len())
		if strings.HasSuffix(name, ".json") { // of a language: a reader loads one
			largest = max(largest, size)
			continue
		}
		sum += size
	}
	sum += largest
	t.Logf("%d bytes, %d of them the program", sum, len(p.Packed))
	if sum > mostBytes {
		t.Errorf("the site has %d bytes compressed (%d of them the program), more than %d: find what can go", sum, len(p.Packed), mostBytes)
	}
}
