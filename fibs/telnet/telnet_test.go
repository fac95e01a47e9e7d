package telnet

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pair returns our end of a connection and the server's.
func pair(t *testing.T, opts Options) (*Conn, net.Conn) {
	t.Helper()
	ours, theirs := net.Pipe()
	c := NewConn(ours, opts)
	t.Cleanup(func() { _ = c.Close(); _ = theirs.Close() })
	return c, theirs
}

// readAll reads lines until the error.
func readAll(c *Conn) (lines []string, err error) {
	for {
		line, err := c.ReadLine()
		if err != nil {
			return lines, err
		}
		lines = append(lines, line)
	}
}

// sendThenClose writes the chunks one by one, as separate packets.
func sendThenClose(conn net.Conn, chunks ...string) {
	go func() {
		for _, s := range chunks {
			_, _ = io.WriteString(conn, s)
		}
		_ = conn.Close()
	}()
}

func TestReadLine(t *testing.T) {
	tests := []struct {
		name   string
		chunks []string
		want   []string
		err    error
	}{
		{"lines and empty lines", []string{"one\r\n\r\ntwo\r\n"}, []string{"one", "", "two"}, io.EOF},
		{"bare line feeds", []string{"one\ntwo\n"}, []string{"one", "two"}, io.EOF},
		{"line feed before carriage return", []string{"one\n\rtwo\n\r"}, []string{"one", "two"}, io.EOF},
		{"byte by byte", strings.Split("board:You\r\nbob\r\n", ""), []string{"board:You", "bob"}, io.EOF},
		{"server closes in the middle of a line", []string{"one\r\nbob wins the 5 point match 5-"}, []string{"one"}, io.ErrUnexpectedEOF},
		{"login prompt without line end", []string{"banner\r\nlogin: "}, []string{"banner", "login: "}, io.EOF},
		{"prompt in pieces", []string{"log", "in:", " "}, []string{"login: "}, io.EOF},
		{"prompt, then its line end", []string{"login: \r\nx\r\n"}, []string{"login: ", "", "x"}, io.EOF},
		{"prompt text inside a line is not a prompt", []string{"12 bob login: now\r\n"}, []string{"12 bob login: now"}, io.EOF},
		{"telnet prompt before a numbered line", []string{"> 5 bob\r\n"}, []string{"> ", "5 bob"}, io.EOF},
		{"password prompt with echo off", []string{"\xff\xfb\x01Please give your password: \xff\xfc\x01\r\n"},
			[]string{"Please give your password: ", ""}, io.EOF},
		{"option in the middle of a word", []string{"bo\xff\xfb\x01b\r\n"}, []string{"bob"}, io.EOF},
		{"option cut in pieces", []string{"bo\xff", "\xfd", "\x22b\r\n"}, []string{"bob"}, io.EOF},
		{"stray commands", []string{"b\xff\xf1o\xff\xf9b\xff\xf6\r\n\xff", "\xf4x\r\n"}, []string{"bob", "x"}, io.EOF},
		{"sub-negotiation", []string{"bo\xff\xfa\x18\x01\xff", "\xf0b\r\n"}, []string{"bob"}, io.EOF},
		{"doubled IAC is a sign", []string{"a\xff\xffb\r\n", "c\xff", "\xffd\r\n"}, []string{"a\xffb", "c\xffd"}, io.EOF},
		{"8-bit text", []string{"12 bob caf\xe9 \x80\r\n"}, []string{"12 bob caf\xe9 \x80"}, io.EOF},
		{"sub-negotiation without end", []string{"x\r\n\xff\xfa" + strings.Repeat("y", maxNegotiation+1)}, []string{"x"}, ErrNegotiation},
		{"line without end", []string{"x\r\n" + strings.Repeat("y", maxEndless*maxLine+1)}, []string{"x"}, ErrLineTooLong},
		{"long line is cut", []string{strings.Repeat("y", maxEndless*maxLine) + "\r\nx\r\n"}, []string{strings.Repeat("y", maxLine), "x"}, io.EOF},
		{"line just short enough", []string{strings.Repeat("y", maxLine) + "\r\n"}, []string{strings.Repeat("y", maxLine)}, io.EOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, server := pair(t, Options{})
			sendThenClose(server, tt.chunks...)
			got, err := readAll(c)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("lines (-want +got)\n%s", diff)
			}
			if !errors.Is(err, tt.err) {
				t.Errorf("error %v, want %v", err, tt.err)
			}
			if _, again := c.ReadLine(); again != err {
				t.Errorf("second error %v, want %v again", again, err)
			}
		})
	}
}

