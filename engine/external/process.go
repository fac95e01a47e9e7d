package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"fibsbot/internal/subprocess"
)

// ErrStart is wrapped by errors about a program that cannot be started.
var ErrStart = errors.New("start engine")

// errUnasked means that a program said something when nothing had been asked.
var errUnasked = errors.New("spoke without being asked")

// process is a started program that is asked in lines. Its output is read only as far as it is
// wanted, so that a program that says too much waits.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	kill  context.CancelFunc
	lines chan string   // each as it is wanted; closed after the last
	stop  chan struct{} // ends the reader
	once  sync.Once
	fault error // why lines was closed
}

// startProcess starts words; ctx ends the program, and what it started.
func startProcess(ctx context.Context, words []string, stderr io.Writer) (*process, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("%w: no command", ErrStart)
	}
	ctx, kill := context.WithCancel(ctx)
	c := subprocess.Command(ctx, words[0], words[1:]...)
	c.Stderr = stderr
	x := &process{cmd: c, kill: kill, lines: make(chan string), stop: make(chan struct{})}
	var err error
	if x.in, err = c.StdinPipe(); err != nil {
		kill()
		return nil, fmt.Errorf("start %s: %w", words[0], err)
	}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		kill()
		return nil, startError{err}
	}
	go x.read(bufio.NewReaderSize(out, maxRequest))
	return x, nil
}

// startError is an error of the system that errors.Is finds as ErrStart.
type startError struct{ error }

func (startError) Is(target error) bool { return target == ErrStart }
func (e startError) Unwrap() error      { return e.error }

// read hands out the lines of the program until its output ends or one is too long.
func (x *process) read(r *bufio.Reader) {
	defer close(x.lines)
	for {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			err = fmt.Errorf("a line of more than %d bytes", maxRequest)
		}
		if err != nil {
			x.fault = err
			return
		}
		select {
		case x.lines <- strings.TrimSpace(string(line)):
		case <-x.stop:
			x.fault = io.EOF
			return
		}
	}
}

// ask sends a request, without its end of line, and returns the next line.
func (x *process) ask(ctx context.Context, request string) (string, error) {
	select {
	case line, open := <-x.lines:
		if open {
			return "", x.failed("%w: %.60q", errUnasked, line)
		}
	default:
	}
	unhook := context.AfterFunc(ctx, x.kill) // a write to a program that does not read ends too
	defer unhook()
	if _, err := io.WriteString(x.in, request+"\n"); err != nil {
		return "", x.late(ctx, request, err)
	}
	line, err := x.next(ctx)
	if err != nil {
		return "", x.late(ctx, request, err)
	}
	return line, nil
}

// next returns the next line of the program.
func (x *process) next(ctx context.Context) (string, error) {
	select {
	case line, open := <-x.lines:
		if !open {
			return "", x.fault
		}
		return line, nil
	case <-ctx.Done():
		x.kill()
		return "", context.Cause(ctx)
	}
}

// late is the error of a request that was not answered.
func (x *process) late(ctx context.Context, request string, err error) error {
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return x.failed("no answer to %.200q: %w", request, err)
}

// failed kills the program and returns an error that names it.
func (x *process) failed(format string, args ...any) error {
	x.kill()
	return fmt.Errorf("engine %s: "+format, append([]any{x.cmd.Path}, args...)...)
}

// Close asks the program to end and kills it after patience. A program that was killed before is
// only waited for.
func (x *process) Close() error {
	defer x.kill()
	late := time.AfterFunc(patience, x.kill)
	defer late.Stop()
	_, _ = io.WriteString(x.in, "quit\n")
	x.in.Close()
	x.once.Do(func() { close(x.stop) })
	err := x.cmd.Wait() // closes the pipes, which what the program started may hold
	for range x.lines {
	}
	return err
}
