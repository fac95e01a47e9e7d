package farm

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// stored is a farm with a file of three parts.
func stored(t *testing.T) (boss, worker *Client, path string, f File) {
	t.Helper()
	s := testServer(t, ServerOptions{})
	submitKey, workKey := s.KeyFiles()
	boss, worker = client(t, s.URL(), submitKey), client(t, s.URL(), workKey)
	path = filepath.Join(t.TempDir(), "x.weights")
	if err := os.WriteFile(path, bytes.Repeat([]byte("0123456789abcdef"), blobPart/16*2+3), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := boss.Upload(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return boss, worker, path, f
}

// places are the sequence numbers of the parts of a file; those that were stored again
// stand elsewhere.
func places(t *testing.T, c *Client, f File) (out []uint64) {
	t.Helper()
	for part := int64(0); part*blobPart < f.Size; part++ {
		m, ok, err := c.last(t.Context(), blobStream, blobSubject(f.SHA256, part))
		if err != nil || !ok {
			t.Fatalf("part %d: %v, %v", part, ok, err)
		}
		out = append(out, m.Sequence)
	}
	return out
}

// TestClient_filesInUseStay: a file goes so long after a command used it, not after it came first.
func TestClient_filesInUseStay(t *testing.T) {
	t.Parallel()
	boss, worker, path, f := stored(t)
	first := places(t, boss, f)
	for _, tt := range []struct {
		ahead time.Duration
		again bool
	}{{fileLife / 3, false}, {fileLife * 2 / 3, true}} {
		boss.ahead = tt.ahead
		if again, err := boss.Upload(t.Context(), path); err != nil || again != f {
			t.Fatal(again, err)
		}
		for part, at := range places(t, boss, f) {
			if (at != first[part]) != tt.again {
				t.Errorf("after %v part %d has number %d, before %d", tt.ahead, part, at, first[part])
			}
		}
	}
	if _, err := worker.fetch(t.Context(), f, t.TempDir()); err != nil {
		t.Error(err)
	}
}
