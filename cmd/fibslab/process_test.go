package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fibsbot/internal/nice"
	"fibsbot/internal/testsize"
)

// childArgs holds the command line of a process of this test binary that is to be the program.
const childArgs = "FIBSBOT_TEST_ARGS"

// plainFolder holds the build of plainProgram; TestMain removes it.
var plainFolder string

func TestMain(m *testing.M) {
	nice.Off()
	if args := os.Getenv(childArgs); args != "" {
		os.Args = append(os.Args[:1], strings.Split(args, "\n")...)
		main() // ends the process
	}
	code := m.Run()
	if plainFolder != "" {
		_ = os.RemoveAll(plainFolder) // what is left is in the folder for temporary files
	}
	os.Exit(code)
}

// here runs a command in this process and returns its output.
func here(t testing.TB, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// plainProgram is this test binary without the race detector: the engine's work takes it a
// tenth of the time, and its results are equal to the byte.
var plainProgram = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "fibslab-plain-")
	if err != nil {
		return "", err
	}
	plainFolder = dir
	file := filepath.Join(dir, "fibslab.test.exe") // Windows wants the ending
	build := exec.Command("go", "test", "-c", "-race=false", "-ldflags=-w", "-o", file, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as .ci/run and a release compile
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build without the race detector: %w\n%s", err, said)
	}
	return file, nil
})

// plainly runs commands that take the race detector long, in plainProgram.
func plainly(t testing.TB, args ...string) (code int, out, errOut string) {
	t.Helper()
	if !testsize.Race {
		return here(t, args...)
	}
	cmd := plainCommand(t, args...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	_ = cmd.Run() // the exit status says it
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// plainCommand is a process of plainProgram, not started yet. It ends with the test.
func plainCommand(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: starts whole processes")
	}
	program, err := plainProgram()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = append(os.Environ(), childArgs+"="+strings.Join(args, "\n"))
	return cmd
}

// writeFile writes text to a new file of that name and returns its path.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
