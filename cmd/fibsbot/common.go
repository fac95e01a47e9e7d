package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"fibsbot/internal/atomicfile"
	"fibsbot/internal/sanitize"
)

// usageError is a mistake of the user: input, flag or configuration. The
// program answers it with one line and exit status 2.
type usageError struct{ error }

// Unwrap gives errors.Is the cause.
func (e usageError) Unwrap() error { return e.error }

// usagef makes a usageError like fmt.Errorf.
func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// asUsage marks err as the user's mistake; nil stays nil.
func asUsage(err error) error {
	var u usageError
	if err == nil || errors.As(err, &u) {
		return err
	}
	return usageError{err}
}

// errInterrupted ends a finite command that the user interrupted: exit status
// 130. `run` never returns it, because stopping is how it ends.
var errInterrupted = errors.New("interrupted")

// printJSON writes v as one indented JSON document and a line end.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// printJSONLine writes v as one object on one line, for commands that stream.
func printJSONLine(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// printJSONLines writes each of list as one object on one line.
func printJSONLines[T any](w io.Writer, list []T) error {
	for i := range list {
		if err := printJSONLine(w, &list[i]); err != nil {
			return err
		}
	}
	return nil
}

// wantFolder refuses a flag that names a file where a folder is used or made.
func wantFolder(flag, dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return usagef("%s: %s is not a folder", flag, dir)
	}
	return nil
}

// needFolder refuses a folder that a flag names to read from and that is not there.
func needFolder(flag, dir string) error {
	if st, err := os.Stat(dir); dir != "" && (err != nil || !st.IsDir()) {
		return usagef("%s: %s is not a folder", flag, dir)
	}
	return nil
}

// wantParent refuses a file that a flag names where it cannot be made, before the
// work whose result it is to hold: in a folder that is not there or is closed to
// the user. An empty name is no file.
func wantParent(flag, file string) error {
	if file == "" || isDevice(file) {
		return nil
	}
	dir := filepath.Dir(file)
	if _, err := os.Stat(dir); err != nil {
		return usagef("%s: %w", flag, err)
	}
	probe, err := os.CreateTemp(dir, ".tmp-probe-*") // as atomicfile will
	if errors.Is(err, fs.ErrPermission) {
		return usagef("%s: no permission to write in %s", flag, dir)
	}
	if err == nil {
		_ = probe.Close()
		_ = os.Remove(probe.Name())
	}
	return nil
}

// writeOutput writes a file that a flag or argument names, whole or not at all. A
// symbolic link stays one: what it leads to is replaced. Terminals, pipes and
// devices such as /dev/stdout are written to and never replaced.
func writeOutput(name string, write func(io.Writer) error) error {
	if isDevice(name) {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	if st, err := os.Stat(name); err == nil && st.IsDir() {
		return usagef("write %s: is a folder", name)
	}
	target := name
	if real, err := filepath.EvalSymlinks(name); err == nil {
		target = real
	}
	err := atomicfile.Write(target, 0o644, func(f *os.File) error { return write(f) })
	if errors.Is(err, fs.ErrNotExist) {
		return asUsage(err) // the folder was given on the command line
	}
	return err
}

// isDevice tells whether name exists and is neither a regular file nor a folder.
// Whatever is in /dev counts: there even a regular file may be somebody's stdout.
func isDevice(name string) bool {
	st, err := os.Stat(name)
	if err != nil || st.IsDir() {
		return false
	}
	return !st.Mode().IsRegular() || strings.HasPrefix(filepath.ToSlash(name), "/dev/")
}

// isTerminal tells whether w is a terminal, where colours, redrawing and
// progress bars are welcome.
func isTerminal(w io.Writer) bool {
	f, ok := sanitize.Below(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// listening is the address of a listener with the host that the user named: Go shows
// 0.0.0.0 as [::].
func listening(named string, a net.Addr) string {
	host, _, err := net.SplitHostPort(named)
	_, port, err2 := net.SplitHostPort(a.String())
	if err != nil || err2 != nil || host == "" {
		return a.String()
	}
	return net.JoinHostPort(host, port)
}
