// Package cmdline holds what the command lines of both programs share: exit statuses, errors
// of the user, unknown commands and flags, output files, JSON and progress.
package cmdline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fibsbot/internal/atomicfile"
	"fibsbot/internal/ctxread"
	"fibsbot/internal/farm"
	"fibsbot/internal/fileerr"
	"fibsbot/internal/livetext"
	"fibsbot/internal/sanitize"
)

// Exit statuses, as each program's help states them.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitInterrupted = 130
)

// UsageError is a mistake of the user: input, flag or configuration. A program prints it
// as one line and ends with ExitUsage.
type UsageError struct{ error }

// Unwrap returns the cause, for errors.Is.
func (e UsageError) Unwrap() error { return e.error }

// Usagef makes a UsageError like fmt.Errorf.
func Usagef(format string, args ...any) error {
	return UsageError{fmt.Errorf(format, args...)}
}

// AsUsage marks err as the user's mistake; nil stays nil.
func AsUsage(err error) error {
	var u UsageError
	if err == nil || errors.As(err, &u) {
		return err
	}
	return UsageError{err}
}

// ErrInterrupted ends a finite command that the user interrupted.
var ErrInterrupted = errors.New("interrupted")

// Main runs the program on the command line of the process and ends it. SIGINT and SIGTERM
// end the context; a second signal kills at once, in case a command is slow to stop.
func Main(run func(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Run executes one command line of root and returns the exit status.
func Run(ctx context.Context, root *cobra.Command, args []string, in io.Reader, out, errOut io.Writer) int {
	root.SetArgs(args)
	root.SetIn(ctxread.Stream(ctx, in))
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	code := ExitCode(ctx, err)
	if code == ExitInterrupted {
		err = ErrInterrupted // which search or queue noticed the signal does not matter
	}
	if err != nil && code != ExitDone {
		// An error may have several lines: one for each problem of a configuration.
		for line := range strings.SplitSeq(fileerr.Text(err), "\n") {
			fmt.Fprintf(errOut, "%s: %s\n", root.Name(), sanitize.Text(line))
		}
	}
	return code
}

// Complain reports an error after which cmd continues.
func Complain(w io.Writer, program string, err error) {
	fmt.Fprintf(w, "%s: %s\n", program, fileerr.Text(err))
}

// ExitCode returns the exit status of a command that returned err.
func ExitCode(ctx context.Context, err error) int {
	var usage UsageError
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EIO): // whatever the user named
		return ExitFailed
	case errors.As(err, &usage), errors.Is(err, farm.ErrRefused), errors.Is(err, atomicfile.ErrTarget):
		return ExitUsage
	case errors.Is(err, ErrInterrupted):
		return ExitInterrupted
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return ExitInterrupted
	}
	return ExitFailed
}

// OrInterrupted returns what work returns, or ErrInterrupted as soon as ctx ends: a
// large file takes seconds in steps that know no context. The work is left behind then; it
// changes nothing outside.
func OrInterrupted[T any](ctx context.Context, work func() (T, error)) (out T, err error) {
	if ctx.Err() != nil { // else quick work could be faster
		return out, ErrInterrupted
	}
	done := make(chan struct{})
	var result T
	var failed error
	go func() {
		defer close(done)
		result, failed = work()
	}()
	select {
	case <-done:
		return result, failed
	case <-ctx.Done():
		return out, ErrInterrupted
	}
}

// AddJSON adds --json to a command.
func AddJSON(cmd *cobra.Command) {
	cmd.Flags().Bool("json", false, "print one JSON document")
}

// JSON reports whether --json was given.
func JSON(cmd *cobra.Command) bool {
	yes, err := cmd.Flags().GetBool("json")
	return yes && err == nil
}

