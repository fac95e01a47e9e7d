package index

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzReadMeta reads an edited file: it returns an error, or a Meta that can be written and
// read again.
func FuzzReadMeta(f *testing.F) {
	f.Add([]byte(`{"format":1,"account":"bot","server":"fibs.com:4321","started":"2026-01-02T03:04:05Z","preset":"expert","rating_after":[1510.5,1489.5]}`))
	f.Add([]byte(`{"format":1,"started":"10000-01-01T00:00:00Z"}`))
	f.Add([]byte(`{"format":1,"rating_after":[1e999]}`))
	f.Add([]byte(`[]`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, text []byte) {
		match := filepath.Join(t.TempDir(), "m.sgf")
		if err := os.WriteFile(MetaFile(match), text, 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := ReadMeta(match)
		if err != nil {
			if m != (Meta{}) {
				t.Fatalf("%+v beside the error %v", m, err)
			}
			return
		}
		if err := WriteMeta(match, m); err != nil {
			t.Fatal(err)
		}
		again, err := ReadMeta(match)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(m, again); diff != "" {
			t.Fatal(diff)
		}
	})
}

// A Meta of another format is refused, and the error says what to do.
func TestReadMeta_anotherFormat(t *testing.T) {
	match := filepath.Join(t.TempDir(), "m.sgf")
	for _, text := range []string{`{"account":"bot"}`, `{"format":2,"account":"bot"}`} {
		if err := os.WriteFile(MetaFile(match), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if m, err := ReadMeta(match); err == nil || !strings.Contains(err.Error(), "archive rebuild") || m != (Meta{}) {
			t.Errorf("%s: %+v, %v", text, m, err)
		}
	}
}
