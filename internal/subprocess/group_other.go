//go:build !unix

package subprocess

import "os/exec"

func ownGroup(*exec.Cmd) {}

// MayAsk lets a program ask the user at the terminal, which needs nothing on this system.
func MayAsk(*exec.Cmd) {}
