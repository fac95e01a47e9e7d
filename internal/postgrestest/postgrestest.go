//go:build unix

// Package postgrestest runs a PostgreSQL server for a test.
package postgrestest

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver that asks whether it is up
)

// Server is a PostgreSQL server in its own folder. It is reached over a socket there, so that no
// port can be taken.
type Server struct {
	// DSN is its address.
	DSN string

	t         testing.TB
	bin, dir  string
	as        *syscall.SysProcAttr
	stop      context.CancelFunc
	ended     chan error
	said      strings.Builder
	isRunning bool
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
	initdb := exec.Command(filepath.Join(s.bin, "initdb"), "-D", filepath.Join(dir, "data"), "-U", "bot", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
	initdb.SysProcAttr, initdb.Dir = s.as, dir
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	s.DSN = "postgres://bot@/postgres?host=" + url.QueryEscape(dir) + "&port=5432&sslmode=disable"
	s.Start()
	t.Cleanup(s.Stop)
	return s
}

// Start starts the server and waits until it answers.
func (s *Server) Start() {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, "postgres"), "-D", filepath.Join(s.dir, "data"), "-h", "", "-p", "5432", "-k", s.dir, "-F")
	cmd.SysProcAttr, cmd.Dir = s.as, s.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // fast shutdown
	cmd.WaitDelay = 10 * time.Second
	s.said.Reset()
	cmd.Stdout, cmd.Stderr = &s.said, &s.said
	if err := cmd.Start(); err != nil {
		cancel()
		s.t.Fatal(err)
	}
	s.stop, s.ended, s.isRunning = cancel, make(chan error, 1), true
	ended := s.ended
	go func() { ended <- cmd.Wait() }()
	db, err := sql.Open("pgx", s.DSN)
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	// The server does not report that it is ready; polling is the documented way.
	ready := time.NewTicker(50 * time.Millisecond)
	defer ready.Stop()
	limit := time.After(3 * time.Minute)
	for db.PingContext(s.t.Context()) != nil {
		select {
		case err := <-ended:
			ended <- err
			s.t.Fatalf("postgres ended: %v\n%s", err, s.said.String())
		case <-limit:
			s.t.Fatal("postgres did not come up")
		case <-ready.C:
		}
	}
}

// Stop stops the server if it runs.
func (s *Server) Stop() {
	if !s.isRunning {
		return
	}
	s.isRunning = false
	s.stop()
	<-s.ended
}
