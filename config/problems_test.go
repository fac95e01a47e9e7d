package config

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestProblems_allAtOnce: an unknown key does not hide other mistakes, and the default that
// replaces a wrong value is not reported.
func TestProblems_allAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "b")
	text := `srever: {}
server:
  address: nowhere
  rate: {burst: 99}
accounts:
  - {name: Robo, password: x, nmae: y}
pacing: {min: soon}
invitations: {hours: "25-26"}
archive: {dir: ""}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := Problems(file, Known{Presets: []string{"worldclass"}})
	if err == nil {
		t.Fatal("no problem found")
	}
	got := err.Error()
	lines := strings.Split(got, "\n")
	for i, want := range []string{":1:1: srever", ":3:12: server.address", ":4:17: server.rate.burst", "nmae", "pacing.min", "invitations.hours", "archive.dir"} {
		if i >= len(lines) || !strings.Contains(lines[i], want) {
			t.Errorf("problem %d: want %s in\n%s", i, want, got)
		}
	}
	if len(lines) != 7 {
		t.Errorf("%d problems, want 7:\n%s", len(lines), got)
	}
}

// TestShow_hidesTheDSN: nothing of the index's address is shown.
func TestShow_hidesTheDSN(t *testing.T) {
	c, _, err := Parse("b", []byte("archive: {dsn: 'postgres://me:s3cret@host/db'}"))
	if err != nil {
		t.Fatal(err)
	}
	for _, show := range []func(*Config) ([]byte, error){Show, ShowJSON} {
		out, err := show(c)
		if err != nil || strings.Contains(string(out), "s3cret") {
			t.Errorf("%v: the password is shown:\n%s", err, out)
		}
	}
	if dsn, err := c.Archive.ResolveDSN(); err != nil || dsn != "postgres://me:s3cret@host/db" {
		t.Errorf("resolved %q, %v", dsn, err)
	}
}

func TestCheck_readOnlyArchive(t *testing.T) {
	if os.Geteuid() == 0 {
		if _, err := os.Stat("/proc/self"); err != nil {
			t.Skip("skipped: as root, and no file system that is read-only")
		}
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		dir = "/proc/self" // where even root makes no file
	}
	c, src, err := Parse("b", []byte("accounts: [{name: Robo, password: x}]\narchive: {dir: "+filepath.Join(dir, "new")+"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	errs := Check(c, src, Known{Presets: []string{"worldclass"}})
	if len(errs) != 1 || errs[0].Field != "archive.dir" || !strings.Contains(errs[0].Problem, "cannot write in") {
		t.Errorf("problems: %v", errs)
	}
}

// TestWatch_followsLinks: Kubernetes mounts a configuration as a link to a file
// below a link to a folder, and switches the latter.
func TestWatch_followsLinks(t *testing.T) {
	dir := t.TempDir()
	write := func(folder, preset string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		text := "accounts: [{name: Robo, password: x}]\nstrength: {preset: " + preset + "}\n"
		if err := os.WriteFile(filepath.Join(dir, folder, "bot.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		t.Helper()
		tmp := filepath.Join(dir, name+".tmp")
		if err := os.Symlink(to, tmp); err != nil {
			t.Skipf("skipped: no symbolic links: %v", err)
		}
		if err := os.Rename(tmp, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	write("..one", "expert")
	write("..two", "casual")
	link("..one", "..data")
	link(filepath.Join("..data", "bot.yaml"), "bot.yaml")
	w, err := NewWatcher(filepath.Join(dir, "bot.yaml"), Known{Presets: []string{"worldclass", "expert", "casual", "beginner"}})
	if err != nil {
		t.Fatal(err)
	}
	w.settle = 20 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	read := make(chan error, 9)
	done := make(chan struct{})
	go func() { defer close(done); w.Watch(ctx, func(err error) { read <- err }) }()
	become := func(preset string, change func()) {
		t.Helper()
		limit := time.After(2 * time.Minute)
		again := time.NewTicker(2 * time.Second) // the watch may not have begun yet
		defer again.Stop()
		change()
		for w.Current().Strength.Preset != preset {
			select {
			case err := <-read:
				if err != nil {
					t.Fatal(err)
				}
			case <-again.C:
				change()
			case <-limit:
				t.Fatalf("the configuration stays at %s, want %s", w.Current().Strength.Preset, preset)
			}
		}
	}
	become("casual", func() { link("..two", "..data") })
	become("beginner", func() { write("..two", "beginner") })
	cancel()
	<-done
}

func TestDashboard_hosts(t *testing.T) {
	for name, sound := range map[string]bool{"bot.example.org": true, "localhost": true, "https://bot.example.org": false, "bot.example.org:80": false, "*.example.org": false, "": false} {
		c, src, err := Parse("b", []byte("dashboard: {hosts: ["+strconv.Quote(name)+"]}\n"))
		if err != nil {
			t.Fatal(err)
		}
		if found := Check(c, src, testKnown); strings.Contains(found.Error(), "dashboard.hosts[0]") == sound {
			t.Errorf("%q: %v", name, found)
		}
	}
}
