// Package ctxread makes reads of terminals, pipes and files end with a context.
package ctxread

import (
	"context"
	"io"
	"os"
)

// chunkSize is the number of bytes per read.
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

// Stream reads from in, which may block, such as the standard input. A read returns the
// context's error when ctx ends.
func Stream(ctx context.Context, in io.Reader) io.Reader {
	return &waiting{ctx: ctx, in: in, chunks: make(chan chunk)}
}

// Unread returns the reader below a Stream that was not read yet, or else r, for a reader that
// needs the terminal itself.
func Unread(r io.Reader) io.Reader {
	if s, ok := r.(*waiting); ok && !s.started {
		return s.in
	}
	return r
}

// Read implements io.Reader. After the end of the context it returns the context's error.
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

// pump reads until the input or the context ends. A read that blocks at the end of the context
// stays blocked; the program ends then, too.
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

// File reads from r, which never blocks, until ctx ends.
func File(ctx context.Context, r io.Reader) io.Reader { return file{ctx, r} }

type file struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (s file) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

// Open opens a file for reading and never blocks. A named pipe without a writer is empty, where
// os.Open would wait for a writer without regard to any context.
func Open(name string) (*os.File, error) { return os.OpenFile(name, os.O_RDONLY|nonBlock, 0) }
