package matchbuilder

import (
	"io"
	"strconv"

	"fibsbot/engine/record"
)

// File reads the matches of a text file line by line.
type File struct {
	*Lines
	*Builder // of the match that is being read, nil between two
	matches  []*record.Match
	warnings []record.Warning // about what was read before this match
}

// NewFile starts reading r, at no match.
func NewFile(r io.Reader) *File { return &File{Lines: NewLines(r)} }

// Scan reads the next line unless there was an error.
func (f *File) Scan() bool { return f.Err() == nil && f.Lines.Scan() }

// Err returns the error that ended the reading, nil at the end of the file.
func (f *File) Err() error {
	if f.Builder != nil && f.Builder.err != nil {
		return f.Builder.err
	}
	return f.Lines.Err()
}

// Fail ends the reading with a syntax error on the current line.
func (f *File) Fail(format string, args ...any) {
	if f.Builder != nil {
		f.Builder.Fail(format, args...)
	} else {
		f.Lines.Fail(format, args...)
	}
}

// Begin closes the match that is being read and begins the next one on a line.
func (f *File) Begin(line int) {
	f.Close()
	if len(f.matches) >= maxMatches {
		f.fail(line, 1, "more than %d matches: split the file", maxMatches)
	}
	if f.Builder == nil {
		f.Builder = New()
		f.Line = line
	}
}

// Close ends the match that is being read, if there is one. One without a game leaves nothing
// but its warnings.
func (f *File) Close() {
	switch {
	case f.Builder == nil || f.Err() != nil:
	case f.Empty():
		f.Forget()
	default:
		m, ws := f.Finish()
		f.matches = append(f.matches, m)
		f.Note(ws...)
		f.Builder = nil
	}
}

// Forget ends the match that is being read without keeping it.
func (f *File) Forget() {
	if f.Err() == nil {
		f.Note(f.Warnings...)
		f.Builder = nil
	}
}

// Note adds warnings to those about the file.
func (f *File) Note(ws ...record.Warning) {
	if len(f.warnings) < maxWarnings {
		f.warnings = append(f.warnings, ws...)
	}
}

// All closes the file and returns its matches, at least one; none is the error of a file without
// a match.
func (f *File) All(none string) ([]*record.Match, []record.Warning, error) {
	f.Close()
	if f.Err() == nil && len(f.matches) == 0 {
		f.Lines.Fail("%s", none)
	}
	if err := f.Err(); err != nil {
		if f.Builder != nil {
			f.warnings = append(f.warnings, f.Warnings...)
		}
		return nil, f.warnings, err
	}
	return f.matches, f.warnings, nil
}

// First returns the first of all matches of a file, with a warning if there are more.
func First(all []*record.Match, ws []record.Warning, err error) (*record.Match, []record.Warning, error) {
	if err != nil {
		return nil, ws, err
	}
	if len(all) > 1 {
		ws = append(ws, record.Warning{Text: strconv.Itoa(len(all)) + " matches in the file: this is the first"})
	}
	return all[0], ws, nil
}
