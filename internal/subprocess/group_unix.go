//go:build unix

package subprocess

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup has a program run in a process group of its own, which is killed as a whole.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}

// MayAsk lets a program ask a person where this process has a terminal, by leaving it in
// our process group: one in the background would be stopped when it reads. It is then
// killed alone.
func MayAsk(cmd *exec.Cmd) {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return
	}
	tty.Close()
	cmd.SysProcAttr, cmd.Cancel = nil, func() error { return cmd.Process.Kill() }
}
