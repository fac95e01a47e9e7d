package sgf

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
	"fibsbot/internal/ctxread"
)

// Limits on the size of a match: far beyond any played, near enough to keep a
// hostile file from filling the memory.
const (
	maxGames    = 50_000 // of 64 MB, and of 8 MB that someone sends
	maxActions  = 10_000 // of one game
	maxTotal    = 10_000_000
	maxWarnings = 1000
	maxTags     = 100
	maxRemark   = 256 << 10 // of the comments that nodes without an action add to one
)

// Read reads a match. An error is a *record.SyntaxError with line and column or
// an error of r. What could be read with doubts comes as warnings.
func Read(r io.Reader) (*record.Match, []record.Warning, error) {
	return readAtMost(r, maxInput)
}

// ReadFile reads the match in the file at path as Read does. Every error names the
// file; that of a missing file wraps fs.ErrNotExist.
func ReadFile(path string) (*record.Match, []record.Warning, error) {
	f, err := ctxread.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	m, warnings, err := Read(f)
	return m, warnings, record.InFile(path, err)
}

func readAtMost(r io.Reader, limit int) (*record.Match, []record.Warning, error) {
	return matchbuilder.First(readSeveral(r, limit))
}

// ReadAll reads every match of a file, at least one: games of other players, of another length,
// or that start again at the first game belong to another match.
func ReadAll(r io.Reader) ([]*record.Match, []record.Warning, error) { return readSeveral(r, maxInput) }

func readSeveral(r io.Reader, limit int) ([]*record.Match, []record.Warning, error) {
	rd := reader{lex: newLexer(r, limit), m: &record.Match{}}
	for {
		n, err := rd.lex.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, rd.warnings, err
		}
		if err := rd.node(n); err != nil {
			return nil, rd.warnings, err
		}
	}
	rd.endMatch()
	leftOut := func(n int, at place, format string) {
		if n > 0 {
			rd.warnings = append(rd.warnings, record.Warning{Line: int(at.line), Column: int(at.column), Text: fmt.Sprintf(format, n)})
		}
	}
	leftOut(rd.lex.skipped, rd.lex.skippedAt, "the file has other variations than the first: left out are their %d nodes")
	leftOut(rd.lex.outside, rd.lex.outsideAt, "outside of every game: left out are %d moves")
	if len(rd.matches) == 0 {
		return nil, rd.warnings, &record.SyntaxError{Line: 1, Column: 1, Problem: "no game of backgammon in the file: no tree has GM[6]"}
	}
	return rd.matches, rd.warnings, nil
}

// endMatch closes the match that is being read, if it has games.
func (r *reader) endMatch() {
	r.endGame()
	if len(r.m.Games) == 0 {
		return
	}
	if !r.analysed {
		r.m.Judge = record.Provenance{} // the program wrote the file and judged nothing
	}
	r.analysed = false
	r.matches = append(r.matches, r.m)
	r.games += len(r.m.Games)
	for _, w := range r.m.SettleBy(record.Evidence{At: r.at}) {
		if len(r.warnings) < maxWarnings {
			r.warnings = append(r.warnings, w)
		}
	}
	r.m, r.heads, r.places = &record.Match{}, nil, nil
}

// place is where a node begins.
type place struct{ line, column int32 }

// at is where an action of a game of the running match stands, or its root for action -1.
func (r *reader) at(game, action int) (line, column int) {
	var p place
	switch {
	case game >= len(r.heads):
	case action < 0:
		p = r.heads[game]
	case action < len(r.places[game]):
		p = r.places[game][action]
	}
	return int(p.line), int(p.column)
}

// add writes an action that node n holds.
func (r *reader) add(n *node, a *record.Action) {
	r.g.Actions = append(r.g.Actions, *a)
	k := len(r.places) - 1
	r.places[k] = append(r.places[k], place{int32(n.line), int32(n.column)})
}

type reader struct {
	analysed bool // the running match holds judgements
	lex      *lexer
	matches  []*record.Match // that are read
	games    int             // of those
	m        *record.Match
	g        *record.Game
	replay   *record.Replay
	total    int
	warnings []record.Warning
	heads    []place   // of the games of m
	places   [][]place // of their actions
}

func (r *reader) warn(n *node, format string, args ...any) {
	if len(r.warnings) < maxWarnings {
		r.warnings = append(r.warnings, record.Warning{Line: n.line, Column: n.column, Text: fmt.Sprintf(format, args...)})
	}
}

func (r *reader) endGame() {
	if r.g != nil {
		r.m.Games = append(r.m.Games, *r.g)
		r.g, r.replay = nil, nil
	}
}

func (r *reader) node(n *node) error {
	if n.first {
		r.endGame()
		if v, _ := n.one("GM"); strings.TrimSpace(v) != "6" {
			r.warn(n, "a game that is not marked as backgammon (GM is %q): left out", clip(v))
			return nil
		}
		if r.another(n) {
			r.endMatch()
		}
		if r.games+len(r.m.Games) >= maxGames {
			return r.lex.errorf("more than %d games: split the file", maxGames)
		}
		if err := r.root(n); err != nil {
			return err
		}
	}
	if r.g == nil {
		return nil // another game than backgammon
	}
	if err := r.action(n); err != nil {
		return err
	}
	if len(r.g.Actions) > maxActions {
		return r.lex.errorf("more than %d actions in a game", maxActions)
	}
	if r.total++; r.total > maxTotal {
		return r.lex.errorf("more than %d nodes: split the file", maxTotal)
	}
	return nil
}

// clip keeps quoted file content in messages short.
func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}

// swallowed finds moves in a value whose closing bracket is missing.
var swallowed = regexp.MustCompile(`[;\]]\s*[WB]\[(?:[1-6][1-6]|double|take|drop)`)

// action reads a node's move, cube action or set-up and what was said about it.
func (r *reader) action(n *node) error {
	var a *record.Action
	moves := 0
	for i := range n.props {
		p := &n.props[i]
		for _, v := range p.values {
			if strings.IndexByte(v, '[') >= 0 && swallowed.MatchString(v) {
				r.warn(n, "%s has moves in its value, which a bracket should have closed: left out", p.name)
			}
			if p.name == "W" || p.name == "B" {
				if moves++; moves > 1 {
					r.warn(n, "more than one move in a node: left out is %q", clip(v))
				}
			}
		}
		if (p.name == "W" || p.name == "B") && len(p.values) > 0 && a == nil {
			a = r.play(n, p.name, p.values[0])
		}
	}
	if a == nil && !n.first || n.get("AE") != nil || n.get("AW") != nil || n.get("AB") != nil || n.get("DI") != nil {
		if s := r.setUp(n); s != nil {
			if a != nil {
				r.add(n, s)
			} else {
				a = s
			}
		}
	}
	comment, commented := n.one("C")
	if a == nil {
		if commented {
			r.remark(comment)
		}
		if !n.first {
			r.keep(n.unknown())
		}
		return nil
	}
	a.Comment = comment
	if !n.first {
		a.Other = n.unknown()
	}
	r.marks(n, a)
	r.analysis(n, a)
	r.add(n, a)
	return nil
}

// remark takes the comment of a node without an action: of the game, or of the action
// before it.
func (r *reader) remark(text string) {
	to := &r.g.Comment
	if k := len(r.g.Actions); k > 0 {
		to = &r.g.Actions[k-1].Comment
	}
	if len(*to)+len(text) > maxRemark {
		return
	}
	if *to != "" {
		text = *to + "\n" + text
	}
	*to = text
}
