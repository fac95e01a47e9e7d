package formats

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/engine/record/bgblitz"
	"fibsbot/engine/record/internal/gnubgtext"
	"fibsbot/engine/record/jellyfish"
	"fibsbot/engine/record/link"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/opengammon"
	"fibsbot/engine/record/position"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/record/sites"
	"fibsbot/engine/record/snowie"
	textfile "fibsbot/engine/record/text"
	"fibsbot/engine/record/xg"
	"fibsbot/internal/figure"
)

// Format is one kind of match file: how it is recognised and read, how it is written, and
// what it cannot hold. Formats that other programs write only have no Write.
type Format struct {
	Name  string // one word, for flags and the API
	Ext   string // of files, with the dot
	Title string // as people name it

	// Read reads all matches of a file; nil where the files of the format are read as
	// those of another one.
	Read func(io.Reader) ([]*record.Match, []record.Warning, error)
	// Is recognises a file by its beginning: its first bytes, and the same as text without
	// a byte order mark and empty lines. Signs may stand anywhere in that text, since names
	// and comments may hold any text: the earliest sign in a file decides. Somewhere is asked
	// when no sign was found.
	Is        func(head []byte, text string) bool
	Signs     []*regexp.Regexp
	Somewhere func(text string) bool
	// Program has made the analysis in the files, "" if they do not have one or name it.
	Program string

	Write func(io.Writer, *record.Match) error
	// Lost names what a match has and the format cannot hold.
	Lost func(*record.Match) []string
	// Together means that one file holds several matches; otherwise each gets a file.
	Together bool
	// Filed means that the archive of a bot can keep such a file of each match.
	Filed bool
	// OneGame means that a file holds one game, so that a match goes into several.
	OneGame bool
	// MIME is the media type of what Write writes, "" for plain text.
	MIME string
}

// ContentType returns the media type of a written file.
func (f Format) ContentType() string { return cmp.Or(f.MIME, "text/plain; charset=utf-8") }

// IsText reports whether Write writes text.
func (f Format) IsText() bool { return f.MIME != binary }

const binary = "application/octet-stream"

// WriteAll writes the matches one after the other.
func (f Format) WriteAll(w io.Writer, list []*record.Match) error {
	for _, m := range list {
		if err := f.Write(w, m); err != nil {
			return err
		}
	}
	return nil
}

// Split returns the matches as the files of the format hold them.
func (f Format) Split(all []*record.Match) []*record.Match {
	if !f.OneGame {
		return all
	}
	var out []*record.Match
	for _, m := range all {
		for i := range m.Games {
			one := *m
			one.Games = m.Games[i : i+1]
			out = append(out, &one)
		}
	}
	return out
}

// Signs of text formats, at their beginning or anywhere in them.
var (
	sgfAtStart  = regexp.MustCompile(`^\(\s*;`)
	sgfStart    = regexp.MustCompile(`\(\s*;`)
	oldmoves1   = regexp.MustCompile(`Score is \d+-\d+ in an? `)
	matHeader   = regexp.MustCompile(`(?mi)^\s*(?:\d+[ \t-]+points?[ \t-]+match\b|match (?:of|to) \d+( points?)?\s*$|unlimited match\s*$|money (?:session|game|match)\s*$)`)
	matRow      = regexp.MustCompile(`(?mi)^\s*\d+\)\s+(?:[0-6]-?[0-6]\s?:|[1-6]-?[1-6][ \t]+(?:\d|bar)|doubles|wins|losses|resign)`)
	matGameLine = regexp.MustCompile(`(?mi)^\s*Game \d+\s*$`)
)

