//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// natsRuns is in a stack of a goroutine that NATS started. Its name alone proves nothing: in
// every program that links the server, a timer of its package pse reads /proc once a second.
const natsRuns = "created by github.com/nats-io/"

// TestFarm_localStartsNone looks into the process of a command without --farm: no
// goroutine of NATS, and no socket. A server of a farm has both.
func TestFarm_localStartsNone(t *testing.T) {
	t.Parallel()
	f := newFarm(t)
	for _, tt := range []struct {
		name string
		want bool
		args []string
		runs func(p *process) bool // at work
	}{
		{"local", false, []string{"rollout", "4HPwATDgc/ABMA", "--dice", "31", "--trials", "1000008", "--min-trials", "1000008", "--resume", filepath.Join(f.dir, "r.json")},
			func(*process) bool { _, err := os.Stat(filepath.Join(f.dir, "r.json")); return err == nil }},
		{"farm serve", true, []string{"farm", "serve", "--listen", f.address, "--data", f.dir},
			func(p *process) bool { return strings.Contains(p.out.String(), "tls://") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := start(t, f.dir, tt.args...)
			wait(t, func() bool { return tt.runs(p) })
			sockets := 0
			fds, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "fd", "*"))
			for _, fd := range fds {
				if to, err := os.Readlink(fd); err == nil && strings.HasPrefix(to, "socket:") {
					sockets++
				}
			}
			if known := err == nil && len(fds) > 0; known && (sockets > 0) != tt.want {
				t.Errorf("%d sockets", sockets)
			}
			send(t, syscall.SIGQUIT, p.cmd.Process) // the stacks of all goroutines
			<-p.done
			if text := p.err.String(); !strings.Contains(text, "goroutine ") || strings.Contains(text, natsRuns) != tt.want {
				t.Errorf("NATS runs: %v, want %v: %.3000s", !tt.want, tt.want, text)
			}
		})
	}
}
