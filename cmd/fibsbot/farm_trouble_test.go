//go:build unix

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fibsbot/cmd/internal/cmdline"
	"fibsbot/cmd/internal/remote"
	"fibsbot/engine"
	"fibsbot/engine/nn"
	"fibsbot/internal/farm"
	"fibsbot/internal/freeport"
	"fibsbot/internal/shard"
	"fibsbot/internal/testsize"
)

// as is a connection to the farm with one of its first keys.
func (f farmAt) as(t *testing.T, role farm.Role) *farm.Client {
	t.Helper()
	k, err := farm.ReadKey(filepath.Join(f.dir, string(role)+".key"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := farm.Dial("tls://"+f.address, k)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// oneLine holds what a command said against what it must say: one line of trouble, after
// the one that names the job and the one that says that it waits for workers.
func oneLine(t *testing.T, code, wantCode int, errOut, want string) {
	t.Helper()
	lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(errOut), "\n"), func(s string) bool {
		return strings.HasPrefix(s, "fibsbot: job ") && (strings.Contains(s, " on tls://") || strings.Contains(s, " waits: "))
	})
	if code != wantCode || len(lines) != 1 || !strings.Contains(lines[0], want) {
		t.Errorf("status %d, want %d, %q, want %q", code, wantCode, errOut, want)
	}
}

// TestFarm_certificates has servers whose certificate has run out, or whose clock is an
// hour ahead.
func TestFarm_certificates(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		from, till time.Duration
	}{
		{"run out", -48 * time.Hour, -time.Hour},
		{"a clock an hour off", time.Hour, 48 * time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFarm(t)
			dir := t.TempDir()
			cert, key := filepath.Join(dir, "c.pem"), filepath.Join(dir, "c.key")
			certificate(t, cert, key, time.Now().Add(tt.from), time.Now().Add(tt.till))
			p := inside(t, append(f.server(), "--tls-cert", cert, "--tls-key", key)...)
			wait(t, func() bool { return strings.Contains(p.out.String(), "tls://") })
			if want := "no client will connect: the certificate of " + cert + " is valid from "; !strings.Contains(p.err.String(), want) {
				t.Errorf("the server said %q, want %q", p.err.String(), want)
			}
			for _, args := range [][]string{
				f.flags("rollout", "4HPwATDgc/ABMA", "--trials", "36"),
				{"farm", "work", "--farm", "tls://" + f.address, "--farm-key", filepath.Join(f.dir, "work.key")},
			} {
				trust(t, args[len(args)-1], cert)
				code, _, errOut := here(t, args...)
				oneLine(t, code, cmdline.ExitUsage, errOut, "certificate has expired (valid from")
			}
		})
	}
}

