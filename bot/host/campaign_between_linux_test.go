package host

import (
	"maps"
	"net"
	"slices"
	"sync"
	"testing"
	"time"
)

// between is a proxy between bots and a server. It can add lines.
type between struct {
	addr string

	mu    sync.Mutex
	lines map[*passing]bool
}

// passing is one connection.
type passing struct {
	mu    sync.Mutex
	bot   net.Conn
	whole bool // the last byte was the end of a line
	asked bool // the bot has sent something, so it is logging in or logged in
}

func newBetween(t testing.TB, server string) *between {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &between{addr: ln.Addr().String(), lines: map[*passing]bool{}}
	var wg sync.WaitGroup
	t.Cleanup(func() {
		ln.Close()
		b.mu.Lock()
		for p := range b.lines {
			p.bot.Close()
		}
		b.mu.Unlock()
		wg.Wait()
	})
	wg.Go(func() {
		for {
			bot, err := ln.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { b.pass(bot, server) })
		}
	})
	return b
}

// pass carries the bytes of one connection both ways.
func (b *between) pass(bot net.Conn, server string) {
	defer bot.Close()
	srv, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	p := &passing{bot: bot}
	b.mu.Lock()
	b.lines[p] = true
	b.mu.Unlock()
	var wg sync.WaitGroup
	wg.Go(func() {
		defer bot.Close()
		buf := make([]byte, 16<<10)
		for {
			n, err := srv.Read(buf)
			if n > 0 && p.write(buf[:n]) != nil || err != nil {
				return
			}
		}
	})
	buf := make([]byte, 4<<10)
	for {
		n, err := bot.Read(buf)
		if n > 0 {
			p.mu.Lock()
			p.asked = true
			p.mu.Unlock()
			if _, err := srv.Write(buf[:n]); err != nil {
				break
			}
		}
		if err != nil {
			break
		}
	}
	srv.Close()
	wg.Wait()
	b.mu.Lock()
	delete(b.lines, p)
	b.mu.Unlock()
}

func (p *passing) write(data []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pass(data)
}

// pass writes to the bot. The caller holds mu.
func (p *passing) pass(data []byte) error {
	_ = p.bot.SetWriteDeadline(time.Now().Add(20 * time.Second))
	_, err := p.bot.Write(data)
	p.whole = data[len(data)-1] == '\n'
	return err
}

// insert writes data between two lines of the server. It reports false where the server is in
// the middle of one, or the bot has not logged in.
func (p *passing) insert(data []byte) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.whole || !p.asked {
		return false, nil
	}
	return true, p.pass(data)
}

// say adds lines between those of the server.
func (b *between) say(lines ...string) {
	var text []byte
	for _, l := range lines {
		text = append(append(text, l...), "\r\n"...)
	}
	b.raw(text)
}

// raw adds bytes between two lines of the server, to each connection that has such a place within
// a second. A connection that does not take them is closed.
func (b *between) raw(text []byte) {
	b.mu.Lock()
	all := slices.Collect(maps.Keys(b.lines))
	b.mu.Unlock()
	for _, p := range all {
		for limit := time.Now().Add(time.Second); time.Now().Before(limit); time.Sleep(time.Millisecond) {
			done, err := p.insert(text)
			if err != nil {
				p.bot.Close()
			}
			if done {
				break
			}
		}
	}
}
