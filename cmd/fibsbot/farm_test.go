package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/engine/advice"
	"fibsbot/internal/farm"
	"fibsbot/internal/freeport"
	"fibsbot/internal/testsize"
)

// farmAt is a farm: server, workers and commands, each in this process or in one of its own.
type farmAt struct {
	dir, address string
	last         *atomic.Pointer[process] // server started
}

func newFarm(t *testing.T) farmAt {
	t.Helper()
	testsize.Large(t)
	return farmAt{dir: t.TempDir(), address: freeport.On(t, "127.0.0.1"), last: new(atomic.Pointer[process])}
}

func (f farmAt) serve(t *testing.T) *process { return f.served(inside(t, f.server()...)) }

// serveAlone is serve with a process for the server.
func (f farmAt) serveAlone(t *testing.T) *process { return f.served(start(t, f.dir, f.server()...)) }

func (f farmAt) server() []string {
	return []string{"farm", "serve", "--listen", f.address, "--data", f.dir}
}

func (f farmAt) served(p *process) *process {
	f.last.Store(p)
	return p
}

// up waits until the server answers.
func (f farmAt) up(t *testing.T) {
	t.Helper()
	var out bytes.Buffer
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(f.dir, "work.key")); err != nil {
			continue
		}
		out.Reset()
		if run(t.Context(), []string{"farm", "status", "--farm", "tls://" + f.address, "--farm-key", filepath.Join(f.dir, "submit.key"), "--json"},
			strings.NewReader(""), &out, &out) == 0 {
			return
		}
	}
	said := "none was started"
	if p := f.last.Load(); p != nil {
		said = p.out.String() + p.err.String()
	}
	t.Fatalf("no server at %s: farm status says %q, the server %q", f.address, out.String(), said)
}

func (f farmAt) work(t *testing.T, name string) *process {
	return inside(t, f.worker(name)...)
}

// worker is the command line of one.
func (f farmAt) worker(name string) []string {
	return []string{"farm", "work", "--farm", "tls://" + f.address, "--farm-key", filepath.Join(f.dir, "work.key"), "--threads", "1",
		"--machine", name, "--cache", filepath.Join(f.dir, "cache-"+name)}
}

func (f farmAt) flags(args ...string) []string {
	return append(args, "--farm", "tls://"+f.address, "--farm-key", filepath.Join(f.dir, "submit.key"))
}

