package farm

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// TestServe_silentCrowd: who only holds connections gets so many and no more.
func TestServe_silentCrowd(t *testing.T) {
	s, err := Serve(t.Context(), ServerOptions{Listen: "127.0.0.1:0", Dir: t.TempDir(), conns: 8})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	told := make(chan bool, 12)
	for range cap(told) {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "tls://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		go func() {
			text, _ := io.ReadAll(c)
			told <- strings.Contains(string(text), "maximum connections exceeded")
		}()
	}
	refused := 0
	for range cap(told) {
		if <-told {
			refused++
		}
		if refused == 4 {
			return // the others wait to be thrown out
		}
	}
	t.Errorf("%d of 12 refused, at most 8 may be held", refused)
}
