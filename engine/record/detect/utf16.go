package detect

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"fibsbot/engine/record"
)

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
