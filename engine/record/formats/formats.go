package formats

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/engine/record/jellyfish"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/oldmoves"
	"fibsbot/engine/record/position"
	"fibsbot/engine/record/sgf"
	"fibsbot/engine/record/snowie"
	"fibsbot/engine/record/text"
)

// Format writes match files of one kind.
type Format struct {
	Name  string // one word, for flags
	Ext   string // of files, with the dot
	Title string // as people name it
	Write func(io.Writer, *record.Match) error
	// Lost names what a match has and the format cannot hold.
	Lost func(*record.Match) []string
	// All writes several matches into one file; nil where each gets a file.
	All func(io.Writer, []*record.Match) error
	// OneGame says that a file of the format holds one game: a match goes into several.
	OneGame bool
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

// Written are the formats of match files. Of several with one extension the first is the
// usual one.
var Written = []Format{
	{Name: "sgf", Ext: ".sgf", Title: "SGF", Write: sgf.Write, Lost: sgfLost},
	{Name: "mat", Ext: ".mat", Title: ".mat", Write: mat.WriteXG, Lost: mat.LostXG},
	{Name: "gnubg-mat", Ext: ".mat", Title: ".mat", Write: mat.Write, Lost: mat.Lost},
	{Name: "gam", Ext: ".gam", Title: ".gam", Write: mat.WriteGam, Lost: mat.LostGam, OneGame: true},
	{Name: "snowie", Ext: ".snowie", Title: "Snowie text", Write: snowie.Write, Lost: mat.Lost},
	{Name: "oldmoves", Ext: ".fibs", Title: "FIBS oldmoves", Write: oldmoves.Write, Lost: oldmoves.Lost, All: oldmoves.WriteAll},
	{Name: "pos", Ext: ".pos", Title: "a Jellyfish position", Write: jellyfish.Write, Lost: beyond(record.JellyfishText, "the last position")},
	{Name: "xgid", Ext: ".xgid", Title: "XGID", Write: position.WriteXGID, Lost: beyond(record.XGIDText, "the position before each decision"), All: everyOne(position.WriteXGID)},
	{Name: "ogid", Ext: ".ogid", Title: "OGID", Write: position.WriteOGID, Lost: beyond(record.OGIDText, "the position before each decision"), All: everyOne(position.WriteOGID)},
	{Name: "snowie-pos", Ext: ".snowie", Title: "a Snowie position", Write: snowie.WritePosition, Lost: beyond(record.JellyfishText, "the last position of each game"), All: everyOne(snowie.WritePosition)},
	{Name: "text", Ext: ".txt", Title: "text", Write: text.Write, Lost: KeepsAll},
}

// ErrUnknown is wrapped where no format has the name or extension asked for.
var ErrUnknown = errors.New("unknown format")

// Find returns the format of list called name, or, where name is empty, the first with
// the extension ext in either case. The error names those there are.
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
		return Format{}, unknown(fmt.Sprintf("%q is none of %s", name, strings.Join(Names(list), ", ")))
	}
	return Format{}, unknown(strings.Join(exts, ", "))
}

// unknown is an ErrUnknown whose text goes into a sentence of the caller.
type unknown string

// Error is the text alone.
func (u unknown) Error() string { return string(u) }

// Is makes it an ErrUnknown.
func (unknown) Is(err error) bool { return err == ErrUnknown }

// Names are the words of the formats of list.
func Names(list []Format) []string {
	var names []string
	for _, f := range list {
		names = append(names, f.Name)
	}
	return names
}

// everyOne writes matches one after the other into one file.
func everyOne(write func(io.Writer, *record.Match) error) func(io.Writer, []*record.Match) error {
	return func(w io.Writer, matches []*record.Match) error {
		for _, m := range matches {
			if err := write(w, m); err != nil {
				return err
			}
		}
		return nil
	}
}

// beyond is what is lost where nothing but positions is kept, and of the rules what the
// form of the positions does not say.
func beyond(form record.Format, kept string) func(*record.Match) []string {
	return func(m *record.Match) []string {
		rules := record.MissingRules(m, form)
		if m.IsPosition() || m.IsOffer() && form != record.JellyfishText {
			return rules
		}
		return append([]string{"more than " + kept}, rules...)
	}
}

// KeepsAll is for formats that people read: nothing is lost on them.
func KeepsAll(*record.Match) []string { return nil }

// sgfLost names the one thing that gnubg's SGF has no words for.
func sgfLost(m *record.Match) []string {
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			if m.Games[i].Actions[k].Raw != "" {
				return []string{"illegal plays that are no steps"}
			}
		}
	}
	return nil
}
