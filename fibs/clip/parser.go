package clip

import (
	"strings"
	"unicode/utf8"
)

// maxGlued bounds the messages of one line. FIBS is known to glue two.
const maxGlued = 8

// maxMotd bounds the lines of the message of the day, which are not read. It ends with a line
// of its own; if that line is lost, the parser must not ignore the session. FIBS's message
// has about twenty lines.
const maxMotd = 500

// phase is where in a session the parser is.
type phase uint8

const (
	beforeLogin phase = iota
	inMotd
	running
)

// Parser turns the lines of one connection into events. The zero value is
// ready for a fresh connection. It keeps the state that the meaning of a line depends on and
// never fails: a line of an unknown shape is an [Unknown] event. A Parser is not safe for
// concurrent use.
type Parser struct {
	phase phase
	// hand is true when the session is not a CLIP session: a prompt "> " came, or a guest login.
	hand bool
	// help is true inside a help text, which ends with a line ".".
	help bool
	// guest is true between a guest login and its registration.
	guest bool
	// motd counts the lines of the message of the day.
	motd int
	// redoubles is one more than the last field of the last good board, or 0 before the first.
	redoubles int
}

// RunningParser returns a parser in the state after a successful CLIP login,
// for reading lines that were recorded in the middle of a session.
func RunningParser() *Parser { return &Parser{phase: running} }

// Append appends to dst the events that one line announces, and returns the
// extended slice: one event, or more when the server glued messages together.
// The line comes without its line end; a prompt ("login: ") is handed in like
// a line. Trailing blanks, BEL and other control characters are dropped.
func (p *Parser) Append(dst []Event, line string) []Event {
	line = clean(line)
	for range maxGlued {
		dst = append(dst, Event{})
		rest := p.one(&dst[len(dst)-1], line)
		if rest == "" {
			return dst
		}
		line = rest
	}
	return append(dst, Event{Kind: Unknown, Raw: line})
}

// Parse is [Parser.Append] with a slice of its own.
func (p *Parser) Parse(line string) []Event { return p.Append(nil, line) }

// one fills e from the first message of the line and returns what is stuck
// behind it.
func (p *Parser) one(e *Event, line string) (rest string) {
	if p.phase == inMotd {
		e.Raw = line
		e.Kind = MotdLine
		if p.motd++; line == "4" || p.motd > maxMotd {
			p.phase = running
		}
		if line == "4" {
			e.Kind = MotdEnd
		}
		return ""
	}
	if line == "" {
		e.Kind = Blank
		return ""
	}
	rest = p.classify(e, line)
	if e.Kind == Unknown || e.Kind == Refused {
		// Some servers write two blanks between two sentences.
		if thin := singleBlanks(line); thin != line {
			*e = Event{}
			if rest = p.classify(e, thin); rest != "" {
				line = thin
			}
		}
	}
	e.Raw = line[:len(line)-len(rest)]
	if rest != "" {
		e.Raw = strings.TrimRight(e.Raw, " ")
	}
	p.follow(e)
	return rest
}

// classify finds the kind by the first byte or word and fills the fields.
func (p *Parser) classify(e *Event, line string) (rest string) {
	switch c := line[0]; {
	case isDigit(c):
		if p.numbered(e, line) {
			return ""
		}
		if _, ok := tables()["figure"].read(e, line); ok {
			return ""
		}
	case c == 'b' && strings.HasPrefix(line, "board:"):
		return p.board(e, line)
	case c == '>':
		if rest, ok := p.prompted(e, line); ok {
			return rest
		}
	case c == '*':
		if rest, ok := starred(e, line); ok {
			return rest
		}
	case c == ' ' || c == '\t':
		if indented(e, line) {
			return ""
		}
	case c == 0x1b:
		// The only line with control characters that clean leaves alone.
		e.Kind = Known
		return ""
	default:
		if rest, ok := sentence(e, line); ok {
			return rest
		}
	}
	*e = Event{}
	switch {
	case p.help || line == "NAME":
		e.Kind = Known
		p.help = line != "."
	case strings.HasSuffix(line, "The game was saved."):
		e.Kind, e.Cause = GameSaved, CauseOther
	case p.guest:
		e.Kind = Known
	case p.phase == beforeLogin && !p.hand:
		e.Kind = Banner
	default:
		e.Kind = Unknown
	}
	return ""
}

