package farm

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// clock is a clock that a test sets.
type clock struct {
	mu   sync.Mutex
	by   time.Duration
	said []string
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.by)
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.by += d
}

func (c *clock) log(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said = append(c.said, text)
}

// told is how often something was said that holds text.
func (c *clock) told(text string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.said {
		if strings.Contains(s, text) {
			n++
		}
	}
	return n
}

// comes waits for something that a server's watch does each second.
func comes(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never came: " + what)
		}
	}
}

// greet is a handshake with the key of keyFile at that time: the certificate
// that the server shows, or why it is not trusted.
func greet(t *testing.T, s *Server, keyFile string, at time.Time) (*x509.Certificate, error) {
	t.Helper()
	k, err := ReadKey(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	shown := s.shown.Load()
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{GetCertificate: s.options("", 0).TLSConfig.GetCertificate})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		if c, err := l.Accept(); err == nil {
			_ = c.(*tls.Conn).Handshake() // the client's end tells
			c.Close()
		}
	}()
	raw, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	roots, err := k.roots()
	if err != nil {
		t.Fatal(err)
	}
	c := tls.Client(raw, &tls.Config{RootCAs: roots, ServerName: serverName, Time: func() time.Time { return at }})
	return shown.Leaf, c.Handshake()
}

// TestServer_certificateIsRenewedWhileItRuns: a server that runs for years has a good
// certificate at any time, no client loses the connection, and a job continues.
func TestServer_certificateIsRenewedWhileItRuns(t *testing.T) {
	t.Parallel()
	var c clock
	s := testServer(t, ServerOptions{now: c.now, Log: c.log})
	submitKey, workKey := s.KeyFiles()
	boss, work := client(t, s.URL(), submitKey), client(t, s.URL(), workKey)
	testWorker(t, work, "kitchen", nil, square{runs: new(atomic.Int64)})
	crew := submit(t, boss, "years")
	first, err := greet(t, s, workKey, c.now())
	if err != nil {
		t.Fatal(err)
	}
	for year := range 9 { // within the first authority's life
		c.add(365 * day)
		comes(t, "a certificate that is good", func() bool { return s.shown.Load().Leaf.NotAfter.Sub(c.now()) > renewBefore })
		leaf, err := greet(t, s, workKey, c.now())
		if err != nil {
			t.Fatalf("after %d years: %v", year+1, err)
		}
		if year > 1 && leaf.NotAfter.Equal(first.NotAfter) {
			t.Errorf("after %d years the first one is still shown", year+1)
		}
	}
	if n := c.told("the server's certificate is a new one"); n < 4 || n > 6 {
		t.Errorf("%d new certificates reported", n)
	}
	if got, err := sum(t, crew, 20); err != nil || got != 2470 {
		t.Errorf("the job came to %d, %v", got, err)
	}
	if err := crew.Close(t.Context(), true); err != nil {
		t.Error(err)
	}
	if a, b := boss.nc.Stats().Reconnects, work.nc.Stats().Reconnects; a+b != 0 {
		t.Errorf("connections were lost: %d and %d", a, b)
	}
}