// All lists every format. The first one that recognises a file reads it; of several written
// ones with the same extension the first is the usual one.
var All = []Format{
	{Name: "sgf", Ext: ".sgf", Title: "SGF", Read: sgf.ReadAll, Is: text(sgfAtStart.MatchString), Signs: []*regexp.Regexp{sgfStart},
		Write: sgf.Write, Lost: sgfLost, MIME: "application/x-go-sgf", Filed: true},
	{Name: "oldmoves", Ext: ".fibs", Title: "FIBS oldmoves", Read: oldmoves.ReadAll, Signs: []*regexp.Regexp{oldmoves1},
		Write: oldmoves.Write, Lost: oldmoves.Lost, Together: true, Filed: true},
	{Name: "mat", Ext: ".mat", Title: ".mat", Read: mat.ReadAll, Signs: []*regexp.Regexp{matHeader, matRow, matGameLine}, Write: mat.WriteXG, Lost: mat.LostXG, Filed: true},
	{Name: "gnubg-mat", Ext: ".mat", Title: ".mat", Write: mat.Write, Lost: mat.Lost},
	{Name: "gam", Ext: ".gam", Title: ".gam", Write: mat.WriteGam, Lost: mat.LostGam, OneGame: true},
	{Name: "snowie", Ext: ".snowie", Title: "Snowie text", Write: snowie.Write, Lost: mat.Lost},
	{Name: "pos", Ext: ".pos", Title: "a Jellyfish position", Read: several(jellyfish.Read), Is: binaryIs(jellyfish.Is),
		Write: jellyfish.Write, Lost: beyond(record.JellyfishText, "the last position"), MIME: binary},
	{Name: "xgid", Ext: ".xgid", Title: "XGID", Read: position.Read, Somewhere: position.Is,
		Write: position.WriteXGID, Lost: beyond(record.XGIDText, "the position before each decision"), Together: true},
	{Name: "ogid", Ext: ".ogid", Title: "OGID", Write: position.WriteOGID, Lost: beyond(record.OGIDText, "the position before each decision"), Together: true},
	{Name: "snowie-pos", Ext: ".snowie", Title: "a Snowie position", Read: snowie.ReadAll, Is: firstLine(snowie.IsPosition),
		Write: snowie.WritePosition, Lost: beyond(record.JellyfishText, "the last position of each game"), Together: true},
	{Name: "link", Ext: ".link", Title: "a link to the review", Read: link.Read, Signs: link.Signs, Write: link.Write, Lost: link.Lost},
	{Name: "text", Ext: ".txt", Title: "text", Write: textfile.Write, Lost: textLost},
	{Name: "gnubg-text", Ext: ".txt", Title: "GNU Backgammon's analysis as text", Read: gnubgtext.Read, Signs: []*regexp.Regexp{gnubgtext.Sign}, Somewhere: gnubgtext.Is, Program: "GNU Backgammon"},
	{Name: "xg", Ext: ".xg", Title: "eXtreme Gammon", Read: several(xg.Read), Is: begins(xg.Magic), Program: "eXtreme Gammon"},
	{Name: "ogxm", Ext: ".ogxm", Title: "OpenGammon", Read: several(opengammon.Read), Is: begins(opengammon.Magic), Program: "OpenGammon"},
	{Name: "bgblitz", Ext: ".bgf", Title: "BGBlitz", Read: several(bgblitz.Read), Is: binaryIs(bgblitz.Is), Program: "BGBlitz"},
	{Name: "backgammonroom", Ext: ".bgf", Title: "BackGammonRoom", Read: several(sites.Room), Is: text(sites.IsRoom)},
	{Name: "bgammon", Ext: ".match", Title: "bgammon.org", Read: sites.Bgammon, Is: text(sites.IsBgammon)},
	{Name: "partygammon", Ext: ".txt", Title: "PartyGammon", Read: several(sites.Party), Is: text(sites.IsParty)},
	{Name: "gamesgrid", Ext: ".sgg", Title: "GamesGrid", Read: several(sites.GamesGrid), Is: text(sites.IsGamesGrid)},
	{Name: "truemoneygames", Ext: ".tmg", Title: "TrueMoneyGames", Read: several(sites.TrueMoney), Is: text(sites.IsTrueMoney)},
	{Name: "bkg", Ext: ".bkg", Title: "BKG", Read: several(sites.BKG), Is: text(sites.IsBKG), Signs: []*regexp.Regexp{sites.BKGSign}},
}

