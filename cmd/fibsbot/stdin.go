package main

import (
	"context"
	"io"
)

// stdinChunk is how much of the standard input is read at a time.
const stdinChunk = 32 << 10

// stdin is the standard input of a command that a signal can end: a read that waits
// for a terminal or a pipe comes back when ctx ends. Use newStdin.
type stdin struct {
	ctx     context.Context
	in      io.Reader
	chunks  chan chunk
	started bool
	rest    []byte // read and not yet handed out
	err     error  // behind rest
}

type chunk struct {
	data []byte
	err  error
}

func newStdin(ctx context.Context, in io.Reader) *stdin {
	return &stdin{ctx: ctx, in: in, chunks: make(chan chunk)}
}

// Read is io.Reader's; once the context has ended it gives that one's error.
func (s *stdin) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	if !s.started {
		s.started = true
		go s.pump()
	}
	if len(s.rest) == 0 && s.err == nil {
		select {
		case c := <-s.chunks:
			s.rest, s.err = c.data, c.err
		case <-s.ctx.Done():
			return 0, s.ctx.Err()
		}
	}
	if len(s.rest) == 0 {
		return 0, s.err
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// pump reads until the input or the context ends. A read that waits at the end of the
// context stays behind; the program ends then, too.
func (s *stdin) pump() {
	for {
		data := make([]byte, stdinChunk)
		n, err := s.in.Read(data)
		select {
		case s.chunks <- chunk{data[:n], err}:
		case <-s.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// stoppable is a file that is read no further when ctx ends.
type stoppable struct {
	ctx context.Context
	r   io.Reader
}

// Read is io.Reader's.
func (s stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}
