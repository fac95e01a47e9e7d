// Package detect recognises the format of a match file by its beginning and reads it,
// packed or not.
package detect

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"

	"fibsbot/engine/record"
	"fibsbot/engine/record/formats"
)

// Format is the name of a format that can be read: see formats.All.
type Format string

// Unknown is the Format of a file in none of the formats.
const Unknown Format = ""

// ErrUnknown is returned for a file that is in none of the formats.
var ErrUnknown = errors.New("not a match file (fibsbot convert --help lists the formats)")

// looked is how many bytes of a file decide its format. Comments in front of a .mat may be
// long, but its first row comes within that.
const looked = 64 << 10

// Sniff names the format of a file that begins with head.
func Sniff(head []byte) Format {
	f, _ := sniff(head)
	return Format(f.Name)
}

func sniff(head []byte) (f formats.Format, ok bool) {
	bare := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	// A lone CR ends a line, too.
	if bytes.IndexByte(bare, '\n') < 0 {
		bare = bytes.ReplaceAll(bare, []byte("\r"), []byte("\n"))
	}
	text := string(bare)
	for _, f := range formats.Read {
		if f.Is != nil && f.Is(head, text) {
			return f, true
		}
	}
	at := len(text) + 1
	for _, k := range formats.Read {
		for _, sign := range k.Signs {
			if m := sign.FindStringIndex(text); m != nil && m[0] < at {
				f, at, ok = k, m[0], true
			}
		}
	}
	// A text with an ID may also have the brackets of SGF in a comment.
	if !ok || f.Name == "sgf" {
		for _, k := range formats.Read {
			if k.Somewhere != nil && k.Somewhere(text) {
				return k, true
			}
		}
	}
	return f, ok
}

// Read finds the format of r and reads all its matches, at least one. Files packed
// with gzip are unpacked, text in UTF-16 with a byte order mark is decoded. The error
// is ErrUnknown, a *record.SyntaxError or of r.
func Read(r io.Reader) ([]*record.Match, Format, []record.Warning, error) {
	return ReadWithin(r, maxUnpacked)
}

// ReadWithin is Read of a file that is at most that many bytes unpacked.
func ReadWithin(r io.Reader, most int) ([]*record.Match, Format, []record.Warning, error) {
	return read("", r, most)
}

// read is ReadFile of a file that is at most that many bytes unpacked; path is "" without a name.
func read(path string, r io.Reader, most int) ([]*record.Match, Format, []record.Warning, error) {
	in, err := unpacked(bufio.NewReaderSize(r, looked), most)
	if err != nil {
		return nil, Unknown, nil, err
	}
	in, units := decoded(in)
	head, err := in.Peek(looked)
	if err != nil && err != io.EOF {
		return nil, Unknown, nil, err
	}
	if len(head) == 0 {
		return nil, Unknown, nil, &record.SyntaxError{Line: 1, Column: 1, Problem: "the file is empty"}
	}
	format, ok := sniff(head)
	f := Format(format.Name)
	if !ok || bytes.HasPrefix(head, []byte("PK\x03\x04")) { // a match in an archive is not packed where it is short
		if what := foreign(head); what != "" {
			return nil, f, nil, &record.SyntaxError{Line: 1, Column: 1, Problem: what}
		}
		return nil, f, nil, ErrUnknown
	}
	all, ws, err := format.Read(in)
	if err == nil {
		// Read to the end, where the checksum is: a reader may have stopped before.
		_, err = io.Copy(io.Discard, io.LimitReader(in, maxUnpacked))
	}
	ws = append(units.warnings(), ws...)
	if err != nil {
		return nil, f, ws, err
	}
	if all = slices.DeleteFunc(all, blank); len(all) == 0 {
		return nil, f, ws, &record.SyntaxError{Line: 1, Column: 1, Problem: "no match in the file: it has no player, move, position or result"}
	}
	for _, m := range all {
		if m.Judge.Program == "" {
			m.Judge.Program = format.Program
		}
		odd, err := record.CheckSetUps(m)
		if err != nil {
			return nil, f, ws, err
		}
		ws = append(ws, odd...)
	}
	return all, f, append(ws, settleDates(path, all)...), nil
}

// ReadFile is Read of the file at path, whose name and the files beside it may tell the dates of
// its matches: r reads it. The path - is that of the standard input, which has neither.
func ReadFile(path string, r io.Reader) ([]*record.Match, Format, []record.Warning, error) {
	return read(path, r, maxUnpacked)
}

// blank reports whether nothing of a match is known: a file that only begins like one.
func blank(m *record.Match) bool {
	return m.Players[0].Name+m.Players[1].Name == "" && !slices.ContainsFunc(m.Games, func(g record.Game) bool {
		return len(g.Actions) > 0 || g.Result.Finished() || g.Score != [2]int{}
	})
}
