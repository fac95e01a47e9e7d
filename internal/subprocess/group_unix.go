//go:build unix

package subprocess

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup runs a program in its own process group, which is killed as a whole, with what the
// program started outside of it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		others := Descendants(cmd.Process.Pid)
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		for _, pid := range others {
			_ = syscall.Kill(pid, syscall.SIGKILL) // most are gone with the group
		}
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}

// MayAsk lets a program ask the user if this process has a terminal, by leaving it in our process
// group: a background group is stopped when it reads. Then only the program itself is killed.
func MayAsk(cmd *exec.Cmd) {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return
	}
	tty.Close()
	cmd.SysProcAttr, cmd.Cancel = nil, func() error { return cmd.Process.Kill() }
}
