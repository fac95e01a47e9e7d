package clip

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

// A pattern is the shape of a sentence, written as the sentence with tokens in braces:
//
//	{name} {other}      player names, into Name and Other
//	{name?} {other?}    the same, or nothing: some servers leave a name out
//	{subject}           anything up to the text that follows, into Name
//	{text}              the same into Text; at the end of a pattern the rest of the line
//	{quoted}            the rest of the line without its final quote, into Text
//	{value}             the rest of the line without quotes and full stop, into Text
//	{length}            a match length in points or "unlimited"
//	{a length}          "a 5 point" or "an unlimited"
//	{points} {count} {cube} {us} {them}   whole numbers
//	{n points}          "1 point" or "2 points", into Points
//	{die1} {die2} {steps} {some steps} {bear-offs}   dice and checkers
//	{ordinal}           "first" to "fourth", into Count
//	{number} {decimal} {word} {any}       read and dropped; {any} goes up to the text that follows
//	[text]              text that may be missing
//	~                   any number of blanks
//	>text               last in a pattern: a next message, which begins with text, may be glued on
//
// The end of a pattern is a full stop, which may be missing, and the end of the line.
type pattern struct {
	event  Event // the fields that the tokens do not fill
	whole  bool  // Text is the whole sentence
	tokens []token
	glue   bool // a next message may follow
	next   string
}

// token is a part of a pattern: what is read, and for some of them which text.
type token struct{ what, text string }

// table finds the patterns that may fit a line by its first words.
type table struct {
	fixed map[string][]pattern // by the first word
	named map[string][]pattern // those that begin with a name, by the word after it
	other []pattern
}

// sentenceFile has the sentences of the server.
//
//go:embed sentences.txt
var sentenceFile string

// won is {won} in sentenceFile. "Congratulation!" is of JIBS.
const won = "{n points}[.][ Congratulations!][ Congratulation!][ Sorry.]>Score is "

// tables are those of sentenceFile by name.
var tables = sync.OnceValue(func() map[string]*table {
	all := map[string]*table{}
	var last *table
	var heading pattern
	for row := range strings.SplitSeq(strings.ReplaceAll(sentenceFile, "{won}", won), "\n") {
		text, indented := strings.CutPrefix(row, "\t")
		name, first := strings.CutPrefix(row, "== ")
		switch {
		case text == "", text[0] == '#':
		case first:
			last = &table{fixed: map[string][]pattern{}, named: map[string][]pattern{}}
			all[name] = last
		case indented:
			last.add(heading, text)
		default:
			heading = readHeading(row)
		}
	}
	return all
})

// readHeading reads a kind and fields, such as "takes; name=(you)". It panics on an unknown field.
func readHeading(row string) (p pattern) {
	words := strings.Split(row, "; ")
	e := &p.event
	e.Kind = Kind(words[0])
	for _, word := range words[1:] {
		switch field, value, _ := strings.Cut(word, "="); field {
		case "whole":
			p.whole = true
		case "name":
			e.Name = value
		case "other":
			e.Other = value
		case "text":
			e.Text = value
		case "unlimited":
			e.Length = Unlimited
		case "by":
			e.Result = Result(value)
		case "cause":
			e.Cause = Cause(value)
		case "on":
			e.On = true
		case "asks":
			e.Asks = true
		case "redouble":
			e.Redouble = true
		default:
			panic(fmt.Sprintf("heading %q: unknown field %s", row, field))
		}
	}
	return p
}

// add adds a sentence below a heading.
func (t *table) add(heading pattern, text string) {
	p := heading.compile(text)
	about := strings.HasPrefix(text, "{name} ") || strings.HasPrefix(text, "{other} ")
	_, after, _ := strings.Cut(text, "} ")
	switch word, second := firstWord(text), firstWord(after); {
	case about && second != "":
		t.named[second] = append(t.named[second], p)
	case word != "":
		t.fixed[word] = append(t.fixed[word], p)
	default:
		t.other = append(t.other, p)
	}
}

// firstWord returns the letters, digits and underscores that s begins with.
func firstWord(s string) string {
	i := 0
	for i < len(s) && isNameByte(s[i]) {
		i++
	}
	return s[:i]
}

// read fills e from the first pattern that fits and returns what is glued to the message.
// Sentences about a name come before those with fixed words: a player may be called Score.
// Only You is never a player.
func (t *table) read(e *Event, line string) (rest string, ok bool) {
	first := firstWord(line)
	if first == selfWord {
		if rest, ok = readAny(t.fixed[first], e, line); ok {
			return rest, true
		}
	}
	if after := line[len(first):]; first != "" && strings.HasPrefix(after, " ") {
		if rest, ok = readAny(t.named[firstWord(after[1:])], e, line); ok {
			return rest, true
		}
	}
	if rest, ok = readAny(t.fixed[first], e, line); ok {
		return rest, true
	}
	return readAny(t.other, e, line)
}

