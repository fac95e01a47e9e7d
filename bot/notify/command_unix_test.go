//go:build unix

package notify

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fibsbot/config"
	"fibsbot/internal/testsize"
)

// TestRunCommand_timeout: a command that takes too long is killed with its children, and the
// event stays queued.
func TestRunCommand_timeout(t *testing.T) {
	testsize.Medium(t)
	before := commandLimit
	t.Cleanup(func() { commandLimit = before })
	commandLimit = 2 * time.Second
	file := filepath.Join(t.TempDir(), "pid")
	err := runCommand(t.Context(), "sleep 1000 & echo $! > "+file+"; wait", &Event{Kind: Test})
	if !errors.Is(err, errOutOfOrder) || !strings.Contains(err.Error(), "not done after 2s") {
		t.Error(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err) // the shell did not write it within two seconds
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if syscall.Kill(pid, 0) != nil || strings.Contains(string(stat), ") Z ") { // a zombie without a parent that reaps it
			return
		}
		if time.Now().After(end) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d, started by the command, lives on", pid)
		}
	}
}

// TestRunCommand_seesNoSecrets: the environment has neither an account's password nor the
// webhook secret.
func TestRunCommand_seesNoSecrets(t *testing.T) {
	for _, name := range []string{"FIBSBOT_PASSWORD", "NOTIFY_TEST_SECRET", "NOTIFY_TEST_PASSWORD"} {
		t.Setenv(name, "s3cret")
	}
	c, _, err := config.Parse("b", []byte("accounts: [{name: A, password_env: NOTIFY_TEST_PASSWORD}]\nnotify: {webhook_secret_env: NOTIFY_TEST_SECRET}\n"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "env")
	c.Notify.Command = "env > " + file
	if err := runCommand(t.Context(), c.Notify.Command, &Event{Kind: Test}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(text), "s3cret") || !strings.Contains(string(text), "PATH=") {
		t.Errorf("%v: the command sees %s", err, text)
	}
}
