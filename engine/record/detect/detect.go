// Package detect finds out which format a match file has by looking at its
// beginning, and reads it, packed or not.
package detect

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/engine/record/bgblitz"
	"fibsbot/engine/record/internal/gnubgtext"
	"fibsbot/engine/record/jellyfish"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/opengammon"
	"fibsbot/engine/record/position"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/record/sites"
	"fibsbot/engine/record/snowie"
	"fibsbot/engine/record/xg"
)

// Format is a format that can be read.
type Format string

// The formats, each with its package below engine/record or the program it is of.
const (
	Unknown    Format = ""               // none of these
	SGF        Format = "sgf"            // .sgf of GNU Backgammon
	Mat        Format = "mat"            // .mat, .gam, .txt in two columns
	Oldmoves   Format = "oldmoves"       // the list of a FIBS server
	Snowie     Format = "snowie"         // a position of Snowie on one line
	Jellyfish  Format = "jellyfish"      // .pos, a position of Jellyfish
	XG         Format = "xg"             // .xg and .xgp of eXtreme Gammon
	OGXM       Format = "ogxm"           // .ogxm of OpenGammon
	BGBlitz    Format = "bgblitz"        // .bgf of BGBlitz
	GamesGrid  Format = "gamesgrid"      // .sgg
	TrueMoney  Format = "truemoneygames" // .tmg
	BKG        Format = "bkg"            // .bkg of Hans Berliner's program
	Party      Format = "partygammon"    // text of PartyGammon
	Room       Format = "backgammonroom" // .bgf that is text
	Bgammon    Format = "bgammon"        // .match, a replay of bgammon.org
	PositionID Format = "position"       // XGIDs, OGIDs, pages with one
	GnubgText  Format = "gnubg-text"     // what GNU Backgammon exports as text
)

// ErrUnknown is returned for a file that is in none of the formats.
var ErrUnknown = errors.New("not a match file: want .sgf, .mat, .xg, FIBS oldmoves, Snowie text, a Jellyfish position or another format that fibsbot convert --help lists")

// looked is how much of a file is looked at. Comments in front of a .mat may be
// long, but its first row comes within that.
const looked = 64 << 10

var (
	sgfStart    = regexp.MustCompile(`\(\s*;`)
	sgfAtStart  = regexp.MustCompile(`^\(\s*;`)
	oldmoves1   = regexp.MustCompile(`Score is \d+-\d+ in an? `)
	matHeader   = regexp.MustCompile(`(?mi)^\s*(?:\d+[ \t-]+points?[ \t-]+match\b|match (?:of|to) \d+( points?)?\s*$|unlimited match\s*$|money (?:session|game|match)\s*$)`)
	matRow      = regexp.MustCompile(`(?mi)^\s*\d+\)\s+(?:[0-6]-?[0-6]\s?:|[1-6]-?[1-6][ \t]+(?:\d|bar)|doubles|wins|losses|resign)`)
	matGameLine = regexp.MustCompile(`(?mi)^\s*Game \d+\s*$`)
)

// kind is a format with what its files are known by and how they are read.
type kind struct {
	format Format
	// is looks at the first bytes of a file, and at the same without a byte order mark
	// and empty lines.
	is   func(head []byte, text string) bool
	read func(io.Reader) ([]*record.Match, []record.Warning, error)
}

type one func(io.Reader) (*record.Match, []record.Warning, error)

// several makes a reader of many matches of one that reads a single match.
func several(read one) func(io.Reader) ([]*record.Match, []record.Warning, error) {
	return func(r io.Reader) ([]*record.Match, []record.Warning, error) {
		m, ws, err := read(r)
		if err != nil {
			return nil, ws, err
		}
		return []*record.Match{m}, ws, nil
	}
}

func begins(magic string) func([]byte, string) bool {
	return func(head []byte, _ string) bool { return bytes.HasPrefix(head, []byte(magic)) }
}

func text(is func(string) bool) func([]byte, string) bool {
	return func(_ []byte, text string) bool { return is(text) }
}

