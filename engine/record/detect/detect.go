// Package detect recognises the format of a match file by its beginning and reads it,
// packed or not.
package detect

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

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
	in, ws, err := decoded(in)
	if err != nil {
		return nil, Unknown, nil, err
	}
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
	all, more, err := format.Read(in)
	if err == nil {
		// Read to the end, where the checksum is: a reader may have stopped before.
		_, err = io.Copy(io.Discard, io.LimitReader(in, maxUnpacked))
	}
	ws = append(ws, more...)
	if err != nil {
		return nil, f, ws, err
	}
	if all = slices.DeleteFunc(all, blank); len(all) == 0 {
		return nil, f, ws, &record.SyntaxError{Line: 1, Column: 1, Problem: "no match in the file: it has no player, move, position or result"}
	}
	for _, m := range all {
		m.Judge.Program = cmp.Or(m.Judge.Program, format.Program)
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

// Names lists the formats that are read for a help text, in lines of at most width
// characters that begin with indent.
func Names(indent string, width int) string {
	var b strings.Builder
	line := indent
	for i, word := range formats.Names(formats.Read) {
		name := word
		if i > 0 {
			word = ", " + word
		}
		if len(line)+len(word)+1 > width { // a comma may follow
			b.WriteString(line + ",\n")
			line, word = indent, name
		}
		line += word
	}
	return b.String() + line
}

// Limits on the files beside one that are looked at for the order of day and month.
const (
	maxBeside = 5000
	maxLook   = 4 << 10
)

// written finds the dates that files have in figures with day and month in either order.
var written = regexp.MustCompile(`(?m)(?:^Date: |\bDT\[|Date "|^Date\s*[:=]\s*)(\d{1,2}[-/]\d{1,2}[-/]\d{2,4})\b`)

// settleDates reads the dates of the matches of a file, by its name and by the files beside it
// where the file itself leaves them open.
func settleDates(path string, all []*record.Match) []record.Warning {
	var days record.Days
	if path == "" || path == "-" {
		return record.SettleDates(all, days)
	}
	record.NameDates(all, filepath.Base(path))
	if slices.ContainsFunc(all, func(m *record.Match) bool { return record.Ambiguous(m.Date) }) {
		days = beside(path)
	}
	return record.SettleDates(all, days)
}

// beside is the order of day and month that the files in the folder of a file prove.
func beside(path string) (days record.Days) {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return days
	}
	defer folder.Close()
	list, _ := folder.ReadDir(maxBeside) // what could be read counts
	for _, e := range list {
		if e.Type().IsRegular() {
			learn(&days, filepath.Join(folder.Name(), e.Name()))
		}
	}
	return days
}

// learn takes the proof of the dates at the beginning of a file.
func learn(days *record.Days, path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, maxLook))
	for _, m := range written.FindAllSubmatch(head, -1) {
		days.Learn(string(m[1]))
	}
}

// maxUnpacked bounds what Read makes of a packed file; every reader has a bound of its
// own of that size.
const maxUnpacked = 64 << 20

// unpacked returns r, unpacked once if it is packed with gzip: a packed file inside a packed
// file is not a match.
func unpacked(r *bufio.Reader, most int) (*bufio.Reader, error) {
	if head, err := r.Peek(2); err != nil || head[0] != 0x1f || head[1] != 0x8b {
		return r, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, &record.SyntaxError{Line: 1, Column: 1, Problem: fmt.Sprintf("packed with gzip, and damaged: %v", err)}
	}
	return bufio.NewReaderSize(&bounded{r: z, most: most, left: most}, looked), nil
}

// bounded ends a file that is larger unpacked than it may be with an error, and says
// of one that is cut or damaged what it is.
type bounded struct {
	r          io.Reader
	most, left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, &record.SyntaxError{Line: 1, Column: 1, Problem: fmt.Sprintf("packed with gzip, and longer than %d megabytes unpacked", b.most>>20)}
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	if err != nil && err != io.EOF {
		return n, &record.SyntaxError{Line: 1, Column: 1, Problem: fmt.Sprintf("packed with gzip, and cut or damaged: %v", err)}
	}
	return n, err
}

