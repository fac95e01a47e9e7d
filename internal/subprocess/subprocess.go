// Package subprocess starts programs that are not part of this one: commands of the
// operator, gnubg, engines. They get no secret of this process, and what they start
// ends with them.
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

// linger is how long output is waited for after a program has ended: what it left
// running may hold its pipes.
const linger = time.Second

// Command is [exec.CommandContext] with [Environ]. When ctx ends, the program and all
// that it has started are killed, where the system has process groups. What a program
// leaves behind when it ends by itself goes on; Wait returns [exec.ErrWaitDelay] when
// that holds its output open.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.WaitDelay = Environ(), linger
	ownGroup(cmd)
	return cmd
}

// Shell is Command for a line of the shell.
func Shell(ctx context.Context, line string) *exec.Cmd { return Command(ctx, "sh", "-c", line) }

var (
	mu     sync.Mutex
	hidden []string
)

// Hide keeps the environment variables of these names from programs that are started
// from now on. Empty names are skipped.
func Hide(names ...string) {
	mu.Lock()
	defer mu.Unlock()
	for _, name := range names {
		if name != "" && !slices.Contains(hidden, name) {
			hidden = append(hidden, name)
		}
	}
}

// Environ is the environment of this process without its secrets: the variables given to
// [Hide], PGPASSWORD, and those of names like FIBSBOT_PASSWORD and FIBSBOT_HOOK_TOKEN.
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