// follow moves the parser's state after an event.
func (p *Parser) follow(e *Event) {
	switch e.Kind {
	case Welcome:
		*p = Parser{phase: running, redoubles: p.redoubles}
	case MotdBegin:
		if p.phase == running {
			p.phase, p.motd = inMotd, 0
		}
	case LoginPrompt:
		*p = Parser{}
	case TelnetPrompt:
		p.hand, p.help = true, false
	case TelnetGreeting:
		p.hand = true
	case GuestWelcome:
		p.hand, p.guest = true, true
	case GuestRegistered:
		p.guest = false
	case BoardLine, PlayerLine:
		p.help = false
	}
	if p.phase == beforeLogin && !p.hand && !mayPrecedeLogin(e.Kind) {
		// An artist's banner can look like anything.
		*e = Event{Kind: Banner, Raw: e.Raw}
	}
}

// mayPrecedeLogin reports whether a line of this kind is believed before the
// login.
func mayPrecedeLogin(k Kind) bool {
	switch k {
	case LoginPrompt, PasswordPrompt, TelnetPrompt, Banner, Known, AlreadyLoggedIn, LoginRefused, BogusLine, TelnetGreeting,
		SecondLogin, YouTimedOut, Attention, Notice, Blank, GuestWelcome, GuestRegistered:
		return true
	default:
		return k.Refusal()
	}
}

// prompted reads a line that begins with the telnet prompt.
func (p *Parser) prompted(e *Event, line string) (rest string, ok bool) {
	after := strings.TrimPrefix(line[1:], " ")
	switch {
	case after == "":
		e.Kind = TelnetPrompt
		return "", true
	case isDigit(after[0]):
		e.Kind, e.Text = BogusLine, after
		return "", true
	case line[1] == ' ':
		e.Kind = TelnetPrompt
		return after, true
	default:
		return "", false
	}
}

// board reads a board line and cuts off what is glued to it.
func (p *Parser) board(e *Event, line string) (rest string) {
	b, rest, err := ParseBoardRedoubles(line, p.redoubles-1)
	if err != nil {
		e.Kind, e.Text = BadBoard, strings.TrimPrefix(err.Error(), ErrBoard.Error()+": ")
		return ""
	}
	p.redoubles = b.Redoubles + 1
	e.Kind, e.Board = BoardLine, &b
	return rest
}

// clean drops trailing blanks and control characters. Bytes outside ASCII
// become UTF-8, read as Latin-1 unless they are UTF-8 already: logs, archives
// and terminals need valid text.
func clean(line string) string {
	line = strings.TrimRight(line, " \t\r\n\a")
	for i := 0; i < len(line); i++ {
		if c := line[i]; c < ' ' && c != '\t' || c >= 0x7f {
			return scrub(line)
		}
	}
	return line
}

func scrub(line string) string {
	const clear = "\x1b[;H\x1b[2J"
	if line == clear {
		return line
	}
	latin := !utf8.ValidString(line)
	var b strings.Builder
	put := func(r rune) {
		// 0x80 to 0x9f are control characters too, some terminals obey them.
		if r == '\t' || r >= ' ' && r < 0x7f || r > 0x9f {
			b.WriteRune(r)
		}
	}
	if latin {
		for i := 0; i < len(line); i++ {
			put(rune(line[i]))
		}
	} else {
		for _, r := range line {
			put(r)
		}
	}
	return strings.TrimRight(b.String(), " \t")
}
