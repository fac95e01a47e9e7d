package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"fibsbot/internal/israce"
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
	if !israce.Enabled {
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

// startPlain is launch with plainProgram.
func startPlain(t *testing.T, dir string, env []string, args ...string) *process {
	t.Helper()
	wholeProcesses(t)
	program, err := plainProgram()
	if err != nil {
		t.Fatal(err)
	}
	return launch(t, program, dir, env, args...)
}

// plainly is here for what takes the race detector long: a command in plainProgram.
func plainly(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	if !israce.Enabled {
		return here(t, args...)
	}
	return startPlain(t, "", nil, args...).output()
}

// output is what the process printed when it has ended, however long that takes.
func (p *process) output() (code int, out, errOut string) {
	<-p.done
	return p.cmd.ProcessState.ExitCode(), p.out.String(), p.err.String()
}
