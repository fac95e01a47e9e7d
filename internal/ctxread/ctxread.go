// Package ctxread makes reads end with a context: of terminals and pipes, where a read may
// wait for ever, and of files.
package ctxread

import (
	"context"
	"io"
)

// chunkSize is how much is read at a time.
const chunkSize = 32 << 10

// waiting is the reader of Stream.
type waiting struct {
	ctx     context.Context //nolint:containedctx // io.Reader has no place for it
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

// Stream reads from in, which may make readers wait, such as a standard input: a read
// comes back with the context's error when ctx ends.
func Stream(ctx context.Context, in io.Reader) io.Reader {
	return &waiting{ctx: ctx, in: in, chunks: make(chan chunk)}
}

// Unread is what Stream made r of while nothing was read of it, else r: for a reader
// that must have the terminal for itself.
func Unread(r io.Reader) io.Reader {
	if s, ok := r.(*waiting); ok && !s.started {
		return s.in
	}
	return r
}

// Read is io.Reader's; once the context has ended it gives that one's error.
func (s *waiting) Read(p []byte) (int, error) {
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
func (s *waiting) pump() {
	for {
		data := make([]byte, chunkSize)
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

// File reads from r, which makes nobody wait, and no further when ctx has ended.
func File(ctx context.Context, r io.Reader) io.Reader { return file{ctx, r} }

type file struct {
	ctx context.Context
	r   io.Reader
}

// Read is io.Reader's.
func (s file) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}