func TestReadLine_gigabyteWithoutLineEnd(t *testing.T) {
	c, server := pair(t, Options{})
	chunk := strings.Repeat("x", 1<<16)
	sent := make(chan int)
	go func() {
		n := 0
		for range 1 << 14 {
			if _, err := io.WriteString(server, chunk); err != nil {
				break
			}
			n += len(chunk)
		}
		sent <- n
	}()
	if _, err := c.ReadLine(); !errors.Is(err, ErrLineTooLong) {
		t.Errorf("error %v, want ErrLineTooLong", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if n := <-sent; n > 1<<18 {
		t.Errorf("%d bytes were read of a line that may have %d", n, maxEndless*maxLine)
	}
}

func TestReadLine_silentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer theirs.Close()
		c := NewConn(ours, Options{Idle: 5 * time.Minute})
		defer c.Close()
		go func() {
			time.Sleep(4 * time.Minute)
			_, _ = io.WriteString(theirs, "half a li")
		}()
		start := time.Now()
		_, err := c.ReadLine()
		if !errors.Is(err, ErrSilent) {
			t.Errorf("error %v, want ErrSilent", err)
		}
		if took := time.Since(start); took != 9*time.Minute {
			t.Errorf("gave up after %v, want 5 minutes after the last byte", took)
		}
	})
}

func TestWriteLine_serverDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer theirs.Close()
		c := NewConn(ours, Options{})
		defer c.Close()
		start := time.Now()
		if err := c.WriteLine("roll"); !errors.Is(err, ErrStuck) {
			t.Errorf("error %v, want ErrStuck", err)
		}
		if took := time.Since(start); took != writeLimit {
			t.Errorf("gave up after %v", took)
		}
	})
}

func TestWriteLine(t *testing.T) {
	c, server := pair(t, Options{})
	got := make(chan string)
	go func() {
		data, _ := io.ReadAll(server)
		got <- string(data)
	}()
	for _, bad := range []string{"roll\r\nbye", "caf\xe9", "a\tb", "\xff\xf4", "x\x00"} {
		if err := c.WriteLine(bad); !errors.Is(err, ErrNotPlain) {
			t.Errorf("WriteLine(%q) = %v, want ErrNotPlain", bad, err)
		}
	}
	for _, good := range []string{"roll", "", "move bar-21 6-off"} {
		if err := c.WriteLine(good); err != nil {
			t.Errorf("WriteLine(%q) = %v", good, err)
		}
	}
	if err := c.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if s := <-got; s != "roll\r\n\r\nmove bar-21 6-off\r\n" {
		t.Errorf("server read %q", s)
	}
	if err := c.WriteLine("roll"); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v, want ErrClosed", err)
	}
}

func TestClose_unblocksReadLine(t *testing.T) {
	c, _ := pair(t, Options{})
	ended := make(chan error)
	go func() {
		_, err := c.ReadLine()
		ended <- err
	}()
	if err := c.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := <-ended; !errors.Is(err, ErrClosed) {
		t.Errorf("ReadLine: %v, want ErrClosed", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func TestDial_loopback(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, "WELCOME\r\nlogin: ")
		_, _ = io.Copy(conn, conn)
		_ = conn.Close()
	}()
	c, err := Dial(context.Background(), listener.Addr().String(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, want := range []string{"WELCOME", "login: "} {
		if got, err := c.ReadLine(); err != nil || got != want {
			t.Errorf("ReadLine = %q, %v, want %q", got, err, want)
		}
	}
	if err := c.WriteLine("hello"); err != nil {
		t.Error(err)
	}
	if got, err := c.ReadLine(); err != nil || got != "hello" {
		t.Errorf("echo = %q, %v", got, err)
	}
}

func TestDial_limits(t *testing.T) {
	never := func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, err := Dial(context.Background(), "host.example:4321", Options{Dial: never, Connect: 20 * time.Second})
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "host.example:4321") {
			t.Errorf("error %v", err)
		}
		if took := time.Since(start); took != 20*time.Second {
			t.Errorf("gave up after %v", took)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := Dial(ctx, "host.example:4321", Options{Dial: never}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
	})
}

// FuzzReadLine throws bytes at a connection: it must neither panic nor return
// a line that is too long, and deliver all text when no command is in it.
func FuzzReadLine(f *testing.F) {
	f.Add([]byte("one\r\nlogin: two\r\n"), uint8(3))
	f.Add([]byte("a\xff\xfb\x01b\xff\xf1c\xff\xffd\r\n\xff\xfa1\xff\xf0\n"), uint8(1))
	f.Add([]byte("\xff\xff\xff"), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, size uint8) {
		ours, theirs := net.Pipe()
		c := NewConn(ours, Options{Idle: -1})
		defer c.Close()
		go func() {
			defer theirs.Close()
			for rest := data; len(rest) > 0; {
				n := min(len(rest), int(size)+1)
				if _, err := theirs.Write(rest[:n]); err != nil {
					return
				}
				rest = rest[n:]
			}
		}()
		lines, _ := readAll(c)
		for _, line := range lines {
			if len(line) > maxLine {
				t.Fatalf("line of %d bytes", len(line))
			}
		}
	})
}

func BenchmarkReadLine(b *testing.B) {
	ours, theirs := net.Pipe()
	c := NewConn(ours, Options{Idle: -1})
	defer c.Close()
	line := "board:You:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0\r\n"
	chunk := []byte(strings.Repeat(line, 50))
	go func() {
		for {
			if _, err := theirs.Write(chunk); err != nil {
				return
			}
		}
	}()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.ReadLine(); err != nil {
			b.Fatal(err)
		}
	}
	_ = theirs.Close()
}
