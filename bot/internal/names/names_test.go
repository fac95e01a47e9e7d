package names

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestSet(t *testing.T) {
	s := Of("Bob", "rob*", "a?n", `x\*`)
	for name, want := range map[string]bool{"bob": true, "BOB": true, "bobby": false, "Robot": true, "ann": true, "anna": false, "x*": true, "xy": false, "": false} {
		if s.Has(name) != want {
			t.Errorf("%q: %v, want %v", name, !want, want)
		}
	}
	if (Set{}).Has("") || (Set{}).Len() != 0 || s.Len() != 4 {
		t.Error("wrong lengths")
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	var f File
	for _, st := range []struct {
		name  string
		act   func()
		after time.Duration
		has   string
		bad   bool
	}{
		{"no file", func() {}, 0, "", true},
		{"written", func() { write("bob\n") }, Every, "bob", false},
		{"not looked at", func() { write("carla\n") }, Every / 2, "bob", false},
		{"edited", func() {}, Every / 2, "carla", false},
		{"unchanged", func() {}, Every, "carla", false},
		{"no list", func() { write("two words\n") }, Every, "carla", true},
		{"a list again", func() { write("# nobody\n") }, Every, "", false},
	} {
		st.act()
		now = now.Add(st.after)
		c := f.Look(path, now)
		if got := c.Len() == 1; got != (st.has != "") || got && !c.Has(st.has) || (c.Err != nil) != st.bad {
			t.Errorf("%s: %d names, %v", st.name, c.Len(), c.Err)
		}
	}
}

// Callers do not wait for another caller's reread, and all of them see whole lists.
func TestFile_concurrent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names")
	if err := os.WriteFile(path, []byte("bob\nann\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var f File
	var wg sync.WaitGroup
	begin := time.Now()
	for k := range 8 {
		wg.Go(func() {
			for n := range 50 {
				c := f.Look(path, begin.Add(time.Duration(n*8+k)*Every))
				if l := c.Len(); c.Err != nil || l != 0 && l != 2 {
					t.Errorf("%d names, %v", l, c.Err)
				}
			}
		})
	}
	wg.Wait()
	if c := f.Look(path, begin.Add(time.Hour)); c.Len() != 2 {
		t.Errorf("in the end %d names", c.Len())
	}
}
