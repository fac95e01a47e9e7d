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

// decoded returns r as UTF-8 if it begins with the byte order mark of UTF-16, in which Windows
// programs save "Unicode" text, or with UTF-16 letters without the mark. Other text is returned
// unchanged with a nil second result. Damage is known only after the last read.
func decoded(r *bufio.Reader) (*bufio.Reader, *utf16Reader) {
	mark, err := r.Peek(2)
	if err != nil {
		return r, nil
	}
	var order binary.ByteOrder
	switch {
	case mark[0] == 0xff && mark[1] == 0xfe:
		order = binary.LittleEndian
	case mark[0] == 0xfe && mark[1] == 0xff:
		order = binary.BigEndian
	default:
		if order = unmarked(r); order == nil {
			return r, nil
		}
	}
	u := &utf16Reader{r: r, order: order, held: -1}
	return bufio.NewReaderSize(u, looked), u
}

// unmarked returns the byte order of a UTF-16 text without a mark, which begins with four
// letters, each beside a zero, or nil for any other text.
func unmarked(r *bufio.Reader) binary.ByteOrder {
	head, err := r.Peek(8)
	if err != nil {
		return nil
	}
	for low, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		found := true
		for i := 0; i < len(head); i += 2 {
			c := head[i+low]
			found = found && head[i+1-low] == 0 && (c >= ' ' && c < 0x7f || c == '\t' || c == '\r' || c == '\n')
		}
		if found {
			return order
		}
	}
	return nil
}

// utf16Reader reads UTF-16 as UTF-8. Half a pair becomes U+FFFD, and so does half a unit at the
// end. A missing or doubled byte would turn everything after it into other letters; if the text
// is readable one byte later, reading goes on there.
type utf16Reader struct {
	r     *bufio.Reader
	order binary.ByteOrder
	held  rune   // first half of a pair whose second one is to come, -1 without
	ready []byte // decoded and not yet handed out
	err   error
	at    int // bytes read
	line  int // line ends read
	found []record.Warning
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.ready) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		u.fill()
	}
	n := copy(p, u.ready)
	u.ready = u.ready[n:]
	return n, nil
}

// warnings are what was found in the bytes read so far.
func (u *utf16Reader) warnings() []record.Warning {
	if u == nil {
		return nil
	}
	return u.found
}

func (u *utf16Reader) damaged(what string) {
	if len(u.found) < maxDamages {
		u.found = append(u.found, record.Warning{Line: u.line + 1, Text: fmt.Sprintf("UTF-16: byte %d: %s", u.at+1, what)})
	}
}

// shifted reports whether a unit and those after it are letters with their bytes swapped.
func (u *utf16Reader) shifted(c uint16) bool {
	if c&0xff != 0 || !letter(c>>8) {
		return false
	}
	next, _ := u.r.Peek(2 * 3)
	for i := 0; i+1 < len(next); i += 2 {
		if c := u.order.Uint16(next[i:]); c&0xff != 0 || !letter(c>>8) {
			return false
		}
	}
	return len(next) > 0
}

// letter reports whether a byte is a character that match files use.
func letter(c uint16) bool { return c >= ' ' && c < 0x7f || c == '\t' || c == '\r' || c == '\n' }

// fill decodes the next unit into ready.
func (u *utf16Reader) fill() {
	var unit [2]byte
	n, err := io.ReadFull(u.r, unit[:])
	if err != nil {
		u.err = err
		if u.held >= 0 || n > 0 {
			u.ready, u.held = utf8.AppendRune(nil, utf8.RuneError), -1
			u.damaged("it ends in the middle of a character")
		}
		if err == io.ErrUnexpectedEOF {
			u.err = io.EOF
		}
		return
	}
	if u.shifted(u.order.Uint16(unit[:])) {
		u.damaged("a byte is missing here, or one too many")
		if next, err := u.r.ReadByte(); err == nil {
			unit[0], unit[1] = unit[1], next
			u.at++
		}
	}
	u.at += len(unit)
	c := rune(u.order.Uint16(unit[:]))
	if c == '\n' {
		u.line++
	}
	out := u.ready[:0]
	if u.held >= 0 {
		first := u.held
		u.held = -1
		if pair := utf16.DecodeRune(first, c); pair != utf8.RuneError {
			u.ready = utf8.AppendRune(out, pair)
			return
		}
		u.damaged("half a character")
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	switch {
	case c >= 0xd800 && c < 0xdc00:
		u.held = c
	default: // a second half alone is U+FFFD, too
		if c >= 0xdc00 && c < 0xe000 {
			u.damaged("half a character")
		}
		out = utf8.AppendRune(out, c)
	}
	u.ready = out
}