// kinds are the formats that their first lines give away, in the order of asking.
var kinds = []kind{
	{XG, begins(xg.Magic), several(xg.Read)},
	{OGXM, begins(opengammon.Magic), several(opengammon.Read)},
	{BGBlitz, func(head []byte, _ string) bool { return bgblitz.Is(head) }, several(bgblitz.Read)},
	{Room, text(sites.IsRoom), several(sites.Room)},
	{Jellyfish, func(head []byte, _ string) bool { return jellyfish.Is(head) }, several(jellyfish.Read)},
	{SGF, text(sgfAtStart.MatchString), sgf.ReadAll},
	{Bgammon, text(sites.IsBgammon), sites.Bgammon},
	{Party, text(sites.IsParty), several(sites.Party)},
	{GamesGrid, text(sites.IsGamesGrid), several(sites.GamesGrid)},
	{TrueMoney, text(sites.IsTrueMoney), several(sites.TrueMoney)},
	{Snowie, func(_ []byte, text string) bool {
		line, _, _ := strings.Cut(text, "\n")
		return snowie.IsPosition(line)
	}, snowie.ReadAll},
	{BKG, text(sites.IsBKG), several(sites.BKG)},
}

// signs are the formats that may begin with any text: the earliest sign decides, for
// names and comments may hold any text, too.
var signs = []struct {
	format Format
	sign   *regexp.Regexp
}{{GnubgText, gnubgtext.Sign}, {SGF, sgfStart}, {Oldmoves, oldmoves1}, {Mat, matHeader}, {Mat, matRow}, {Mat, matGameLine}, {BKG, sites.BKGSign}}

// Sniff names the format of a file that begins with head.
func Sniff(head []byte) Format {
	f, _ := sniff(head)
	return f
}

func sniff(head []byte) (Format, func(io.Reader) ([]*record.Match, []record.Warning, error)) {
	bare := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	// A lone CR ends a line, too.
	lines := bare
	if bytes.IndexByte(bare, '\n') < 0 {
		lines = bytes.ReplaceAll(bare, []byte("\r"), []byte("\n"))
	}
	text := string(lines)
	for _, k := range kinds {
		if k.is(head, text) {
			return k.format, k.read
		}
	}
	best, at := Unknown, len(text)+1
	for _, s := range signs {
		if m := s.sign.FindStringIndex(text); m != nil && m[0] < at {
			best, at = s.format, m[0]
		}
	}
	switch {
	case best == Mat:
		return best, mat.ReadAll
	case best == Oldmoves:
		return best, oldmoves.ReadAll
	case best == BKG:
		return best, several(sites.BKG)
	case best == GnubgText:
		return best, gnubgtext.Read
	case position.Is(text):
		return PositionID, position.Read
	case gnubgtext.Is(text):
		return GnubgText, gnubgtext.Read
	case best == SGF:
		return best, sgf.ReadAll
	}
	return Unknown, nil
}

// Read finds the format of r and reads all its matches, at least one. Files packed
// with gzip are unpacked, text in UTF-16 with a byte order mark is decoded. The error
// is ErrUnknown, a *record.SyntaxError or of r.
func Read(r io.Reader) ([]*record.Match, Format, []record.Warning, error) {
	in, err := unpacked(bufio.NewReaderSize(r, looked))
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
	f, read := sniff(head)
	if read == nil || bytes.HasPrefix(head, []byte("PK\x03\x04")) { // a match in an archive is not packed where it is short
		if what := foreign(head); what != "" {
			return nil, f, nil, &record.SyntaxError{Line: 1, Column: 1, Problem: what}
		}
		return nil, f, nil, ErrUnknown
	}
	all, ws, err := read(in)
	if err == nil {
		// What is packed is sound only when its end is: a reader may have what it wants before.
		_, err = io.Copy(io.Discard, io.LimitReader(in, maxUnpacked))
	}
	ws = append(units.warnings(), ws...)
	if err != nil {
		return nil, f, ws, err
	}
	for _, m := range all {
		if m.Judge.Program == "" {
			m.Judge.Program = programs[f]
		}
		odd, err := record.CheckSetUps(m)
		if err != nil {
			return nil, f, ws, err
		}
		ws = append(ws, odd...)
	}
	return all, f, ws, nil
}

// programs are those whose analysis files of a format hold.
var programs = map[Format]string{XG: "eXtreme Gammon", GnubgText: "GNU Backgammon", BGBlitz: "BGBlitz", OGXM: "OpenGammon"}
