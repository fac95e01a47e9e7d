//go:build unix

// Package postgrestest runs a PostgreSQL server for a test.
package postgrestest

import (
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver that asks whether it is up
)

// Server is a PostgreSQL server in its own folder. It is reached over a socket there, so that no
// port can be taken.
type Server struct {
	// DSN is its address.
	DSN string

	t        testing.TB
	bin, dir string
	as       *syscall.SysProcAttr
	runs     bool
}

// programs finds the server programs of PostgreSQL, which Debian does not put on the PATH.
func programs(t testing.TB) string {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := exec.LookPath("initdb"); err == nil {
		found = append(found, p)
	}
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[len(found)-1])
}

// unprivileged returns the account to run PostgreSQL as, which refuses to run as root. ok is false
// if there is no such account.
func unprivileged() (as *syscall.SysProcAttr, ok bool) {
	if os.Getuid() != 0 {
		return nil, true
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err1 == nil && err2 == nil {
			return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, true
		}
	}
	return nil, false
}

// Missing returns a line that says why no server can run here, or "".
func Missing(t testing.TB) string {
	t.Helper()
	if programs(t) == "" {
		return "no PostgreSQL server installed (Debian: apt-get install postgresql)"
	}
	if _, ok := unprivileged(); !ok {
		return "PostgreSQL does not run as root, and there is no user postgres or nobody (add one of them)"
	}
	return ""
}

// New makes a database and runs its server until the test ends. Without PostgreSQL the test is
// skipped.
func New(t testing.TB) *Server {
	t.Helper()
	if why := Missing(t); why != "" {
		t.Skip(why)
	}
	s := &Server{t: t, bin: programs(t)}
	s.as, _ = unprivileged()
	dir, err := os.MkdirTemp("", "fibsbot-pg-")
	if err != nil {
		t.Fatal(err)
	}
	s.dir = dir
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // its clients need not be its owner
		t.Fatal(err)
	}
	if s.as != nil {
		if err := os.Chown(dir, int(s.as.Credential.Uid), int(s.as.Credential.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	s.run("initdb", "-U", "bot", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
	s.DSN = "postgres://bot@/postgres?host=" + url.QueryEscape(dir) + "&port=5432&sslmode=disable"
	s.Start()
	t.Cleanup(s.Stop)
	return s
}

// run runs a program of PostgreSQL on the server's folder.
func (s *Server) run(program string, args ...string) {
	s.t.Helper()
	cmd := exec.Command(filepath.Join(s.bin, program), append(args, "-D", filepath.Join(s.dir, "data"))...)
	cmd.SysProcAttr, cmd.Dir = s.as, s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
		s.t.Fatalf("%s: %v\n%s%s", program, err, out, log)
	}
}

// Start starts the server and waits until it answers.
func (s *Server) Start() {
	s.t.Helper()
	s.run("pg_ctl", "start", "-w", "-t", "180", "-l", filepath.Join(s.dir, "log"), "-o", "-h '' -p 5432 -F -k "+s.dir)
	s.runs = true
}

// Stop stops the server if it runs.
func (s *Server) Stop() {
	if s.runs {
		s.runs = false
		s.run("pg_ctl", "stop", "-w", "-m", "fast")
	}
}
