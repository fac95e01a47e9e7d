// Package jsonlines reads and continues files with a JSON value a line. Whatever ends a program that
// appends to one, the whole lines stay good: a last line without its end is dropped.
package jsonlines

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"fibsbot/internal/lockfile"
)

// maxLine bounds a line.
const maxLine = 1 << 16

// Each calls take with each whole line and its number, from 1. It returns the size of the whole lines and
// what follows them: a line without its end. Errors name the line; that of a line which is too long wraps bad.
func Each(r io.Reader, bad error, take func(n int, line []byte) error) (size int64, rest []byte, err error) {
	in := bufio.NewReaderSize(r, maxLine)
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		switch {
		case err == io.EOF:
			return size, line, nil
		case err == bufio.ErrBufferFull:
			err = fmt.Errorf("%w: longer than %d bytes", bad, maxLine)
		case err == nil:
			err = take(n, line)
		}
		if err != nil {
			return size, nil, fmt.Errorf("line %d: %w", n, err)
		}
		size += int64(len(line))
	}
}

// Read reads values that check may refuse; it returns what Each does. Errors about a line wrap bad.
func Read[T any](r io.Reader, bad error, check func(n int, v *T) error) (list []T, size int64, rest []byte, err error) {
	size, rest, err = Each(r, bad, func(n int, line []byte) error {
		var v T
		err := json.Unmarshal(line, &v)
		if err == nil {
			err = check(n, &v)
		}
		if err != nil {
			return fmt.Errorf("%w: %w", bad, err)
		}
		list = append(list, v)
		return nil
	})
	return list, size, rest, err
}

// Decode reads the one value of a line, which has no unknown fields.
func Decode(line []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one value")
	}
	return nil
}

// Line returns v as a line with its end.
func Line(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// File is a file of lines that no other program has open.
type File struct{ *lockfile.File }

// Open opens the file at path, or makes it, passes its whole lines to take as Each does, and leaves it
// ready for more lines. It does not change a file that take or, at the end, accept refuses, or that ends
// with something else than the beginning of an object; the error wraps bad then. Errors wrap
// [lockfile.ErrLocked] if another program has the file open.
func Open(path string, bad error, take func(n int, line []byte) error, accept func() error) (*File, error) {
	lock, err := lockfile.Open(path)
	if err != nil {
		return nil, err
	}
	size, rest, err := Each(lock, bad, take)
	if begin := []byte(`{"`); err == nil && !bytes.HasPrefix(rest, begin[:min(len(begin), len(rest))]) {
		err = fmt.Errorf("%w: ends with %.20q", bad, rest)
	}
	if err == nil {
		err = accept()
	}
	if err == nil {
		err = lock.Truncate(size)
	}
	if err == nil {
		_, err = lock.Seek(size, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), lock.Close())
	}
	return &File{lock}, nil
}

// Append adds values in one write, so that a kill cuts at most the last line.
func (f *File) Append(values ...any) error {
	var all []byte
	for _, v := range values {
		line, err := Line(v)
		if err != nil {
			return err
		}
		all = append(all, line...)
	}
	_, err := f.Write(all)
	return err
}
