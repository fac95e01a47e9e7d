package sgf

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/charset"
)

// Limits on what one file may ask for. A long match with deep analysis has some
// hundred values of some hundred bytes in a node, and takes a few megabytes.
const (
	maxInput  = 64 << 20
	maxDepth  = 1000
	maxNode   = 4 << 20 // bytes of all values of a node
	maxValues = 8192    // values of a node
)

// property is a name with its values, unescaped.
type property struct {
	name   string
	values []string
}

// node is the text between two semicolons, with its properties in order.
type node struct {
	props        []property
	first        bool // first node of a game tree
	line, column int
}

// get returns the values of a property, nil when it is absent.
func (n *node) get(name string) []string {
	for i := range n.props {
		if n.props[i].name == name {
			return n.props[i].values
		}
	}
	return nil
}

// one returns the first value of a property and whether it is there.
func (n *node) one(name string) (string, bool) {
	v := n.get(name)
	if len(v) == 0 {
		return "", false
	}
	return v[0], true
}

// lexer cuts a file into nodes, following the first variation of each tree.
type lexer struct {
	in           *bufio.Reader
	left         int // bytes that may still be read
	line, column int
	depth        int
	branch       bool // a variation of this tree is closed: the rest is skipped
	trees        int
	unread       int    // a byte put back, or -1
	text         []byte // of the value being read
	skipped      int    // nodes of other variations
	skippedAt    place
	stray        int // how much of the beginning of a move was read outside of the trees
	outside      int // moves there
	outsideAt    place
}

func newLexer(r io.Reader, limit int) *lexer {
	return &lexer{in: bufio.NewReaderSize(r, 32<<10), left: limit, line: 1, unread: -1}
}

func (l *lexer) errorf(format string, args ...any) error {
	return &record.SyntaxError{Line: l.line, Column: max(l.column, 1), Problem: fmt.Sprintf(format, args...)}
}

func (l *lexer) byte() (byte, error) {
	if l.unread >= 0 {
		c := byte(l.unread)
		l.unread = -1
		return c, nil
	}
	if l.left <= 0 {
		return 0, l.errorf("longer than %d megabytes", maxInput>>20)
	}
	c, err := l.in.ReadByte()
	if err != nil {
		return 0, err
	}
	l.left--
	if c == '\n' {
		l.line++
		l.column = 0
	} else {
		l.column++
	}
	return c, nil
}

// inside is byte where the file must go on.
func (l *lexer) inside(what string) (byte, error) {
	c, err := l.byte()
	if err == io.EOF {
		err = l.errorf("the file ends inside %s", what)
	}
	return c, err
}

// next returns the next node on the main line, io.EOF after the last tree.
func (l *lexer) next() (*node, error) {
	opened := false
	for {
		c, err := l.byte()
		if err == io.EOF {
			switch {
			case l.depth > 0:
				return nil, l.errorf("the file ends inside a game")
			case l.trees == 0:
				return nil, l.errorf("no game in the file: want an SGF game that begins with \"(;\"")
			}
			return nil, io.EOF
		}
		if err != nil {
			return nil, err
		}
		switch {
		case c == '(':
			if l.depth++; l.depth > maxDepth {
				return nil, l.errorf("variations nested deeper than %d", maxDepth)
			}
			if l.depth == 1 {
				l.trees++
				opened, l.branch = true, false
			}
		case l.depth == 0:
			// Text before, between and after the trees has no meaning, but nodes of a
			// game that was closed too early.
			l.between(c)
		case c == ')':
			if l.depth--; l.depth > 0 {
				l.branch = true
			}
		case c == ';':
			n, err := l.node()
			if err != nil {
				return nil, err
			}
			if l.branch {
				if l.skipped++; l.skipped == 1 {
					l.skippedAt = place{int32(n.line), int32(n.column)}
				}
				continue
			}
			n.first = opened
			return n, nil
		case c == '[':
			return nil, l.errorf("a value outside of a node")
		case c <= ' ' || c == '\xef' || c == '\xbb' || c == '\xbf':
		default:
			return nil, l.errorf("%q where a node should begin", c)
		}
	}
}

// between looks for moves outside of the trees.
func (l *lexer) between(c byte) {
	want := [...]byte{';', 0, '['}
	switch {
	case l.stray > 0 && c <= ' ':
	case l.stray < len(want) && (c == want[l.stray] || l.stray == 1 && (c == 'W' || c == 'B')):
		if l.stray++; l.stray == len(want) {
			if l.outside++; l.outside == 1 {
				l.outsideAt = place{int32(l.line), int32(l.column)}
			}
			l.stray = 0
		}
	case c == ';':
		l.stray = 1
	default:
		l.stray = 0
	}
}

// node reads the properties up to the next semicolon or bracket.
func (l *lexer) node() (*node, error) {
	n := &node{line: l.line, column: l.column}
	size, values := 0, 0
	var name strings.Builder
	var current *property
	for {
		c, err := l.inside("a node")
		if err != nil {
			return nil, err
		}
		switch {
		case c >= 'A' && c <= 'Z':
			if name.Len() == 0 {
				current = nil
			}
			if name.Len() > 32 {
				return nil, l.errorf("a property name of more than 32 letters")
			}
			name.WriteByte(c)
		case c >= 'a' && c <= 'z':
			// Old SGF spells names out; only the capitals count.
		case c == '[':
			if name.Len() > 0 {
				n.props = append(n.props, property{name: name.String()})
				current = &n.props[len(n.props)-1]
				name.Reset()
			}
			if current == nil {
				return nil, l.errorf("a value without a property name")
			}
			v, err := l.value(maxNode-size, !known[current.name])
			if err != nil {
				return nil, err
			}
			size += len(v)
			if values++; values > maxValues {
				return nil, l.errorf("more than %d values in a node", maxValues)
			}
			if !l.branch {
				current.values = append(current.values, v)
			}
		case c == ';' || c == '(' || c == ')':
			if name.Len() > 0 {
				return nil, l.errorf("property %s has no value", name.String())
			}
			l.unread = int(c)
			return n, nil
		case c <= ' ':
		default:
			return nil, l.errorf("%q inside a node", c)
		}
	}
}

// value reads up to the closing bracket and resolves escapes, unless raw: the meaning of an
// escape depends on the kind of the property, which is unknown then. Bytes
// that are not UTF-8 are taken as Windows-1252, which older programs wrote.
func (l *lexer) value(room int, raw bool) (string, error) {
	l.text = l.text[:0]
	for {
		if l.unread < 0 {
			l.plain(room)
		}
		c, err := l.inside("a value")
		if err != nil {
			return "", err
		}
		switch c {
		case ']':
			return charset.Text(l.text), nil
		case '\\':
			if c, err = l.inside("a value"); err != nil {
				return "", err
			}
			switch {
			case raw:
				l.text = append(l.text, '\\')
			case c == '\n':
				continue // a soft line break
			}
		case '\r':
			continue
		}
		if len(l.text) >= room {
			return "", l.errorf("a node larger than %d megabytes", maxNode>>20)
		}
		l.text = append(l.text, c)
	}
}

// plain takes the buffered part of a value up to the next byte with a meaning.
func (l *lexer) plain(room int) {
	ready, _ := l.in.Peek(min(l.in.Buffered(), l.left, room-len(l.text)))
	n := 0
	for n < len(ready) && !special[ready[n]] {
		n++
	}
	l.text = append(l.text, ready[:n]...)
	_, _ = l.in.Discard(n)
	l.left -= n
	l.column += n
}

// special are the bytes that mean more in a value than themselves.
var special = [256]bool{']': true, '\\': true, '\r': true, '\n': true}