func readAny(list []pattern, e *Event, line string) (rest string, ok bool) {
	for i := range list {
		if rest, ok = list[i].read(e, line); ok {
			return rest, true
		}
	}
	*e = Event{}
	return "", false
}

func (p *pattern) read(e *Event, line string) (rest string, ok bool) {
	*e = p.event
	c := cursor{line}
	for _, t := range p.tokens {
		if !t.read(&c, e) {
			return "", false
		}
	}
	if p.whole {
		e.Text = line
	}
	if p.event.Kind == Known {
		*e = p.event
	}
	if p.glue && strings.HasPrefix(c.s, p.next) {
		return strings.TrimLeft(c.s, " "), true
	}
	return "", c.dot()
}

// read takes the token's part of the line into e.
func (t token) read(c *cursor, e *Event) bool {
	switch t.what {
	case "literal":
		return c.lit(t.text)
	case "optional":
		return c.opt(t.text)
	case "blanks":
		return c.blanks()
	case "name":
		return c.name(&e.Name)
	case "name?":
		return c.nameOrNone(&e.Name)
	case "other":
		return c.name(&e.Other)
	case "other?":
		return c.nameOrNone(&e.Other)
	case "subject":
		return c.upTo(t.text, &e.Name)
	case "text":
		return c.upTo(t.text, &e.Text)
	case "any":
		var dropped string
		return c.upTo(t.text, &dropped)
	case "quoted":
		return c.upTo("", &e.Text) && cutQuote(&e.Text)
	case "value":
		c.opt("'")
		if !c.upTo("", &e.Text) {
			return false
		}
		e.Text = strings.TrimSuffix(strings.TrimSuffix(e.Text, "."), "'")
		return e.Text != ""
	default:
		return t.readNumber(c, e)
	}
}

// readNumber reads the tokens that hold digits.
func (t token) readNumber(c *cursor, e *Event) bool {
	switch t.what {
	case "length":
		return c.length(&e.Length)
	case "a length":
		return c.matchLength(&e.Length)
	case "n points":
		return c.points(&e.Points)
	case "points":
		return c.num(&e.Points)
	case "count":
		return c.num(&e.Count)
	case "cube":
		return c.num(&e.Cube)
	case "us":
		return c.num(&e.Score[0])
	case "them":
		return c.num(&e.Score[1])
	case "die1":
		return c.die(&e.Dice[0])
	case "die2":
		return c.die(&e.Dice[1])
	case "steps":
		return c.steps(&e.Steps)
	case "some steps":
		return c.steps(&e.Steps) && e.Steps.N > 0
	case "bear-offs":
		return c.bearOffs(&e.Steps)
	case "ordinal":
		return c.ordinal(&e.Count)
	case "number":
		var dropped int
		return c.num(&dropped)
	case "decimal":
		return c.decimal()
	case "word":
		var dropped string
		return c.word(&dropped)
	default:
		panic(fmt.Sprintf("unknown token {%s}", t.what))
	}
}

func cutQuote(s *string) (ok bool) {
	*s, ok = strings.CutSuffix(*s, "'")
	return ok
}

// compile returns the pattern of a sentence below the heading p. It panics on a sentence that is
// not well formed: all are in this package.
func (p pattern) compile(sentence string) pattern {
	text := sentence
	if at := strings.IndexByte(text, '>'); at >= 0 {
		text, p.next, p.glue = text[:at], text[at+1:], true
	}
	for text != "" {
		t := token{what: "literal", text: literal(text)}
		rest, closed := text[len(t.text):], true
		switch text[0] {
		case '{':
			t.what, rest, closed = strings.Cut(text[1:], "}")
			t.text = literal(rest) // where free text ends
		case '[':
			t.what = "optional"
			t.text, rest, closed = strings.Cut(text[1:], "]")
		case '~':
			t.what, rest = "blanks", text[1:]
		}
		if !closed {
			panic(fmt.Sprintf("pattern %q: an open bracket", sentence))
		}
		t.read(new(cursor), new(Event)) // panics on an unknown token
		p.tokens, text = append(p.tokens, t), rest
	}
	return p
}

// literal returns the fixed text that a pattern begins with.
func literal(text string) string {
	if at := strings.IndexAny(text, "{[~"); at >= 0 {
		return text[:at]
	}
	return text
}
