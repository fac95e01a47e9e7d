package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"fibsbot/internal/testsize"
)

// childVersion is the version of a process that is to be of another build of this program
// and the same on a farm all the same: two builds differ in what they call themselves.
const childVersion = "FIBSBOT_TEST_VERSION"

// plainFolder holds the build of plainProgram; TestMain removes it.
var plainFolder string

// plainProgram is this test binary without the race detector: the engine's work takes it a
// tenth of the time, and its results are the same to the byte. It is for a process whose
// results are looked at; one whose goroutines are to be watched is started with start.
var plainProgram = sync.OnceValues(func() (string, error) {
	if !testsize.Race {
		return os.Args[0], nil
	}
	dir, err := os.MkdirTemp("", "fibsbot-plain-")
	if err != nil {
		return "", err
	}
	plainFolder = dir
	file := filepath.Join(dir, "fibsbot.test.exe") // Windows wants the ending
	build := exec.Command("go", "test", "-c", "-race=false", "-ldflags=-w", "-o", file, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as .ci/run and a release compile
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build without the race detector: %w\n%s", err, said)
	}
	return file, nil
})

// beginPlain begins a command: here, or with the race detector in plainProgram with env.
func beginPlain(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	if !testsize.Race {
		return inside(t, args...)
	}
	return startPlain(t, env, args...)
}

// startPlain is launch with plainProgram.
func startPlain(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	wholeProcesses(t)
	program, err := plainProgram()
	if err != nil {
		t.Fatal(err)
	}
	return launch(t, program, "", env, args...)
}

// plainly is here for what takes the race detector long: a command in plainProgram.
func plainly(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	if !testsize.Race {
		return here(t, args...)
	}
	return startPlain(t, nil, args...).output()
}

// output is what the command printed when it has ended.
func (p *process) output() (code int, out, errOut string) {
	code = p.code()
	return code, p.out.String(), p.err.String()
}
