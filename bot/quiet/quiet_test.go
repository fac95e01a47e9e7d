package quiet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestList_sharedAndKept(t *testing.T) {
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
	b.next = time.Time{} // a second later
	if !b.Has("DORA") || !b.Has("carl") || b.Has("eve") {
		t.Error("the other list does not know what this one was told")
	}
	// An operator lets carl hear comments again.
	if err := os.WriteFile(file, []byte("# by hand\nDora\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.next = time.Time{}
	if !b.Has("dora") || b.Has("carl") {
		t.Error("the edited file does not count")
	}
	c, err := Open(file)
	if err != nil || !c.Has("dora") {
		t.Errorf("after a restart: %v", err)
	}
}

func TestList_lineWithoutEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "quiet.txt")
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
	file := filepath.Join(t.TempDir(), "quiet.txt")
	if err := os.WriteFile(file, []byte("two words\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Open(file)
	if err == nil || !strings.Contains(err.Error(), "quiet.txt:1") {
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
