package config

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// check implements checked.
func (a Archive) check(k *checker, _ string) {
	k.want(a.Dir != "", "archive.dir", "no folder (every match needs one)")
	k.folder("archive.dir", a.Dir)
	k.writable("archive.dir", a.Dir)
	dsn, err := a.ResolveDSN()
	switch {
	case err != nil:
		k.fail("archive", "%v", err)
	case dsn != "":
		field := "archive.dsn"
		switch {
		case a.DSNEnv != "":
			field = "archive.dsn_env"
		case a.DSNFile != "":
			field = "archive.dsn_file"
		}
		u, err := url.Parse(dsn)
		k.want(err == nil && (u.Scheme == "postgres" || u.Scheme == "postgresql") || strings.Contains(dsn, "="), field,
			"not a PostgreSQL DSN (as postgres://user@host/database)")
	}
	k.want(len(a.Formats) > 0, "archive.formats", "no format (name at least sgf)")
}

// check implements checked.
func (e Engine) check(k *checker, _ string) {
	if e.Weights != "" {
		if st, err := os.Stat(e.Weights); err != nil {
			k.fail("engine.weights", "%v", err)
		} else if st.IsDir() {
			k.fail("engine.weights", "%s is a folder, not a weights file", e.Weights)
		} else if k.known.Weights != nil {
			if err := k.known.Weights(e.Weights); err != nil {
				k.fail("engine.weights", "%v", err)
			}
		}
	}
	if k.known.Table != nil {
		if err := k.known.Table(e.Met); err != nil {
			k.fail("engine.met", "%v", err)
		}
	}
	if e.BearoffDir != "" {
		st, err := os.Stat(e.BearoffDir)
		k.want(err == nil && st.IsDir(), "engine.bearoff_dir", "%s is not a folder", e.BearoffDir)
		if err == nil && st.IsDir() && k.known.Bearoff != nil {
			bad, err := k.known.Bearoff(e.BearoffDir)
			k.want(err == nil, "engine.bearoff_dir", "%v", err)
			for _, line := range bad {
				k.fail("engine.bearoff_dir", "%s", line)
			}
		}
	}
}

// check implements checked.
func (l Logs) check(k *checker, _ string) { k.folder("logs.dir", l.Dir) }

// check implements checked.
func (o Operations) check(k *checker, _ string) {
	if o.Listen == "" {
		return
	}
	host, port, err := net.SplitHostPort(o.Listen)
	k.want(err == nil && loopback(host), "operations.listen",
		"%q is not a loopback HOST:PORT (as 127.0.0.1:9321)", o.Listen)
	if err == nil {
		k.port("operations.listen", port, 0)
	}
}

// check implements checked.
func (d Dashboard) check(k *checker, _ string) {
	if d.Listen != "" {
		_, port, err := net.SplitHostPort(d.Listen)
		k.want(err == nil, "dashboard.listen", "%q is not HOST:PORT (as 127.0.0.1:9321)", d.Listen)
		if err == nil {
			k.port("dashboard.listen", port, 0)
		}
	}
	for i, h := range d.Hosts {
		k.want(h != "" && !strings.ContainsAny(h, "/:*? \t"), fmt.Sprintf("dashboard.hosts[%d]", i), "%q is not a host name (without scheme and port, as bot.example.org)", h)
	}
}

// folder refuses a path that exists and is not a folder. A missing folder is made later.
func (k *checker) folder(field, dir string) {
	if st, err := os.Stat(dir); dir != "" && err == nil && !st.IsDir() {
		k.fail(field, "%s is a file, not a folder", dir)
	}
}

// writable wants a folder in which files can be made, or one that can be made
// itself.
func (k *checker) writable(field, dir string) {
	if dir == "" {
		return
	}
	at := filepath.Clean(dir)
	st, err := os.Stat(at)
	for err != nil && at != filepath.Dir(at) {
		at = filepath.Dir(at)
		st, err = os.Stat(at)
	}
	if err != nil || !st.IsDir() {
		return // told elsewhere
	}
	if err := writable(at); err != nil {
		k.fail(field, "cannot write in %s: %v", at, err)
	}
}
