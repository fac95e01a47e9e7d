// Package fileerr turns errors of the operating system into sentences for people: "no such
// file: match.sgf" instead of "open match.sgf: no such file or directory".
package fileerr

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// plain is an error with the system's words replaced.
type plain struct {
	text  string
	cause error
}

// Error returns the text.
func (p *plain) Error() string { return p.text }

// Unwrap returns the original error.
func (p *plain) Unwrap() error { return p.cause }

// Plain returns err with plain words for the file or network errors in its chain. The
// text around them stays, and so do errors.Is and errors.As. nil stays nil.
func Plain(err error) error {
	if err == nil {
		return nil
	}
	if text := Text(err); text != err.Error() {
		return &plain{text, err}
	}
	return err
}

// Text returns the text of err with plain words for the file and network errors in its
// chain, those of joined errors too.
func Text(err error) string {
	text := err.Error()
	walk(err, func(e error) bool {
		was := e.Error()
		is, ok := sentence(e)
		if ok {
			text = strings.ReplaceAll(text, was, is)
			if path, _, named := strings.Cut(is, ": "); named { // once is enough
				text = strings.ReplaceAll(text, path+": "+path+": ", path+": ")
			}
		}
		return ok
	})
	return text
}

// walk calls visit for err and its causes, outermost first, until one is handled.
func walk(err error, visit func(error) bool) {
	if err == nil || visit(err) {
		return
	}
	switch u := err.(type) { //nolint:errorlint // the chain is walked here
	case interface{ Unwrap() error }:
		walk(u.Unwrap(), visit)
	case interface{ Unwrap() []error }:
		for _, e := range u.Unwrap() {
			walk(e, visit)
		}
	}
}

// sentence returns plain words for an error of the system.
func sentence(err error) (string, bool) {
	switch e := err.(type) { //nolint:errorlint // the chain is walked by the caller
	case *fs.PathError:
		return reason(e.Err, e.Path)
	case *os.LinkError:
		return reason(e.Err, e.New)
	case *net.OpError:
		return network(e)
	case syscall.Errno:
		return reason(e, "")
	}
	return "", false
}

func reason(err error, path string) (string, bool) {
	text := ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text = "no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		text = "no permission"
	case errors.Is(err, fs.ErrExist):
		text = "the file exists already"
	case errors.Is(err, syscall.EISDIR):
		text = "is a folder, not a file"
	case errors.Is(err, syscall.ENOTDIR):
		text = "a part of the path is not a folder"
	case errors.Is(err, syscall.EDQUOT):
		text = "the disk quota is used up"
	case errors.Is(err, syscall.ENOSPC):
		text = "the disk is full"
		if free := Free(filepath.Dir(path)); path != "" && free >= 0 {
			text += fmt.Sprintf(" (%d kB free)", free/1000)
		}
	case errors.Is(err, syscall.EROFS):
		text = "the disk is read-only"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "the file name is too long", true
	case errors.Is(err, syscall.ELOOP):
		text = "the symbolic link leads to itself"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		text = "too many open files"
	default:
		return "", false
	}
	if path == "" {
		return text, true
	}
	return path + ": " + text, true
}

func network(e *net.OpError) (string, bool) {
	where := ""
	if e.Addr != nil {
		where = e.Addr.String()
	}
	var unknown *net.DNSError
	var bad *net.AddrError
	switch {
	case errors.As(e.Err, &unknown) && unknown.IsNotFound:
		return unknown.Name + ": no such host", true
	case errors.As(e.Err, &unknown):
		return unknown.Name + ": the name cannot be resolved (is the network up?)", true
	case errors.As(e.Err, &bad):
		return fmt.Sprintf("%s: not an address (use HOST:PORT)", bad.Addr), true
	case errors.Is(e.Err, syscall.EADDRINUSE):
		return where + ": the address is in use by another program", true
	case errors.Is(e.Err, syscall.EADDRNOTAVAIL):
		return where + ": not an address of this machine", true
	case errors.Is(e.Err, syscall.ECONNREFUSED):
		return where + ": no server answers there", true
	case errors.Is(e.Err, fs.ErrPermission):
		return where + ": no permission to use this port", true
	case e.Op == "dial" && e.Timeout():
		return where + ": no answer in time", true
	}
	return "", false
}
