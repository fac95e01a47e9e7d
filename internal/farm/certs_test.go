package farm

import (
	"crypto/tls"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fibsbot/internal/testsize"
)

// spoken is what a server says to its operator.
type spoken struct {
	mu   sync.Mutex
	said []string
}

func (c *spoken) log(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said = append(c.said, text)
}

// told is how often something was said that holds text.
func (c *spoken) told(text string) (n int) {
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

// greet is a handshake with the key of keyFile at that time: why the certificate that the server
// shows is not trusted.
func greet(t *testing.T, s *Server, keyFile string, at time.Time) error {
	t.Helper()
	k, err := ReadKey(keyFile)
	if err != nil {
		t.Fatal(err)
	}
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
	c := tls.Client(raw, &tls.Config{RootCAs: k.roots, ServerName: serverName, Time: func() time.Time { return at }})
	return c.Handshake()
}

// TestServer_certificateHoldsByAnyClock, also one that an earlier version made for two years.
func TestServer_certificateHoldsByAnyClock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := serverCertificate(dir); err != nil {
		t.Fatal(err)
	}
	ca, err := tls.LoadX509KeyPair(filepath.Join(dir, caFile), filepath.Join(dir, caKeyFile))
	if err != nil {
		t.Fatal(err)
	}
	short := template()
	short.NotAfter, short.DNSNames = time.Now().AddDate(2, 0, 0), []string{serverName}
	if err := issue(filepath.Join(dir, certKeyFil), filepath.Join(dir, certFile), short, ca.Leaf, ca.PrivateKey); err != nil {
		t.Fatal(err)
	}
	s := testServer(t, ServerOptions{Dir: dir})
	submitKey, workKey := s.KeyFiles()
	for _, key := range []string{submitKey, workKey} {
		for _, year := range []int{2001, 2026, 2100} {
			if err := greet(t, s, key, time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)); err != nil {
				t.Errorf("%s in %d: %v", key, year, err)
			}
		}
	}
}

// TestServer_certificateOfOneselfIsReadAgain: what a tool renews beside a running server is
// taken up; half of a new pair is not.
func TestServer_certificateOfOneselfIsReadAgain(t *testing.T) {
	testsize.Medium(t)
	t.Parallel()
	var c spoken
	dir, files := t.TempDir(), t.TempDir()
	cert, key := filepath.Join(files, "c.pem"), filepath.Join(files, "c.key")
	if err := authority(dir); err != nil {
		t.Fatal(err)
	}
	write := func(keyPath, certPath string, days int) {
		t.Helper()
		c := template()
		c.NotAfter = time.Now().AddDate(0, 0, days)
		if err := issue(keyPath, certPath, c, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	write(key, cert, 20)
	s := testServer(t, ServerOptions{Dir: dir, Cert: cert, CertKey: key, Log: c.log})
	newCert, newKey := filepath.Join(files, "n.pem"), filepath.Join(files, "n.key")
	write(newKey, newCert, 90)
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