// Written are the formats of All that are written.
var Written = slices.DeleteFunc(slices.Clone(All), func(f Format) bool { return f.Write == nil })

// Texts are the written formats that hold any match in one text file: not one game of it, and
// not a position in binary, which needs a game in play. Pages and the API offer them.
var Texts = slices.DeleteFunc(slices.Clone(Written), func(f Format) bool { return f.OneGame || !f.IsText() })

// Read are the formats of All that are read.
var Read = slices.DeleteFunc(slices.Clone(All), func(f Format) bool { return f.Read == nil })

// Beside are the formats of files that an archive can keep beside the .sgf of a match.
var Beside = slices.DeleteFunc(slices.Clone(All), func(f Format) bool { return !f.Filed || f.Name == "sgf" })

// several makes a reader of many matches of one that reads a single match.
func several(read func(io.Reader) (*record.Match, []record.Warning, error)) func(io.Reader) ([]*record.Match, []record.Warning, error) {
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

func binaryIs(is func([]byte) bool) func([]byte, string) bool {
	return func(head []byte, _ string) bool { return is(head) }
}

func text(is func(string) bool) func([]byte, string) bool {
	return func(_ []byte, text string) bool { return is(text) }
}

func firstLine(is func(string) bool) func([]byte, string) bool {
	return text(func(text string) bool {
		line, _, _ := strings.Cut(text, "\n")
		return is(line)
	})
}

// ErrUnknown is wrapped where no format has the name or extension asked for.
var ErrUnknown = errors.New("unknown format")

// Find returns the format of list called name or, if name is empty, the first one with the
// extension ext in either case. The error lists the names or extensions of list.
func Find(list []Format, name, ext string) (Format, error) {
	var exts []string
	for _, f := range list {
		if f.Name == name || name == "" && f.Ext == strings.ToLower(ext) {
			return f, nil
		}
		if !slices.Contains(exts, f.Ext) {
			exts = append(exts, f.Ext)
		}
	}
	if name != "" {
		return Format{}, unknown(fmt.Sprintf("unknown format %.40q (use %s)", name, strings.Join(Names(list), ", ")))
	}
	return Format{}, unknown(strings.Join(exts, ", "))
}

// unknown is an ErrUnknown whose text becomes part of the caller's sentence.
type unknown string

// Error is the text alone.
func (u unknown) Error() string { return string(u) }

// Is makes it an ErrUnknown.
func (unknown) Is(err error) bool { return err == ErrUnknown }

// Names returns the names of the formats of list.
func Names(list []Format) []string {
	var names []string
	for _, f := range list {
		names = append(names, f.Name)
	}
	return names
}

// beyond returns what is lost in a format that keeps positions only: everything else, and
// the rules that the form of the positions cannot express.
func beyond(form record.Format, kept string) func(*record.Match) []string {
	return func(m *record.Match) []string {
		rules := record.MissingRules(m, form)
		if m.IsPosition() || m.IsOffer() && form != record.JellyfishText {
			return rules
		}
		return append([]string{"more than " + kept}, rules...)
	}
}

// KeepsAll is Lost of formats for people to read.
func KeepsAll(*record.Match) []string { return nil }

// textLost names what the text leaves out: of two verdicts it has the one that counts.
func textLost(m *record.Match) []string {
	n := 0
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			if a := m.Games[i].Actions[k].Analysis; a != nil {
				n += len(a.Beside)
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []string{figure.Count(n, "verdict") + " beside a rollout"}
}

// sgfLost names the one thing that gnubg's SGF cannot express.
func sgfLost(m *record.Match) []string {
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			if m.Games[i].Actions[k].Raw != "" {
				return []string{"illegal plays that are not steps of checkers"}
			}
		}
	}
	return nil
}
