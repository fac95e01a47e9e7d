package record

import (
	"errors"
	"fmt"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// ErrNoMatch is the error of all that writes match files where the match is nil.
var ErrNoMatch = errors.New("no match to write")

// Format is a text format as far as what it can hold.
type Format uint8

// The formats that hold less than SGF.
const (
	MatText Format = iota
	OldmovesText
	// XGText is .mat with the head that eXtreme Gammon and the servers write, which
	// names rules and the position that a game begins with.
	XGText
	// GamText is .mat without a head: games alone.
	GamText
	// JellyfishText, XGIDText and OGIDText hold positions, each with what its IDs name.
	JellyfishText
	XGIDText
	OGIDText
)

// said lists the rules that each format can express. Readers of a format without the Jacoby rule
// assume it if granted is set.
var said = [...]struct{ cube, jacoby, granted, beavers, variation, crawford, drops, positions bool }{
	MatText:       {granted: true, variation: true, crawford: true, drops: true},
	OldmovesText:  {},
	XGText:        {cube: true, jacoby: true, beavers: true, variation: true, crawford: true, drops: true},
	GamText:       {granted: true},
	JellyfishText: {jacoby: true, crawford: true, positions: true},
	XGIDText:      {jacoby: true, beavers: true, crawford: true, positions: true},
	OGIDText:      {granted: true, crawford: true, positions: true},
}

// What a match may have and a format not, in the order and the words of Missing.
const (
	lostCube = iota
	lostSetUp
	lostComment
	lostAnalysis
	lostStatistics
	lostMark
	lostPlay
)

var lost = [...]struct{ one, many string }{
	lostCube:       {"an automatic double", "automatic doubles"},
	lostSetUp:      {"a set-up position or dice", "set-up positions, cubes or dice"},
	lostComment:    {"a comment on a play", "comments on plays"},
	lostAnalysis:   {"the analysis of an action", "analysed actions"},
	lostStatistics: {"the statistics of a game", "games' statistics"},
	lostMark:       {"a mark", "marks"},
	lostPlay:       {"an illegal play that is not steps of checkers", "illegal plays that are not steps of checkers"},
}

// Missing lists in words what m has and the format cannot hold, each kind once,
// with how often it occurs.
func Missing(m *Match, f Format) []string {
	if m == nil {
		return nil
	}
	var n [len(lost)]int
	count := func(what int, is bool) {
		if is {
			n[what]++
		}
	}
	for i := range m.Games {
		g := &m.Games[i]
		count(lostCube, g.Cube > 1)
		count(lostStatistics, g.Statistics != nil && analysed(g))
		count(lostComment, g.Comment != "" && f != OldmovesText)
		for k := range g.Actions {
			a := &g.Actions[k]
			// A roll that is not the last action belongs to a position set up.
			if a.Kind == SetUp || a.Kind == Roll && k < len(g.Actions)-1 {
				begin, _ := Begins(m, g)
				count(lostSetUp, f != XGText || k >= begin && !(k > 0 && g.Actions[k-1].Illegal))
			}
			count(lostComment, a.Comment != "")
			count(lostAnalysis, a.Analysis != nil)
			count(lostMark, a.Marks != Marks{})
			count(lostPlay, a.Raw != "")
		}
	}
	var out []string
	for what, n := range n {
		if n == 1 {
			out = append(out, lost[what].one)
		} else if n > 1 {
			out = append(out, fmt.Sprintf("%d %s", n, lost[what].many))
		}
	}
	return append(append(out, MissingRules(m, f)...), missingHead(m, f)...)
}

// MissingRules lists in words the rules of m that the format does not name and its readers
// do not take for granted; Missing has them, too.
func MissingRules(m *Match, f Format) []string {
	var out []string
	note := func(lost bool, what string) {
		if lost {
			out = append(out, what)
		}
	}
	r, has := &m.Rules, said[f]
	money := m.Length == 0
	note(r.NoCube && !has.cube, "the rule that there is no cube")
	note(r.Limited() && !has.cube, fmt.Sprintf("the rule that the cube goes to %d at most", r.CubeLimit))
	if money && !has.jacoby && r.Jacoby != has.granted {
		note(r.Jacoby, "the Jacoby rule")
		note(!r.Jacoby, "the rule that gammons count without a double (no Jacoby)")
	}
	switch {
	case !money || r.NoCube:
	case r.Beavers == 0:
		note(!has.beavers, "the rule that there are no beavers")
	case r.Beavers < match.DefaultBeavers:
		out = append(out, fmt.Sprintf("the rule that no more than %d of %d beavers are allowed", r.Beavers, match.DefaultBeavers))
	}
	note(r.Egyptian, "the Egyptian rule (at most five checkers on a point)")
	note(r.Drops != match.DropSingle && !has.drops, "the rule that giving up costs what the position says")
	if has.positions {
		// The IDs of 15 checkers a side say what Nackgammon is played on.
		note(r.Variation.Checkers() != board.MaxCheckers, "the variation "+string(r.Variation))
	} else {
		note(r.Variation != "" && !has.variation, "the variation "+string(r.Variation))
	}
	note(!money && !r.Crawford && !has.crawford, "the rule that there is no Crawford game")
	return out
}

// missingHead lists what the format has no place for above the games.
func missingHead(m *Match, f Format) []string {
	if f != OldmovesText && f != GamText {
		return nil
	}
	var out []string
	if f == GamText && m.Length > 0 {
		out = append(out, "the length of the match")
	}
	if m.Players[0].Rating != "" || m.Players[1].Rating != "" {
		out = append(out, "the ratings")
	}
	if m.Date != "" || m.Event != "" || m.Round != "" || m.Place != "" || m.Annotator != "" || m.Comment != "" {
		out = append(out, "date, event, round, place, annotator or comment of the match")
	}
	return out
}

// analysed reports whether statistics come from an analysis: gnubg counts the moves without one,
// too.
func analysed(g *Game) bool {
	for _, s := range g.Statistics {
		if s.Unforced > 0 || s.CubeDecisions > 0 || s.PlayError != (Cost{}) || s.Luck != (Cost{}) {
			return true
		}
	}
	return false
}
