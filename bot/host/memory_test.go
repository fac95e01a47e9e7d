package host

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fibsbot/engine/tune"
)

func TestMemory_survivesARestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "robbie.json")
	m, err := openMemory(file)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	m.change("anna", now, func(p *person) { p.Preset, p.SavedAt = "expert", now })
	m.hold(func(*tune.Hold) *tune.Hold { h := tune.NewHold(1600, 1300, 1900); return &h })
	if err := m.save(); err != nil {
		t.Fatal(err)
	}
	again, err := openMemory(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(person{Seen: now, Preset: "expert", SavedAt: now}, again.get("anna")); diff != "" {
		t.Error(diff)
	}
	if again.content.Hold == nil || again.content.Hold.Target != 1600 {
		t.Errorf("hold is %+v", again.content.Hold)
	}
}

// TestMemory_isWrittenLater: state that a full disk or a missing folder refused is written as soon
// as possible, without another change.
func TestMemory_isWrittenLater(t *testing.T) {
	dir := t.TempDir()
	state := filepath.Join(dir, "state")
	if err := os.WriteFile(state, nil, 0o600); err != nil { // where the folder belongs
		t.Fatal(err)
	}
	m := &memory{file: filepath.Join(state, "robbie.json")}
	m.take(content{})
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	m.change("anna", now, func(p *person) { p.Preset = "expert" })
	if err := m.save(); err == nil {
		t.Fatal("saved below a file")
	}
	if err := os.Remove(state); err != nil {
		t.Fatal(err)
	}
	if err := m.save(); err != nil {
		t.Fatal(err)
	}
	again, err := openMemory(m.file)
	if err != nil {
		t.Fatal(err)
	}
	if got := again.get("anna").Preset; got != "expert" {
		t.Errorf("preset %q after the restart", got)
	}
}

func TestMemory_damagedFileIsSetAside(t *testing.T) {
	file := filepath.Join(t.TempDir(), "robbie.json")
	if err := os.WriteFile(file, []byte(`{"people": {"anna": `), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := openMemory(file)
	if err == nil || m == nil || len(m.content.People) != 0 {
		t.Errorf("got %v, %+v", err, m)
	}
	if _, err := os.Stat(file + ".damaged"); err != nil {
		t.Error(err)
	}
}

func TestMemory_isBounded(t *testing.T) {
	m, err := openMemory(filepath.Join(t.TempDir(), "robbie.json"))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	m.change("keep", now, func(p *person) { p.Preset = "expert" })
	for i := range maxKnown + 5 {
		m.change(fmt.Sprint(i), now.Add(time.Duration(i+1)*time.Second), func(*person) {})
	}
	if n := len(m.content.People); n != maxKnown {
		t.Errorf("%d people are remembered, not %d", n, maxKnown)
	}
	if m.get("keep").Preset == "" || !m.get("0").Seen.IsZero() {
		t.Error("the wrong person was forgotten")
	}
}

// TestMemory_keep: the first change is written at once, later ones at intervals.
func TestMemory_keep(t *testing.T) {
	m, err := openMemory(filepath.Join(t.TempDir(), "memory.json"))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1000, 0)
	step := func(after time.Duration, wantWake time.Time, dirty bool) {
		t.Helper()
		wake, err := m.saveDue(now.Add(after))
		if err != nil || !wake.Equal(wantWake) || m.dirty != dirty {
			t.Errorf("after %s: wakes at %v, unwritten %v, %v", after, wake, m.dirty, err)
		}
	}
	step(0, time.Time{}, false)
	m.change("anna", now, func(p *person) { p.SavedAt = now })
	step(0, time.Time{}, false)
	m.change("bert", now, func(*person) {})
	step(time.Second, now.Add(saveEvery), true)
	step(saveEvery, time.Time{}, false)

	if n, news := m.countSaved(now, false); n != 1 || !news {
		t.Errorf("counted %d, %v", n, news)
	}
	if _, news := m.countSaved(now.Add(countEvery-1), false); news {
		t.Error("counted twice a minute")
	}
	if n, news := m.countSaved(now.Add(countEvery-1), true); n != 1 || !news {
		t.Errorf("not counted when asked: %d, %v", n, news)
	}
}