// here runs a command in this process and returns its output.
func here(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// TestFarm_chaos kills the server, a worker and the command with SIGKILL while a rollout runs:
// each alone, then all together, and always when results have arrived since. A shorter
// rollout then reuses the results, and what it prints and saves is that of the local run to the byte.
func TestFarm_chaos(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	rolled := []string{"rollout", "4HPwATDgc/ABMA", "--dice", "31", "--plies", "0", "--truncate", "3", "--json", "--stop-jsd", "30"}
	short := append(slices.Clone(rolled), "--trials", "288", "--min-trials", "216", "--resume")
	totals, mine := filepath.Join(t.TempDir(), "local.json"), filepath.Join(t.TempDir(), "farm.json")
	code, want, errOut := plainly(t, append(slices.Clone(short), totals)...)
	if code != 0 {
		t.Fatal(errOut)
	}
	f := newFarm(t)
	const server, worker, other, command = 0, 1, 2, 3
	starts := [...]func() *process{
		server: func() *process { p := f.serveAlone(t); f.up(t); return p },
		worker: func() *process { return start(t, f.dir, f.worker("a")...) },
		other:  func() *process { return start(t, f.dir, f.worker("b")...) },
		command: func() *process {
			return start(t, f.dir, f.flags(append(slices.Clone(rolled), "--trials", "1000008", "--min-trials", "1000008", "--farm-piece", "10ms")...)...)
		},
	}
	var parts [len(starts)]*process
	for i, start := range starts {
		parts[i] = start()
	}
	c := f.as(t, farm.RoleSubmit)
	stored := uint64(0)
	progress := func() {
		had := stored
		wait(t, func() bool {
			for i, p := range parts {
				select {
				case <-p.done: // it found no server
					parts[i] = starts[i]()
				default:
				}
			}
			s, _ := c.Status(t.Context()) // none while it connects again
			stored = max(stored, s.Results)
			return stored > had
		})
	}
	for _, killed := range [][]int{{worker}, {command}, {server}, {server, worker, other, command}} {
		progress()
		for _, i := range killed {
			parts[i].kill()
		}
		for _, i := range killed {
			parts[i] = starts[i]()
		}
	}
	progress()
	parts[command].kill()
	code, got, errOut := here(t, f.flags(append(slices.Clone(short), mine)...)...)
	if code != 0 || untimed(t, got) != untimed(t, want) {
		t.Errorf("status %d, %s\n%s\n%s", code, errOut, got, want)
	}
	a, err := os.ReadFile(totals)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(mine); err != nil || !bytes.Equal(a, b) {
		t.Errorf("totals differ: %v", err)
	}
}

// untimed is the document of a rollout without the time it took.
func untimed(t *testing.T, text string) string {
	t.Helper()
	var d advice.Rollout
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return regexp.MustCompile(`"seconds": [0-9.e+-]+`).ReplaceAllString(text, `"seconds": 0`)
}

// TestFarm_refuses sees one clear line and exit status 2 for what the user must mend.
func TestFarm_refuses(t *testing.T) {
	t.Parallel()
	f := newFarm(t)
	f.serve(t)
	f.up(t)
	other := newFarm(t)
	if code, _, errOut := here(t, "farm", "key", "stranger", "--data", other.dir, "--role", "submit", "-o", filepath.Join(other.dir, "s.key")); code != 0 {
		t.Fatal(errOut)
	}
	url, submit, work := "tls://"+f.address, filepath.Join(f.dir, "submit.key"), filepath.Join(f.dir, "work.key")
	empty := filepath.Join(t.TempDir(), "empty.key")
	if err := os.WriteFile(empty, []byte("nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(submit)
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(f.address)
	if err != nil {
		t.Fatal(err)
	}
	seed := bytes.Index(text, []byte("\nSU"))
	short, alone := filepath.Join(t.TempDir(), "short.key"), filepath.Join(t.TempDir(), "alone.key")
	mustWrite(t, short, string(text[:seed+20]))
	mustWrite(t, alone, string(text[:bytes.Index(text, []byte("-----BEGIN"))]))
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"no address", []string{"farm", "status"}, "no farm address (--farm tls://HOST:PORT)"},
		{"no url", []string{"farm", "status", "--farm", "desk"}, `"desk" is not an address`},
		{"another scheme", []string{"farm", "work", "--farm", "https://" + f.address}, "is not an address (use tls://HOST:PORT"},
		{"port 0", []string{"farm", "work", "--farm", "tls://127.0.0.1:0"}, "the port must be 1 to 65535"},
		{"port 70000", []string{"rollout", "4HPwATDgc/ABMA", "--farm", "tls://127.0.0.1:70000"}, "the port must be 1 to 65535"},
		{"a zone as people write it", []string{"farm", "status", "--farm", "tls://[fe80::1%lo]:4333"}, "is not an address (use tls://HOST:PORT"},
		{"a zone", []string{"farm", "status", "--farm", "tls://[::1%25lo]:" + port, "--farm-key", submit}, "[::1%25lo]:" + port},
		{"a comma too many", []string{"farm", "status", "--farm", url + ","}, `"" is not an address`},
		{"no tls", []string{"farm", "status", "--farm", "nats://" + f.address, "--farm-key", submit}, "the server needs TLS (use tls:// instead of nats://)"},
		{"no websocket", []string{"farm", "status", "--farm", "ws://" + f.address, "--farm-key", submit}, "only one side uses TLS"},
		{"no farm at the address", []string{"farm", "status", "--farm", "tls://" + freeport.On(t, "127.0.0.1"), "--farm-key", submit}, "no farm answers"},
		{"no name", []string{"farm", "key", " ", "--data", other.dir}, "farm key: the name is empty"},
		{"no patience", []string{"farm", "work", "--farm", url, "--farm-key", work, "--grace", "-1s"}, "--grace: -1s is negative"},
		{"half a certificate", []string{"farm", "serve", "--listen", "127.0.0.1:0", "--data", other.dir, "--tls-cert", "c.pem"}, "--tls-cert, --tls-key: give both or none"},
		{"no key", []string{"farm", "status", "--farm", url}, "--farm-key FILE is missing"},
		{"key of another farm", []string{"farm", "status", "--farm", url, "--farm-key", filepath.Join(other.dir, "s.key")}, "certificate"},
		{"no such file", []string{"farm", "work", "--farm", url, "--farm-key", "none.key"}, "none.key: no such file"},
		{"a folder", []string{"farm", "work", "--farm", url, "--farm-key", f.dir}, "not a key file"},
		{"cut short", []string{"farm", "work", "--farm", url, "--farm-key", short}, "the key in it is damaged"},
		{"no authority in it", []string{"farm", "work", "--farm", url, "--farm-key", alone}, "the server's certificate is for another host"},
		{"two names", []string{"farm", "key", "a", "b", "--data", other.dir}, "farm key: give one NAME"},
		{"it has no key", []string{"farm", "work", "--farm", url, "--farm-key", empty}, "it has no key"},
		{"a worker submits", []string{"rollout", "4HPwATDgc/ABMA", "--trials", "36", "--farm", url, "--farm-key", work}, "may run pieces but not submit"},
		{"a worker cancels", []string{"farm", "cancel", "rollout-1", "--farm", url, "--farm-key", work}, "may run pieces but not submit"},
		{"no such job", []string{"farm", "cancel", "rollout-1", "--farm", url, "--farm-key", submit}, "no job rollout-1"},
		{"a key twice", []string{"farm", "key", "work", "--data", f.dir, "-o", filepath.Join(t.TempDir(), "k")}, "exists (remove its line in"},
		{"kept for no time", []string{"farm", "serve", "--listen", "127.0.0.1:0", "--data", other.dir, "--keep", "-1h"}, "--keep: -1h0m0s is too short (minimum 1m)"},
		{"served twice", []string{"farm", "serve", "--listen", "nowhere", "--data", f.dir}, "not HOST:PORT"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, out, errOut := here(t, tt.args...)
			if code != cmdline.ExitUsage || !strings.Contains(errOut, tt.want) || strings.Count(errOut, "\n") != 1 {
				t.Errorf("status %d, %q, want %q; %s", code, errOut, tt.want, out)
			}
		})
	}
	t.Run("withdrawn", func(t *testing.T) {
		users := filepath.Join(f.dir, "users")
		p := f.work(t, "w")
		text, err := os.ReadFile(users)
		if err != nil {
			t.Fatal(err)
		}
		wait(t, func() bool {
			_, out, _ := here(t, f.flags("farm", "status", "--json")...)
			return strings.Contains(out, `"name": "w"`)
		})
		kept := regexp.MustCompile(`(?m)^work .*\n`).ReplaceAll(text, nil)
		if err := os.WriteFile(users, kept, 0o600); err != nil {
			t.Fatal(err)
		}
		if code := p.code(); code != cmdline.ExitUsage || !strings.Contains(p.err.String(), "withdrawn") {
			t.Errorf("status %d: %s", code, p.err.String())
		}
	})
}