// TestFarm_metrics are served by a farm whose certificate is not its own and which has no
// key for commands any more.
func TestFarm_metrics(t *testing.T) {
	t.Parallel()
	f := newFarm(t)
	dir, at := t.TempDir(), freeport.On(t, "127.0.0.1")
	cert, key := filepath.Join(dir, "c.pem"), filepath.Join(dir, "c.key")
	certificate(t, cert, key, time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	p := inside(t, append(f.server(), "--tls-cert", cert, "--tls-key", key, "--metrics", at)...)
	var text string
	wait(t, func() bool {
		select {
		case <-p.done:
			t.Fatal(p.err.String())
		default:
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+at+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return false // not yet
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		text = string(b)
		return err == nil
	})
	for _, want := range []string{"\nfibsbot_farm_workers 0\n", "\nfibsbot_farm_queue 0\n", "\nfibsbot_farm_room_bytes "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// TestFarm_metricsAddressTaken is told before anything is begun: no folder, no keys, no word
// of a server that then ends.
func TestFarm_metricsAddressTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	free := freeport.On(t, "127.0.0.1")
	for _, tt := range []struct{ metrics, want string }{
		{l.Addr().String(), "--metrics: " + l.Addr().String() + ": the address is in use"},
		{"nowhere", "--metrics: nowhere: not an address"},
		{free, "--metrics: " + free + " is the address of --listen"},
	} {
		dir := filepath.Join(t.TempDir(), "farm")
		code, out, errOut := here(t, "farm", "serve", "--listen", free, "--data", dir, "--metrics", tt.metrics)
		oneLine(t, code, cmdline.ExitUsage, errOut, tt.want)
		if _, err := os.Stat(dir); out != "" || err == nil {
			t.Errorf("%s: said %q, %s: %v", tt.metrics, out, dir, err)
		}
	}
}

// trust adds a certificate to a key file.
func trust(t *testing.T, keyFile, cert string) {
	t.Helper()
	key, err := os.ReadFile(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(keyFile, append(text, key...), 0o600); err != nil {
		t.Fatal(err)
	}
}

func certificate(t *testing.T, certFile, keyFile string, from, till time.Time) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "desk"}, NotBefore: from, NotAfter: till,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	for path, b := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: raw}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFarm_unlikeWorkers: a worker of another version, or with other arithmetic, is
// refused in a line.
func TestFarm_unlikeWorkers(t *testing.T) {
	t.Parallel()
	f := newFarm(t)
	f.serve(t)
	f.up(t)
	for _, tt := range []struct {
		engine farm.Engine
		want   string
	}{
		{farm.Engine{Version: "v0", Kernel: "go"}, "it wants version v0, this is "},
		{farm.Engine{Version: "", Kernel: "abacus"}, ""},
	} {
		if tt.want == "" { // the version is that of this program: a job of it says which
			tt.engine.Version, tt.want = f.version(t), "it wants the arithmetic of abacus, this processor has "
		}
		crew, err := f.as(t, farm.RoleSubmit).Submit(t.Context(), farm.Job{Kind: "odd", Spec: []byte("1"), Engine: tt.engine}, farm.Command{Size: func() (int, error) { return 1, nil }})
		if err != nil {
			t.Fatal(err)
		}
		p := f.work(t, "w")
		oneLine(t, p.code(), cmdline.ExitUsage, p.err.String()+p.out.String(), tt.want)
		if err := crew.Close(t.Context(), true); err != nil {
			t.Error(err)
		}
	}
}

// TestFarm_kernels: the nets of the program come to the same bits on each arithmetic that
// this processor has; a job is pinned to one all the same.
func TestFarm_kernels(t *testing.T) {
	testsize.Large(t)
	t.Parallel()
	rolled := []string{"rollout", "4HPwATDgc/ABMA", "--dice", "31", "--plies", "1", "--trials", "36", "--truncate", "3", "--json"}
	code, want, errOut := plainly(t, rolled...)
	if code != 0 {
		t.Fatal(errOut)
	}
	var lesser []string
	for _, off := range []string{"cpu.avx512f=off", "cpu.avx512f=off,cpu.avx2=off"} {
		lesser = []string{"GODEBUG=" + off}
		if _, got, errOut := startPlain(t, lesser, rolled...).output(); untimed(t, got) != untimed(t, want) {
			t.Errorf("%s: %s\n%s\n%s", lesser, errOut, got, want)
		}
	}
	if nn.Kernel() == "go" {
		t.Skip("there is one arithmetic on this processor")
	}
	f := newFarm(t)
	f.serve(t)
	f.up(t)
	launch(t, os.Args[0], f.dir, lesser, f.flags(rolled...)...) // with plain Go
	c := f.as(t, farm.RoleSubmit)
	wait(t, func() bool { s, err := c.Status(t.Context()); return err == nil && len(s.Jobs) > 0 })
	p := f.work(t, "modern")
	oneLine(t, p.code(), cmdline.ExitUsage, p.err.String()+p.out.String(),
		"it wants the arithmetic of go, this processor has "+nn.Kernel()+" (GODEBUG chooses a lesser one)")
}

// version is what this program calls itself on the farm.
func (f farmAt) version(t *testing.T) (v string) {
	t.Helper()
	p := f.work(t, "whoami")
	c := f.as(t, farm.RoleSubmit)
	wait(t, func() bool {
		s, err := c.Status(t.Context())
		if err == nil && len(s.Workers) > 0 {
			v = s.Workers[0].Version
		}
		return v != ""
	})
	p.kill()
	return v
}

// spoiler runs pieces as they should be, but for those from some trial on.
type spoiler struct {
	shard.Runner
	do func() ([]byte, error)
}

func (s spoiler) Run(ctx context.Context, ask []byte) ([]byte, error) {
	var r shard.Range
	if json.Unmarshal(ask, &r) == nil && r.From >= 12 {
		return s.do()
	}
	return s.Runner.Run(ctx, ask)
}

// TestFarm_nothingComputedIsLost has a worker that fails at the second half of a job, which
// others can run: it is left out, the command ends with one clear line, and started again it
// has only that half run.
func TestFarm_nothingComputedIsLost(t *testing.T) {
	t.Parallel()
	rolled := []string{"rollout", "4HPwATDgc/ABMA", "--dice", "31", "--plies", "0", "--trials", "24", "--truncate", "2", "--json"}
	code, want, errOut := plainly(t, rolled...)
	if code != 0 {
		t.Fatal(errOut)
	}
	for _, tt := range []struct {
		name string
		do   func() ([]byte, error)
		want string
	}{
		{"a piece above 1 MiB", func() ([]byte, error) { return make([]byte, 1<<20), nil }, "spoiler fails at pieces that can be run here and is left out"},
		{"poison", func() ([]byte, error) { return nil, errors.New("no such dice") }, "last on spoiler: no such dice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFarm(t)
			f.serve(t)
			f.up(t)
			args := f.flags(append(slices.Clone(rolled), "--farm-piece", "1us")...) // a trial a piece
			first := inside(t, args...)
			c := f.as(t, farm.RoleSubmit)
			version := ""
			wait(t, func() bool {
				s, err := c.Status(t.Context())
				if err == nil && len(s.Jobs) > 0 {
					version = s.Jobs[0].Version
				}
				return version != ""
			})
			ended := f.spoil(t, version, tt.do)
			oneLine(t, first.code(), cmdline.ExitFailed, first.err.String(), tt.want)
			ended()
			s, err := c.Status(t.Context())
			if err != nil || len(s.Jobs) != 1 || s.Jobs[0].State != "waiting" || s.Jobs[0].Done == 0 {
				t.Fatalf("%+v, %v", s, err)
			}
			had := int64(s.Jobs[0].Done)
			second := inside(t, args...)
			p := f.work(t, "good")
			if code, got, _ := second.output(); code != 0 || untimed(t, got) != untimed(t, want) {
				t.Errorf("%s\n%s\n%s", second.err.String(), got, want)
			}
			p.kill()
			var ran, checked int64
			if m := regexp.MustCompile(`(\d+) of \d+ pieces`).FindStringSubmatch(second.err.String()); m != nil {
				checked, _ = strconv.ParseInt(m[1], 10, 64)
			}
			if _, err := fmt.Sscanf(p.out.String(), "%d pieces", &ran); err != nil || ran == 0 || ran > pieces(want)-had+4*checked { // each is offered to the one worker up to four times
				t.Errorf("%d results were there, %d of %d pieces run again: %s", had, ran, pieces(want), p.out.String())
			}
		})
	}
}

// pieces is how many the rollout has: a trial of an arm each.
func pieces(text string) int64 {
	var d struct {
		Arms []any `json:"arms"`
	}
	_ = json.Unmarshal([]byte(text), &d) // none then
	return int64(24 * len(d.Arms))
}

// spoil works in this process; the function ends it.
func (f farmAt) spoil(t *testing.T, version string, do func() ([]byte, error)) func() {
	t.Helper()
	path := filepath.Join(t.TempDir(), "spoiler.key")
	if code, _, errOut := here(t, "farm", "key", "spoiler", "--data", f.dir, "-o", path); code != 0 {
		t.Fatal(errOut)
	}
	k, err := farm.ReadKey(path)
	if err != nil {
		t.Fatal(err)
	}
	var c *farm.Client
	wait(t, func() bool { c, err = farm.Dial("tls://"+f.address, k); return err == nil }) // the server looks each second
	t.Cleanup(c.Close)
	w := &farm.Worker{Client: c, Name: "spoiler", Threads: 1, Version: version, Kernel: nn.Kernel(), Dir: t.TempDir(),
		Log: func(string) {}, Grace: time.Second}
	w.Prepare = func(ctx context.Context, j farm.Job, _ farm.Paths) (p farm.Prepared, err error) {
		e, err := engine.Open(engine.Options{Threads: 1, CacheMB: 1, Seed: 1})
		if err != nil {
			return p, err
		}
		if p.Answer, err = remote.Answer(ctx, e); err != nil {
			return p, err
		}
		open, err := remote.Rollout.Open(ctx, []*engine.Engine{e}, j.Spec)
		p.New = func() (shard.Runner, error) {
			r, err := open()
			return spoiler{r, do}, err
		}
		return p, err
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := w.Run(ctx); err != nil && ctx.Err() == nil && !strings.Contains(err.Error(), "was left out") {
			t.Errorf("spoiler: %v", err)
		}
	})
	end := func() { cancel(); wg.Wait() }
	t.Cleanup(end)
	return end
}

