package bearoff

import (
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"
)

// Looking up takes no memory of the process but what it asks for: a database may be
// far bigger than the memory. Seven megabytes represent it here.
func TestOpen_takesNoMemory(t *testing.T) {
	needsStandard(t)
	path := filepath.Join(t.TempDir(), "two.bearoff")
	if err := home6().Save(path); err != nil {
		t.Fatal(err)
	}
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	db, err := OpenTwoSided(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rng := rand.New(rand.NewPCG(1, 0))
	for range 20000 {
		x, y := rng.Uint32N(924), rng.Uint32N(924)
		want, _ := home6().Raw(x, y)
		if got, ok := db.Raw(x, y); !ok || got != want {
			t.Fatalf("pair %d, %d: %v %v, want %v", x, y, got, ok, want)
		}
	}
	if grown := heap() - before; db.table.p.data != nil && grown > 256<<10 {
		t.Errorf("the heap grew by %d bytes for a file of %d", grown, db.table.size)
	}
}

// Where a file cannot be mapped its blocks are read as they are asked for, and only
// so many are kept.
func TestPayload_keepsFewBlocks(t *testing.T) {
	needsStandard(t)
	path := filepath.Join(t.TempDir(), "two.bearoff")
	if err := home6().Save(path); err != nil {
		t.Fatal(err)
	}
	db, err := OpenTwoSided(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	p := db.table.p
	p.data, p.most = nil, 4
	rng := rand.New(rand.NewPCG(2, 0))
	for range 2000 {
		x, y := rng.Uint32N(924), rng.Uint32N(924)
		want, _ := home6().Raw(x, y)
		if got, ok := db.Raw(x, y); !ok || got != want {
			t.Fatalf("pair %d, %d: %v %v, want %v", x, y, got, ok, want)
		}
		if len(p.cache) > p.most {
			t.Fatalf("%d blocks kept, at most %d", len(p.cache), p.most)
		}
	}
}
