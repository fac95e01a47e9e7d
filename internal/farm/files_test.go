package farm

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// aged is a farm that keeps files for four hours, with one of three parts.
func aged(t *testing.T) (boss, worker *Client, path string, f File) {
	t.Helper()
	s := testServer(t, ServerOptions{Keep: time.Hour})
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

// TestClient_filesInUseStay: a file goes so long after its last use, not after it came first.
func TestClient_filesInUseStay(t *testing.T) {
	t.Parallel()
	boss, worker, path, f := aged(t)
	first := places(t, boss, f)
	for _, tt := range []struct {
		hours int
		again bool
	}{{1, false}, {3, true}} {
		boss.ahead.Store(int64(time.Duration(tt.hours) * time.Hour))
		if again, err := boss.Upload(t.Context(), path); err != nil || again != f {
			t.Fatal(again, err)
		}
		for part, at := range places(t, boss, f) {
			if (at != first[part]) != tt.again {
				t.Errorf("after %d hours part %d has number %d, before %d", tt.hours, part, at, first[part])
			}
		}
	}
	if _, err := worker.fetch(t.Context(), f, t.TempDir()); err != nil {
		t.Error(err)
	}
}

// TestCrew_filesOfARunningJobStay: a job may run longer than files are kept, and workers may
// come late; a farm that an earlier version has made is mended.
func TestCrew_filesOfARunningJobStay(t *testing.T) {
	t.Parallel()
	boss, worker, _, f := aged(t)
	s, err := boss.js.Stream(t.Context(), blobStream)
	if err != nil {
		t.Fatal(err)
	}
	cfg := s.CachedInfo().Config
	cfg.DiscardNewPerSubject = true
	if _, err := boss.js.UpdateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	asked, hours := make(chan time.Duration), make(chan time.Time)
	boss.streams.Clear()
	boss.after = func(d time.Duration) <-chan time.Time {
		asked <- d
		return hours
	}
	e := testEngine
	e.Weights, e.Others = &f, []File{{}}
	crew, err := boss.Submit(t.Context(), Job{Kind: "square", Spec: []byte("1"), Engine: e}, func() (int, error) { return 1, nil })
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan string, 10)
	crew.SetWarn(func(text string) { told <- text })
	look := func() time.Duration { // has it look, and says when it wants to look again
		hours <- time.Time{}
		return <-asked
	}
	<-asked
	first := places(t, boss, f)
	if next := look(); next < 110*time.Minute || next > 2*time.Hour+time.Second {
		t.Errorf("looks again in %v, want half of four hours", next)
	}
	boss.ahead.Store(int64(3 * time.Hour))
	look()
	for part, at := range places(t, boss, f) {
		if at <= first[part] {
			t.Errorf("part %d has number %d as before", part, at)
		}
	}
	if _, err := worker.fetch(t.Context(), f, t.TempDir()); err != nil {
		t.Error(err)
	}
	if err := boss.purge(t.Context(), blobStream, blobSubject(f.SHA256, 1)); err != nil {
		t.Fatal(err)
	}
	for range 2 { // it is told once
		look()
	}
	var all []string
	for len(told) > 0 {
		if text := <-told; !strings.Contains(text, "waits: no worker") {
			all = append(all, text)
		}
	}
	if len(all) != 1 || !strings.Contains(all[0], "x.weights is no longer on the farm") {
		t.Errorf("told %q", all)
	}
	if err := crew.Close(t.Context(), true); err != nil {
		t.Error(err)
	}
}
