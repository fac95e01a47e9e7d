// Package subprocess starts other programs: commands of the operator, gnubg, engines. They get no
// secrets of this process, and their own children end with them.
package subprocess

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// linger is how long to wait for output after a program has ended, since its children may hold
// its pipes open.
const linger = time.Second

// Command is [exec.CommandContext] with [Environ]. When ctx ends, the program is killed, and its
// children if the system has process groups. Children of a program that ended by itself run on;
// Wait returns [exec.ErrWaitDelay] if they hold its output open.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.WaitDelay = Environ(), linger
	ownGroup(cmd)
	return cmd
}

// Shell is Command for a shell command line.
func Shell(ctx context.Context, line string) *exec.Cmd { return Command(ctx, "sh", "-c", line) }

var (
	mu     sync.Mutex
	hidden []string
)

// Hide removes the environment variables of these names from programs started later. Empty names
// are skipped.
func Hide(names ...string) {
	mu.Lock()
	defer mu.Unlock()
	for _, name := range names {
		if name != "" && !slices.Contains(hidden, name) {
			hidden = append(hidden, name)
		}
	}
}

// Environ returns the environment of this process without secrets: the variables given to [Hide],
// PGPASSWORD, and names like FIBSBOT_PASSWORD and FIBSBOT_HOOK_TOKEN.
func Environ() []string {
	mu.Lock()
	defer mu.Unlock()
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return secret(name) || slices.ContainsFunc(hidden, func(h string) bool { return same(h, name) })
	})
}

// secret reports whether a variable holds a secret by its name.
func secret(name string) bool {
	name = strings.ToUpper(name)
	if name == "PGPASSWORD" {
		return true
	}
	rest, ours := strings.CutPrefix(name, "FIBSBOT_")
	return ours && slices.ContainsFunc([]string{"PASSWORD", "SECRET", "TOKEN", "DSN"}, func(kind string) bool { return strings.Contains(rest, kind) })
}

// same compares names of variables as the system does.
func same(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}