// TestServer_authorityNearItsEnd: log and status warn half a year before, a running server takes
// up the renewal, distributed key files work until the old end, and new and renewed ones beyond
// it.
func TestServer_authorityNearItsEnd(t *testing.T) {
	t.Parallel()
	var c clock
	s := testServer(t, ServerOptions{now: c.now, Log: c.log})
	submitKey, workKey := s.KeyFiles()
	boss := client(t, s.URL(), submitKey)
	out := filepath.Join(t.TempDir(), "out.key") // on a forgotten machine
	if err := NewKey(s.dir, "out", RoleWork, out); err != nil {
		t.Fatal(err)
	}
	notes := func() string {
		st, err := boss.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(st.Notes, "\n")
	}
	if text := notes(); text != "" {
		t.Errorf("at first: %s", text)
	}
	const how = "fibsbot farm key --renew --data "
	c.add(authorityLife - warnBefore + day)
	comes(t, "the word of the end", func() bool { return c.told(how+s.dir) == 1 })
	comes(t, "its status", func() bool { return strings.Contains(notes(), how+s.dir) })
	c.add(3 * day)
	comes(t, "the new time", func() bool { return strings.Contains(notes(), "in 175 days") })
	c.add(5 * day)
	comes(t, "the next week's word", func() bool { return c.told(how) == 2 })
	oldEnd := *s.said.Load().AuthorityEnds
	if leaf := s.shown.Load().Leaf; leaf.NotAfter.After(oldEnd) {
		t.Errorf("a certificate that outlives its authority: %s, %s", leaf.NotAfter, oldEnd)
	}
	end, written, err := RenewAuthority(s.dir, c.now())
	if err != nil || len(written) != 2 || end.Before(oldEnd.Add(9*365*day)) {
		t.Fatalf("until %s, %v: %v", end, written, err)
	}
	comes(t, "the renewal", func() bool { return notes() == "" })
	for _, key := range []string{out, workKey, submitKey} {
		if _, err := greet(t, s, key, c.now()); err != nil {
			t.Errorf("%s after the renewal: %v", key, err)
		}
	}
	c.add(warnBefore) // beyond the old end
	comes(t, "a certificate of the renewed authority", func() bool { return s.shown.Load().Leaf.NotAfter.After(c.now()) })
	var invalid x509.CertificateInvalidError
	_, err = greet(t, s, out, c.now())
	if !errors.As(err, &invalid) || !strings.Contains(plain(s.URL(), err).Error(), "the farm's authority in the key file has expired") {
		t.Errorf("with an old key file: %v", err)
	}
	if _, err := greet(t, s, workKey, c.now()); err != nil {
		t.Error(err)
	}
	// What a person may do on the other machine: the new certificate behind the old one.
	ca, err := os.ReadFile(filepath.Join(s.dir, caFile))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(out, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(ca); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := greet(t, s, out, c.now()); err != nil {
		t.Errorf("with both certificates: %v", err)
	}
}

// TestRenewAuthority_refusals change nothing.
func TestRenewAuthority_refusals(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), t.TempDir()
	key, stranger := filepath.Join(t.TempDir(), "a.key"), filepath.Join(t.TempDir(), "b.key")
	if err := NewKey(dir, "a", RoleWork, key); err != nil {
		t.Fatal(err)
	}
	if err := NewKey(other, "b", RoleWork, stranger); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(dir, caFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		dir, file, want string
	}{
		{t.TempDir(), key, "no farm in "},
		{dir, stranger, "not a key of this farm"},
		{dir, dir, "not a key file"},
		{dir, filepath.Join(dir, "none.key"), "no such file"},
	} {
		if _, _, err := RenewAuthority(tt.dir, time.Now(), key, tt.file); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.file, err, tt.want)
		}
	}
	if after, err := os.ReadFile(filepath.Join(dir, caFile)); err != nil || string(after) != string(before) {
		t.Errorf("the authority has changed: %v", err)
	}
	if _, written, err := RenewAuthority(dir, time.Now().Add(day), key); err != nil || len(written) != 1 {
		t.Errorf("%v, %v", written, err)
	}
	k, err := ReadKey(key)
	if err != nil || !k.own || k.ends().Before(time.Now().Add(authorityLife)) {
		t.Errorf("%v, %v", k.ends(), err)
	}
}

// TestServer_certificateOfOneselfIsReadAgain: what a tool renews beside a running server is
// taken up; half of a new pair is not.
func TestServer_certificateOfOneselfIsReadAgain(t *testing.T) {
	t.Parallel()
	var c clock
	dir, files := t.TempDir(), t.TempDir()
	cert, key := filepath.Join(files, "c.pem"), filepath.Join(files, "c.key")
	if err := authority(dir, time.Now()); err != nil {
		t.Fatal(err)
	}
	write := func(keyPath, certPath string, end time.Duration) {
		t.Helper()
		if err := issue(keyPath, certPath, template(c.now(), c.now().Add(end)), nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	write(key, cert, 20*day)
	s := testServer(t, ServerOptions{Dir: dir, Cert: cert, CertKey: key, now: c.now, Log: c.log})
	c.add(10 * day)
	comes(t, "the word of its end", func() bool { return c.told("the certificate of "+cert+" ends on ") == 1 })
	newCert, newKey := filepath.Join(files, "n.pem"), filepath.Join(files, "n.key")
	write(newKey, newCert, 90*day)
	old := s.shown.Load().Leaf.NotAfter
	if err := os.Rename(newCert, cert); err != nil {
		t.Fatal(err)
	}
	comes(t, "the word of half a pair", func() bool { return c.told("the server's certificate stays as it was") == 1 })
	if !s.shown.Load().Leaf.NotAfter.Equal(old) {
		t.Error("half of a pair was taken up")
	}
	if err := os.Rename(newKey, key); err != nil {
		t.Fatal(err)
	}
	comes(t, "the new one", func() bool { return s.shown.Load().Leaf.NotAfter.After(old) })
	if c.told("the server's certificate is a new one") != 1 {
		t.Error("there was no warning")
	}
}

// TestServer_certificateCannotBeRenewed: without the authority's secret the old one stays as
// as long as it is valid, and the status warns.
func TestServer_certificateCannotBeRenewed(t *testing.T) {
	t.Parallel()
	var c clock
	s := testServer(t, ServerOptions{now: c.now, Log: c.log})
	if err := os.Remove(filepath.Join(s.dir, caKeyFile)); err != nil {
		t.Fatal(err)
	}
	c.add(certLife - renewBefore + 2*day)
	comes(t, "the word of it", func() bool { return c.told("the server's certificate stays as it was: authority of the farm") == 1 })
	comes(t, "what is to be seen", func() bool { return c.told("in 27 days and could not be renewed") == 1 })
	c.add(28 * day)
	comes(t, "its end", func() bool { return c.told("no client will connect: the certificate of the server is valid from") >= 1 })
}