func send(t *testing.T, s syscall.Signal, p *os.Process) {
	t.Helper()
	if err := p.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// TestFarm_signals: a worker that gets SIGTERM finishes its piece, reports it and leaves the
// status at once. A stopped worker, or a server that is silent for a while, only costs time. A
// shorter rollout of the same position then reuses the trials.
func TestFarm_signals(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	rolled := []string{"rollout", "4HPwATDgc/ABMA", "--dice", "31", "--plies", "0", "--truncate", "3", "--json", "--trials"}
	code, want, errOut := plainly(t, append(slices.Clone(rolled), "288")...)
	if code != 0 {
		t.Fatal(errOut)
	}
	f := newFarm(t)
	server := f.serveAlone(t)
	f.up(t)
	still, ends := start(t, f.dir, f.worker("still")...), start(t, f.dir, f.worker("ends")...)
	f.work(t, "stays")
	long := start(t, f.dir, f.flags(append(slices.Clone(rolled), "1000008", "--farm-piece", "10ms")...)...)
	c := f.as(t, farm.RoleSubmit)
	at := func(name string) (w farm.Report) {
		s, _ := c.Status(t.Context()) // none while the server is away
		for _, w := range s.Workers {
			if w.Name == name {
				return w
			}
		}
		return w
	}
	wait(t, func() bool { return at("still").Pieces > 0 && at("ends").Pieces > 0 && at("stays").Pieces > 0 })
	send(t, syscall.SIGSTOP, still.cmd.Process)
	send(t, syscall.SIGTERM, ends.cmd.Process)
	if code := ends.code(); code != cmdline.ExitDone || !strings.Contains(ends.out.String(), " 0 failures") {
		t.Errorf("status %d: %s%s", code, ends.out.String(), ends.err.String())
	}
	if at("ends").ID != "" {
		t.Error("a worker that has ended is still there")
	}
	had, stood := at("stays").Pieces, at("still").Pieces
	send(t, syscall.SIGSTOP, server.cmd.Process)
	time.Sleep(time.Second) // what others notice of it is theirs to tell
	send(t, syscall.SIGCONT, server.cmd.Process)
	wait(t, func() bool { return at("stays").Pieces > had })
	send(t, syscall.SIGCONT, still.cmd.Process)
	wait(t, func() bool { return at("still").Pieces > stood })
	send(t, syscall.SIGINT, long.cmd.Process)
	keeps := regexp.MustCompile(`\nfibsbot: job rollout-[0-9a-f]+: [1-9][0-9]* of [1-9][0-9]* pieces are done and stay on the farm for a week; the same command resumes the job\nfibsbot: interrupted\n$`)
	if code := long.code(); code != cmdline.ExitInterrupted || !keeps.MatchString(long.err.String()) {
		t.Errorf("status %d: %q", code, long.err.String())
	}
	code, got, errOut := here(t, f.flags(append(slices.Clone(rolled), "288", "--farm-piece", "10ms")...)...)
	if code != 0 || untimed(t, got) != untimed(t, want) {
		t.Errorf("status %d, %s\n%s\n%s", code, errOut, got, want)
	}
	if id := regexp.MustCompile(`rollout-[0-9a-f]+`).FindString(errOut); id == "" || !strings.Contains(long.err.String(), id) {
		t.Errorf("the shorter one is another job: %s%s", errOut, long.err.String())
	}
	send(t, syscall.SIGTERM, server.cmd.Process)
	if code := server.code(); code != cmdline.ExitDone || server.err.String() != "fibsbot: the farm ended; no job is unfinished\n" {
		t.Errorf("status %d: %q", code, server.err.String())
	}
}
