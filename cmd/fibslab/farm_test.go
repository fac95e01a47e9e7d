package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/cmd/internal/cmdline"
	"fibsbot/internal/farm"
	"fibsbot/internal/testsize"
)

// timed matches durations, which differ between two equal runs.
var timed = regexp.MustCompile(`"(seconds|games_per_s)": ?[0-9.e+-]+|\([0-9.]+ games/s\)|(?m)^[0-9hms]+ .*k/s$`)

// tree is the text of all files of a folder and below, by name, without times.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".lock" {
			return err
		}
		text, err := os.ReadFile(path)
		said := fmt.Sprintf("%x", sha256.Sum256(text))
		if utf8.Valid(text) {
			said = timed.ReplaceAllString(string(text), "")
		}
		out.WriteString("== " + strings.TrimPrefix(path, dir) + "\n" + said + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// serveFarm serves a farm in this process and returns the flags of commands and of workers.
func serveFarm(t *testing.T) (submit, work []string) {
	t.Helper()
	s, err := farm.Serve(t.Context(), farm.ServerOptions{Listen: "127.0.0.1:0", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	a, b := s.KeyFiles()
	return []string{"--farm", s.URL(), "--farm-key", a}, []string{"--farm", s.URL(), "--farm-key", b}
}

// startWorker runs fibslab farm work until the test ends: in this process, or, under the
// race detector, in one without it.
func startWorker(t *testing.T, name string, flags []string) {
	t.Helper()
	args := append([]string{"farm", "work", "--threads", "1", "--machine", name, "--cache", t.TempDir()}, flags...)
	if testsize.Race {
		cmd := plainCommand(t, args...)
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			_ = cmd.Wait() // the exit status says it
			close(ended)
		}()
		t.Cleanup(func() { _ = cmd.Process.Kill(); <-ended })
		select {
		case <-ended:
			t.Fatalf("worker %s ended: %s", name, said.String())
		case <-time.After(2 * time.Second): // refused flags and keys show by then
		}
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan int, 1)
	go func() { done <- run(ctx, args, strings.NewReader(""), io.Discard, t.Output()) }()
	select {
	case code := <-done:
		t.Fatalf("worker %s ended with status %d", name, code)
	case <-time.After(time.Second): // refused flags and keys show by then
	}
	t.Cleanup(func() {
		stop()
		if code := <-done; code != cmdline.ExitDone {
			t.Errorf("worker %s: status %d", name, code)
		}
	})
}

// TestFarm_everyKindIsEqualToTheByte runs each heavy job locally and on a farm of two
// workers: what is printed and what is in the files is the same.
func TestFarm_everyKindIsEqualToTheByte(t *testing.T) {
	t.Parallel()
	testsize.Large(t)
	positions, err := train.BenchPositions()
	if err != nil {
		t.Fatal(err)
	}
	submit, work := serveFarm(t)
	for _, name := range []string{"a", "b"} {
		startWorker(t, name, work)
	}
	for _, tt := range []struct {
		name string
		args string // DIR is a folder of the run
	}{
		{"label", "train label DIR/in.bin DIR/out.bin --plies 1 --farm-piece 30ms"},
		{"selfplay", "train selfplay --out DIR --positions 600 --farm-piece 30ms"},
		{"tune measure", "tune measure --pair expert,noise:0.05:0.05 --lengths 1 --block 2 --max-pairs 8 -o DIR/m"},
		{"tune check", "tune check --targets 1500 --lengths 1 --max-pairs 50 --block 10 --interval 1 --tolerance 1000 -o DIR/c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var printed, files [2]string
			var left [2]int
			for far := range 2 {
				dir := t.TempDir()
				if err := train.WriteRecords(filepath.Join(dir, "in.bin"), positions[:60]); err != nil {
					t.Fatal(err)
				}
				args := strings.Fields(strings.ReplaceAll(tt.args, "DIR", dir))
				if far == 1 {
					args = append(args, submit...)
				} else if i := slices.Index(args, "--farm-piece"); i >= 0 {
					args = args[:i]
				}
				code, out, errOut := plainly(t, args...)
				if code > 1 || code == 1 && !strings.HasPrefix(tt.name, "tune") {
					t.Fatalf("status %d: %s", code, errOut)
				}
				if far == 1 && !strings.Contains(errOut, " on tls://") {
					t.Errorf("nothing went to the farm: %s", errOut)
				}
				printed[far] = strings.ReplaceAll(timed.ReplaceAllString(out, ""), dir, "DIR")
				files[far], left[far] = strings.ReplaceAll(tree(t, dir), dir, "DIR"), code
			}
			if printed[0] != printed[1] || left[0] != left[1] || printed[0]+files[0] == "" {
				t.Errorf("printed:\n%.2000s\n%.2000s", printed[0], printed[1])
			}
			if files[0] != files[1] {
				t.Error("other files")
			}
		})
	}
}
