package xg

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"fibsbot/engine/record/internal/charset"
)

// comments splits the member of comments: each is one line, and the bytes 01 02 stand
// for a line end inside of it.
func comments(b blob) []string {
	if len(b) == 0 {
		return nil
	}
	var out []string
	for _, line := range bytes.Split(b, []byte("\r\n")) {
		line = bytes.ReplaceAll(line, []byte{1, 2}, []byte("\r\n"))
		out = append(out, plain(line))
	}
	return out
}

// maxDepth bounds the groups of a comment.
const maxDepth = 200

// skipped are groups that hold no text of the comment.
var skipped = map[string]bool{
	"fonttbl": true, "colortbl": true, "stylesheet": true, "info": true, "pict": true, "generator": true, "header": true, "footer": true,
}

// plain returns the text of a comment in RTF; other text is returned unchanged.
func plain(b []byte) string {
	if !bytes.HasPrefix(bytes.TrimSpace(b), []byte(`{\rtf`)) {
		return strings.TrimSpace(charset.Text(b))
	}
	p := rtf{in: b, fallback: []int{1}, skip: []bool{false}}
	p.run()
	text := strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, p.out.String())
	return strings.TrimSpace(text)
}

// rtf goes through a document once. The stacks have an entry for each open group.
type rtf struct {
	in       []byte
	at       int
	out      strings.Builder
	skip     []bool
	fallback []int // replacement characters after a \u
	pass     int   // of those still to pass
	half     rune  // first half of a character in two units
}

func (p *rtf) run() {
	for p.at < len(p.in) {
		c := p.in[p.at]
		p.at++
		top := len(p.skip) - 1
		switch c {
		case '{':
			if top+1 >= maxDepth {
				return
			}
			p.skip, p.fallback = append(p.skip, p.skip[top]), append(p.fallback, p.fallback[top])
		case '}':
			if top > 0 {
				p.skip, p.fallback = p.skip[:top], p.fallback[:top]
			}
		case '\r', '\n':
		case '\\':
			p.control()
		default:
			p.text(charset.Windows1252([]byte{c}))
		}
	}
}

func (p *rtf) text(s string) {
	switch {
	case p.skip[len(p.skip)-1]:
	case p.pass > 0:
		p.pass--
	default:
		p.out.WriteString(s)
	}
}

// controlWord is a word with its number and the blank that ends it.
var controlWord = regexp.MustCompile(`^([a-z]+)(-[0-9]{0,7}|[0-9]{0,8}) ?`)

// control reads what follows a backslash.
func (p *rtf) control() {
	if p.at >= len(p.in) {
		return
	}
	top := len(p.skip) - 1
	c := p.in[p.at]
	if c < 'a' || c > 'z' {
		p.at++
		switch c {
		case '\\', '{', '}':
			p.text(string(rune(c)))
		case '~':
			p.text(" ")
		case '*':
			p.skip[top] = true
		case '\'':
			if p.at+2 <= len(p.in) {
				if v, err := strconv.ParseUint(string(p.in[p.at:p.at+2]), 16, 8); err == nil {
					p.text(charset.Windows1252([]byte{byte(v)}))
				}
				p.at += 2
			}
		}
		return
	}
	m := controlWord.FindSubmatch(p.in[p.at:])
	p.at += len(m[0])
	word := string(m[1])
	n, _ := strconv.Atoi(string(m[2]))
	switch word {
	case "par", "line":
		p.text("\n")
	case "tab":
		p.text("\t")
	case "uc":
		p.fallback[top] = min(max(n, 0), 8)
	case "u":
		p.unit(rune(uint16(n)))
	default:
		if skipped[word] {
			p.skip[top] = true
		}
	}
}

// unit writes a UTF-16 unit; its replacement characters are skipped.
func (p *rtf) unit(u rune) {
	p.pass = 0
	switch {
	case utf16.IsSurrogate(u) && p.half == 0:
		p.half = u
	case p.half != 0:
		p.text(string(utf16.DecodeRune(p.half, u)))
		p.half = 0
	default:
		p.text(string(u))
	}
	p.pass = p.fallback[len(p.fallback)-1]
}
