package weights

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fibsbot/engine/nn"
)

func TestEmbedded_isUsableAndSmall(t *testing.T) {
	begin := time.Now()
	s, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range nn.Classes() {
		if s.NetFor(class) == nil {
			t.Fatalf("no net for %s", class)
		}
	}
	if s.Manifest.Name == "" || len(s.Manifest.History) == 0 {
		t.Errorf("the manifest says nothing of where the nets came from: %+v", s.Manifest)
	}
	if len(file) > 16<<20 {
		t.Errorf("%d bytes in the binary, at most 16 MiB are allowed", len(file))
	}
	// Generous for a loaded machine and the race detector; without them it takes
	// about 10 ms of the 100 ms that may pass before the first evaluation.
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("loading took %v", took)
	}
}

func TestLoad_refusesWhatIsNoWeightsFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	flipped := append([]byte(nil), file...)
	flipped[len(flipped)/2] ^= 1
	for _, tt := range []struct {
		name, path string
		want       error
	}{
		{"no such file", filepath.Join(dir, "none"), fs.ErrNotExist},
		{"an empty file", write("empty", nil), nn.ErrNotWeights},
		{"some text", write("text", []byte("GNU Backgammon 1.00\n0.1 0.2\n")), nn.ErrNotWeights},
		{"half a file", write("half", file[:len(file)/2]), nn.ErrDamaged},
		{"one bit changed", write("bit", flipped), nn.ErrDamaged},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Load(tt.path); !errors.Is(err, tt.want) {
				t.Errorf("Load: %v, want %v", err, tt.want)
			}
		})
	}
	s, err := Load(write("good", file))
	if err != nil {
		t.Fatal(err)
	}
	if e, _ := Embedded(); s.NetFor(nn.ClassContact).String() != e.NetFor(nn.ClassContact).String() {
		t.Errorf("loaded %v, embedded %v", s.NetFor(nn.ClassContact), e.NetFor(nn.ClassContact))
	}
	if e, err := Load(""); err != nil || e.NetFor(nn.ClassContact) == nil {
		t.Errorf("an empty path: %v, want the embedded nets", err)
	}
}