func wait(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never came")
		}
	}
}

// TestFarm_jobThereAlready runs a job twice at the same time, then cancels it.
func TestFarm_jobThereAlready(t *testing.T) {
	t.Parallel()
	f := newFarm(t)
	f.serve(t)
	f.up(t)
	args := f.flags("rollout", "4HPwATDgc/ABMA", "--trials", "36000")
	first := start(t, f.dir, args...)
	id := ""
	wait(t, func() bool {
		if m := regexp.MustCompile(`job (rollout-[0-9a-f]+) on`).FindStringSubmatch(first.err.String()); m != nil {
			id = m[1]
		}
		return id != ""
	})
	if code, _, errOut := here(t, args...); code != cmdline.ExitUsage || !strings.Contains(errOut, "is already run by process "+fmt.Sprint(first.cmd.Process.Pid)) {
		// The test binary is the same build as its children: the same job.
		t.Errorf("status %d: %s", code, errOut)
	}
	want := fmt.Sprintf("%s is cancelled: 0 results deleted, process %d on ", id, first.cmd.Process.Pid)
	if code, out, errOut := here(t, f.flags("farm", "cancel", id)...); code != 0 || !strings.HasPrefix(out, want) || !strings.HasSuffix(out, " ends\n") {
		t.Errorf("cancel: status %d, %q, want %q; %s", code, out, want, errOut)
	}
	if code := first.code(); code != cmdline.ExitFailed || !strings.Contains(first.err.String(), "was cancelled") || strings.Contains(first.err.String(), "goes on") {
		t.Errorf("status %d: %s", code, first.err.String())
	}
	c := f.as(t, farm.RoleSubmit)
	if err := c.Ban(t.Context(), "UKITCHEN", "kitchen", "it cannot count"); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := here(t, f.flags("farm", "cancel", "--readmit", "kitchen")...)
	if code != 0 || out != "kitchen is admitted again; it was excluded: it cannot count\n" {
		t.Errorf("readmit: status %d, %q, %s", code, out, errOut)
	}
	if err := c.Ban(t.Context(), "UKITCHEN", "kitchen", "again"); err != nil {
		t.Fatal(err)
	}
	code, out, errOut = here(t, f.flags("farm", "cancel", "--readmit", "kitchen", "--json")...)
	if code != 0 || !strings.Contains(out, `"readmitted": "kitchen"`) || !strings.Contains(out, `"was_left_out": "again"`) {
		t.Errorf("readmit --json: status %d, %q, %s", code, out, errOut)
	}
}