// foreign names a kind of file that is not a match by its first bytes, or returns "".
func foreign(head []byte) string {
	for _, f := range []struct{ magic, what string }{
		{"PK\x03\x04", "a zip archive: unpack it first"},
		{"Rar!", "a rar archive: unpack it first"},
		{"7z\xbc\xaf", "a 7z archive: unpack it first"},
		{"BZh", "packed with bzip2: unpack it first"},
		{"\xfd7zXZ", "packed with xz: unpack it first"},
		{"\x1f\x8b", "packed with gzip twice: unpack it first"},
		{"%PDF", "a PDF: it holds no match that can be read"},
		{"\x89PNG", "a picture (PNG)"},
		{"\xff\xd8\xff", "a picture (JPEG)"},
		{"SQLite format 3", "an SQLite database"},
		{"<!DOCTYPE html", "a web page: save the match itself, not the page that shows it"},
		{"<html", "a web page: save the match itself, not the page that shows it"},
	} {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.what
		}
	}
	return ""
}

// maxDamages bounds the warnings about one file.
const maxDamages = 20

// decoded returns r as UTF-8, and what is damaged, if it begins with the byte order mark of UTF-16,
// in which Windows programs save "Unicode" text, or with UTF-16 letters without the mark. Other text
// is returned unchanged.
func decoded(r *bufio.Reader) (*bufio.Reader, []record.Warning, error) {
	order := byteOrder(r)
	if order == nil {
		return r, nil, nil
	}
	// More than maxUnpacked is left to the reader of the format, which refuses it.
	b, err := io.ReadAll(io.LimitReader(r, 2*maxUnpacked+2))
	if err != nil {
		return nil, nil, err
	}
	d := decoder{in: b, order: order}
	for d.at < len(d.in) {
		d.next()
	}
	return bufio.NewReaderSize(bytes.NewReader(d.out), looked), d.found, nil
}

// byteOrder returns the byte order of a UTF-16 text, or nil for any other text. Without a mark it
// begins with four letters, each beside a zero.
func byteOrder(r *bufio.Reader) binary.ByteOrder {
	head, _ := r.Peek(8)
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return binary.BigEndian
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		found := len(head) == 8
		for i := 0; i+1 < len(head); i += 2 {
			found = found && letter(order.Uint16(head[i:]))
		}
		if found {
			return order
		}
	}
	return nil
}

// decoder makes UTF-8 of UTF-16. Half a pair becomes U+FFFD, and so does half a unit at the
// end. A missing or doubled byte would turn everything after it into other letters; if the text
// is readable one byte later, reading goes on there.
type decoder struct {
	in    []byte
	order binary.ByteOrder
	at    int // of the byte that is read next
	out   []byte
	line  int // line ends read
	found []record.Warning
}

func (d *decoder) damaged(what string) {
	if len(d.found) < maxDamages {
		d.found = append(d.found, record.Warning{Line: d.line + 1, Text: fmt.Sprintf("UTF-16: byte %d: %s", d.at+1, what)})
	}
}

// letter reports whether a unit is a character that match files use.
func letter(c uint16) bool { return c >= ' ' && c < 0x7f || c == '\t' || c == '\r' || c == '\n' }

// shifted reports whether the next units are letters with their bytes swapped.
func (d *decoder) shifted() bool {
	n := 0
	for i := d.at; i+1 < len(d.in) && n < 4; i, n = i+2, n+1 {
		if c := d.order.Uint16(d.in[i:]); c&0xff != 0 || !letter(c>>8) {
			return false
		}
	}
	return len(d.in)-d.at > 2
}

// next decodes a character.
func (d *decoder) next() {
	if d.at+1 < len(d.in) && d.shifted() {
		d.damaged("a byte is missing here, or one too many")
		d.at++
	}
	c, whole := d.unit()
	if c == '\n' {
		d.line++
	}
	if whole && utf16.IsSurrogate(c) {
		d.at += 2
		second := rune(0)
		if c < 0xdc00 {
			second, whole = d.unit()
		}
		if c = utf16.DecodeRune(c, second); c == utf8.RuneError && whole {
			d.damaged("half a character")
			d.at -= 2
		}
	}
	if !whole {
		d.damaged("it ends in the middle of a character")
		c = utf8.RuneError
	}
	d.at += 2
	d.out = utf8.AppendRune(d.out, c)
}

// unit returns the unit at the current byte, false if the text ends before its end.
func (d *decoder) unit() (rune, bool) {
	if d.at+1 >= len(d.in) {
		return 0, false
	}
	return rune(d.order.Uint16(d.in[d.at:])), true
}
