package optout

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fibsbot/bot/internal/names"
	"fibsbot/config"
)

func TestList_sharedAndKept(t *testing.T) { synctest.Test(t, sharedAndKept) }

func sharedAndKept(t *testing.T) {
	file := File(t.TempDir())
	a, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Dora", "dora", "carl", "*", "two words", "x#y", ""} {
		if err := a.Add(name); err != nil {
			t.Error(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil || string(data) != "Dora\ncarl\n" {
		t.Errorf("the file holds %q, %v", data, err)
	}
	time.Sleep(names.Every)
	if !b.Has("DORA") || !b.Has("carl") || b.Has("eve") {
		t.Error("the other list does not know what this one was told")
	}
	// An operator lets carl hear comments again.
	if err := os.WriteFile(file, []byte("# by hand\nDora\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	time.Sleep(names.Every)
	if !b.Has("dora") || b.Has("carl") || !a.Has("dora") || a.Has("carl") {
		t.Error("the edited file does not count")
	}
	c, err := Open(file)
	if err != nil || !c.Has("dora") {
		t.Errorf("after a restart: %v", err)
	}
}

func TestList_lineWithoutEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "optout.txt")
	if err := os.WriteFile(file, []byte("# by hand\ncarl"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"dora", "eve"} {
		if err := l.Add(name); err != nil {
			t.Fatal(err)
		}
	}
	if data, _ := os.ReadFile(file); string(data) != "# by hand\ncarl\ndora\neve\n" {
		t.Errorf("the file holds %q", data)
	}
}

func TestList_badFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "optout.txt")
	if err := os.WriteFile(file, []byte("two words\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Open(file)
	if err == nil || !strings.Contains(err.Error(), "optout.txt:1") {
		t.Errorf("error %v", err)
	}
	if err := l.Add("dora"); err != nil || !l.Has("dora") {
		t.Errorf("the list is not usable: %v", err)
	}
	var none *List
	if none, err = Open(""); err != nil || none.Add("eve") != nil || !none.Has("eve") {
		t.Errorf("a list without a file: %v", err)
	}
}

// What is said while others look at the file is neither lost nor written twice.
func TestList_concurrent(t *testing.T) { synctest.Test(t, concurrent) }

func concurrent(t *testing.T) {
	file := File(t.TempDir())
	var lists [2]*List
	for i := range lists {
		l, err := Open(file)
		if err != nil {
			t.Fatal(err)
		}
		lists[i] = l
	}
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Go(func() {
			for n := range 20 {
				name := fmt.Sprintf("user_%d_%d", k, n)
				if err := lists[k%2].Add(name); err != nil {
					t.Error(err)
				}
				if !lists[k%2].Has(name) {
					t.Errorf("%s is not on the list", name)
				}
				time.Sleep(names.Every / 3)
			}
		})
	}
	wg.Wait()
	time.Sleep(names.Every)
	for k := range 4 {
		for n := range 20 {
			if name := fmt.Sprintf("user_%d_%d", k, n); !lists[0].Has(name) || !lists[1].Has(name) {
				t.Errorf("%s is not on both lists", name)
			}
		}
	}
	if got, err := config.ReadNames(file); err != nil || len(got) != 80 {
		t.Errorf("the file has %d names, %v; want 80", len(got), err)
	}
	for i, l := range lists {
		l.Has("user_0_0")
		if len(l.own) > 40 {
			t.Errorf("list %d keeps %d names of its own", i, len(l.own))
		}
	}
}

// A name that could not be written counts as long as the process runs.
func TestList_unwritten(t *testing.T) { synctest.Test(t, cannotWrite) }

func cannotWrite(t *testing.T) {
	dir := t.TempDir()
	l, err := Open(filepath.Join(dir, "state", "optout.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "state"), nil, 0o600); err != nil { // a file where the folder should be
		t.Fatal(err)
	}
	if err := l.Add("dora"); err == nil || !strings.Contains(err.Error(), "for this run only") {
		t.Errorf("error %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "state")); err != nil {
		t.Fatal(err)
	}
	if err := l.Add("eve"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(names.Every)
	if !l.Has("dora") || !l.Has("eve") {
		t.Error("forgotten")
	}
}