// Answer prints doc as one JSON document with --json, else text.
func Answer(cmd *cobra.Command, doc any, text string) error {
	return AnswerBy(cmd, doc, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// AnswerBy prints doc as one JSON document with --json, else what print writes.
func AnswerBy(cmd *cobra.Command, doc any, print func(io.Writer) error) error {
	if JSON(cmd) {
		return PrintJSON(cmd.OutOrStdout(), doc)
	}
	return print(cmd.OutOrStdout())
}

// PrintJSON writes v as one indented JSON document and a line end.
func PrintJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// PrintJSONLine writes v as one object on one line, for commands that stream.
func PrintJSONLine(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// PrintJSONLines writes each of list as one object on one line.
func PrintJSONLines[T any](w io.Writer, list []T) error {
	for i := range list {
		if err := PrintJSONLine(w, &list[i]); err != nil {
			return err
		}
	}
	return nil
}

// WantFolder refuses a flag that names a file where a folder is used or made.
func WantFolder(flag, dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return Usagef("%s: %s is a file, not a folder", flag, dir)
	}
	return nil
}

// NeedFolder refuses a missing folder that a flag names to read from. An empty name is
// no folder.
func NeedFolder(flag, dir string) error {
	if dir == "" {
		return nil
	}
	if _, err := os.Stat(dir); err != nil {
		return Usagef("%s: %w", flag, err)
	}
	return WantFolder(flag, dir)
}

// WantParent returns an error if the file that a flag names cannot be created because its
// folder is missing or not writable. Call it before the work whose result the file will
// hold. An empty name is accepted.
func WantParent(flag, file string) error {
	if file == "" || isDevice(file) {
		return nil
	}
	dir := filepath.Dir(file)
	if _, err := os.Stat(dir); err != nil {
		return Usagef("%s: %w", flag, err)
	}
	probe, err := os.CreateTemp(dir, ".tmp-probe-*") // as atomicfile will
	if errors.Is(err, fs.ErrPermission) {
		return Usagef("%s: no permission to write in %s", flag, dir)
	}
	if err == nil {
		_ = probe.Close()
		_ = os.Remove(probe.Name())
	}
	return nil
}

// WriteOutput writes a file that a flag or argument names, whole or not at all. Behind a
// symbolic link it replaces the file that the link leads to. Terminals, pipes and devices
// such as /dev/stdout are written to and never replaced.
func WriteOutput(name string, write func(io.Writer) error) error {
	if isDevice(name) {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	if st, err := os.Stat(name); err == nil && st.IsDir() {
		return Usagef("%s: is a folder, not a file", name)
	}
	target := name
	if real, err := filepath.EvalSymlinks(name); err == nil {
		target = real
	}
	err := atomicfile.Write(target, 0o644, func(f *os.File) error { return write(f) })
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return AsUsage(err) // the folder was given on the command line
	}
	return err
}

// isDevice reports whether name exists and is neither a regular file nor a folder. All
// that is in /dev counts: even a regular file there may be the stdout of a process.
func isDevice(name string) bool {
	st, err := os.Stat(name)
	if err != nil || st.IsDir() {
		return false
	}
	return !st.Mode().IsRegular() || strings.HasPrefix(filepath.ToSlash(name), "/dev/")
}

// IsTerminal reports whether w is a terminal, where colours, redrawing and progress bars
// are welcome.
func IsTerminal(w io.Writer) bool {
	f, ok := sanitize.Below(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Bar returns the progress bar of a long command on stderr, or nil if that is not a
// terminal. A nil bar draws nothing.
func Bar(cmd *cobra.Command) *livetext.Bar {
	if w := cmd.ErrOrStderr(); IsTerminal(w) {
		return livetext.NewBar(w)
	}
	return nil
}

// Meter is the bar of one kind of work. report is nil without a terminal; done removes
// the bar and may be called twice.
func Meter(cmd *cobra.Command, what string) (report func(done, total uint64), done func()) {
	bar := Bar(cmd)
	if bar == nil {
		return nil, bar.Clear
	}
	return func(done, total uint64) { bar.Show64(what, int64(done), int64(total)) }, bar.Clear
}

// LiveText draws changing text on stderr if that is a terminal; show makes the text
// only when it is drawn. done removes it and may be called twice.
func LiveText(cmd *cobra.Command) (show func(text func() string), done func()) {
	f, ok := cmd.ErrOrStderr().(*os.File)
	if !ok || !IsTerminal(f) || os.Getenv("TERM") == "dumb" {
		return func(func() string) {}, func() {}
	}
	b := livetext.New(f, func() (int, int) {
		columns, rows, _ := term.GetSize(int(f.Fd())) // 0 if the size is unknown
		return columns, rows
	})
	cmd.SetErr(b.Above(f)) // what the command prints meanwhile
	return b.Draw, b.Clear
}

// Progress is the bar of commands that run for hours: without a terminal it writes a line
// for each report, for the log.
func Progress(w io.Writer) func(what string, done, total int) {
	if IsTerminal(w) {
		return livetext.NewBar(w).Show
	}
	return livetext.Log(w)
}
