package farm

import (
	"sync/atomic"
	"testing"

	"fibsbot/internal/freeport"
	"fibsbot/internal/testsize"
)

// TestServer_tidy: a result that comes after its job was cancelled does not wait for the
// next job to be removed; those of a job that is left unfinished stay.
func TestServer_tidy(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	s, err := Serve(t.Context(), ServerOptions{Listen: freeport.On(t, "127.0.0.1"), Dir: t.TempDir(), pace: quick})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	submitKey, workKey := s.KeyFiles()
	boss, hand := client(t, s.URL(), submitKey), client(t, s.URL(), workKey)
	testWorker(t, hand, "a", nil, square{runs: new(atomic.Int64)})
	kept, gone := submit(t, boss, "kept"), submit(t, boss, "gone")
	put := func(id string) {
		if _, err := hand.put(t.Context(), result(id, "late", hand.id, "1")); err != nil {
			t.Fatal(err)
		}
	}
	if err := kept.Close(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	put(kept.Job.ID)
	if _, err := boss.Cancel(t.Context(), gone.Job.ID); err != nil {
		t.Fatal(err)
	}
	put(gone.Job.ID)
	_ = gone.Close(t.Context(), false) // it may say that it was cancelled
	comes(t, "the end of a late result", func() bool {
		n, err := boss.stored(t.Context(), gone.Job.ID)
		return err == nil && n == 0
	})
	if n, err := boss.stored(t.Context(), kept.Job.ID); err != nil || n != 1 {
		t.Errorf("%d results of a job that was left are kept, want 1: %v", n, err)
	}
}
