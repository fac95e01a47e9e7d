//go:build !unix

package subprocess

import "os/exec"

func ownGroup(*exec.Cmd) {}

// MayAsk lets a program ask a person at the terminal: any may on this system.
func MayAsk(*exec.Cmd) {}
