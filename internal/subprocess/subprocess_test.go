//go:build unix

package subprocess

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestCommand_killsWhatItStarted: the end of the context ends the shell and its children, on Linux
// also one that has left the process group.
func TestCommand_killsWhatItStarted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	escapes := ""
	if _, err := exec.LookPath("setsid"); err == nil && runtime.GOOS == "linux" {
		escapes = "setsid sh -c 'echo $$ > " + file + ".3; exec sleep 1000' & "
	}
	cmd := Shell(ctx, escapes+"sleep 1000 & (sleep 1000 & echo $! > "+file+".2; wait) & echo $! > "+file+".1; wait")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := func(name string) int {
		t.Helper()
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			text, _ := os.ReadFile(name)
			if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && strings.HasSuffix(string(text), "\n") {
				return pid
			}
		}
		t.Fatal("the command did not start its children")
		return 0
	}
	children := []int{read(file + ".1"), read(file + ".2")}
	if escapes != "" {
		children = append(children, read(file+".3"))
	}
	cancel()
	if err := cmd.Wait(); err == nil {
		t.Error("a command that was killed succeeds")
	}
	for _, pid := range children {
		if !gone(pid) {
			t.Errorf("process %d lives on", pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// gone waits for the end of a process that was killed. Without a parent that reaps it, it stays a zombie.
func gone(pid int) bool {
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if syscall.Kill(pid, 0) != nil {
			return true
		}
		if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			return true
		}
	}
	return false
}

func TestEnviron_hasNoSecrets(t *testing.T) {
	Hide("", "HOOK_KEY_OF_MINE")
	for _, name := range []string{"HOOK_KEY_OF_MINE", "FIBSBOT_PASSWORD", "FIBSBOT_ALICE_PASSWORD", "FIBSBOT_HOOK_SECRET", "FIBSBOT_TOKEN_2", "FIBSBOT_DSN", "PGPASSWORD"} {
		t.Setenv(name, "s3cret")
	}
	kept := []string{"FIBSBOT_NAME", "HOOK_URL", "PASSWORD_STORE_DIR", "GPG_TTY"}
	for _, name := range kept {
		t.Setenv(name, "kept")
	}
	out, err := Command(t.Context(), "env").Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "s3cret") {
		t.Errorf("a child sees %s", out)
	}
	lines := strings.Split(string(out), "\n")
	for _, name := range kept {
		if !slices.Contains(lines, name+"=kept") {
			t.Errorf("a child does not see %s", name)
		}
	}
}

// TestCommand_isTheOnlyWay: a program started in another way would see our secrets.
func TestCommand_isTheOnlyWay(t *testing.T) {
	own := []string{"internal/subprocess/subprocess.go", "cmd/fibsbot/internal/web/serve.go"} // the second takes Environ
	tools := []string{"internal/release/", "internal/postgrestest/", "engine/record/internal/recordtest/"}
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || slices.Contains(own, path) ||
			slices.ContainsFunc(tools, func(dir string) bool { return strings.HasPrefix(path, dir) }) {
			return err
		}
		text, err := fs.ReadFile(root, path)
		if strings.Contains(string(text), "exec.Command") || strings.Contains(string(text), "os.StartProcess") {
			t.Errorf("%s starts programs without package subprocess", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
