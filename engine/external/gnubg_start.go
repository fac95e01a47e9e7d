package external

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"
)

// startGnubg starts a gnubg, lets it serve its external-player protocol on loopback, and connects
// to it. words are the program and its arguments; those of a text interface are added.
func startGnubg(ctx context.Context, words []string, stderr io.Writer) (*Remote, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	p, err := startProcess(ctx, append(words[:len(words):len(words)], "-t", "-q"), stderr)
	if err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		for range p.lines { // what gnubg says to people
		}
		close(ended)
	}()
	_, err = io.WriteString(p.in, "external "+address+"\n")
	for err == nil {
		var x *Remote
		if x, err = Dial(ctx, address); err == nil {
			x.started = p
			return x, nil
		}
		select {
		case <-ended:
			err = fmt.Errorf("%w: %s ended before it served", ErrStart, words[0])
		case <-ctx.Done():
		case <-time.After(startPause):
			err = nil
		}
	}
	p.kill()
	_ = p.Close() // the first error says more
	return nil, err
}

// startPause is how long to wait before a started gnubg is dialled again.
const startPause = 50 * time.Millisecond

// freeAddress returns an address of loopback that nothing listens on.
func freeAddress(ctx context.Context) (string, error) {
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return ln.Addr().String(), ln.Close()
}
