package index

import (
	"context"
	"net"
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
)

// postgresBin finds the server programs of PostgreSQL, which are not on the PATH
// where Debian installs them.
func postgresBin(t *testing.T) string {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := exec.LookPath("initdb"); err == nil {
		found = append(found, p)
	}
	if len(found) == 0 {
		t.Skip("no PostgreSQL server installed (Debian: apt-get install postgresql)")
	}
	return filepath.Dir(found[len(found)-1])
}

// unprivileged is the account to run PostgreSQL as: it refuses to run as root.
func unprivileged(t *testing.T) *syscall.SysProcAttr {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err1 == nil && err2 == nil {
			return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		}
	}
	t.Skip("PostgreSQL does not run as root, and there is no user postgres or nobody")
	return nil
}

// startPostgres runs a server of its own for one test and returns its DSN.
func startPostgres(t *testing.T) string {
	t.Helper()
	bin, as := postgresBin(t), unprivileged(t)
	dir, err := os.MkdirTemp("", "fibsbot-pg-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if as != nil {
		if err := os.Chown(dir, int(as.Credential.Uid), int(as.Credential.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	data := filepath.Join(dir, "data")
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "bot", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
	initdb.SysProcAttr, initdb.Dir = as, dir
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	ctx, cancel := context.WithCancel(context.Background())
	server := exec.CommandContext(ctx, filepath.Join(bin, "postgres"), "-D", data, "-h", "", "-p", "5432", "-k", dir, "-F")
	server.SysProcAttr, server.Dir = as, dir
	server.Cancel = func() error { return server.Process.Signal(os.Interrupt) } // fast shutdown
	server.WaitDelay = 10 * time.Second
	var log strings.Builder
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	t.Cleanup(func() { cancel(); <-ended })
	// A socket in a folder of its own: no port that others could have taken.
	dsn := "postgres://bot@/postgres?host=" + url.QueryEscape(dir) + "&port=5432&sslmode=disable"
	// The server says nothing when it is ready; asking until it answers is the
	// documented way.
	ready := time.NewTicker(50 * time.Millisecond)
	defer ready.Stop()
	limit := time.After(3 * time.Minute)
	for {
		if d, err := Open(t.Context(), dir, dsn); err == nil {
			d.Close()
			return dsn
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("postgres ended: %v\n%s", err, log.String())
		case <-limit:
			t.Fatal("postgres did not come up")
		case <-ready.C:
		}
	}
}

func TestIndex_PostgreSQL(t *testing.T) { exercise(t, startPostgres(t)) }

func TestOpen_hidesTheDSN(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, err = Open(t.Context(), t.TempDir(), "postgres://bot:correcthorse@"+addr+"/x")
	if err == nil || strings.Contains(err.Error(), "correcthorse") {
		t.Errorf("got %v", err)
	}
}
