package sgf

import (
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// another reports whether a root begins another match than the running one.
func (r *reader) another(n *node) bool {
	m := r.m
	if len(m.Games) == 0 {
		return false
	}
	length, number, score := 0, -1, 0
	for _, v := range n.get("MI") {
		key, text, _ := strings.Cut(v, ":")
		i, _ := strconv.Atoi(strings.TrimSpace(text))
		switch strings.TrimSpace(key) {
		case "length":
			length = i
		case "game":
			number = i
		case "ws", "bs":
			score += i
		}
	}
	white, _ := n.one("PW")
	black, _ := n.one("PB")
	players := white == m.Players[0].Name && black == m.Players[1].Name
	fresh := number == 0 && score == 0
	return fresh || number < 0 && length == 0 && m.Length > 0 || !players && (length != m.Length || fresh)
}

// matchInfo reads MI, a game's place in its match, and returns the length of the match.
func (r *reader) matchInfo(n *node) (length int, err error) {
	for _, v := range n.get("MI") {
		key, text, ok := strings.Cut(v, ":")
		number, err := strconv.Atoi(strings.TrimSpace(text))
		if !ok || err != nil || number < 0 || number > 1<<20 {
			r.warn(n, "match information %q", clip(v))
			r.odd("MI", v)
			continue
		}
		switch strings.TrimSpace(key) {
		case "length":
			if length = number; length > match.MaxLength {
				return 0, r.lex.errorf("a match of %d points: the longest that is read has %d", length, match.MaxLength)
			}
		case "game":
			r.g.Number = number
		case "ws":
			r.g.Score[0] = number
		case "bs":
			r.g.Score[1] = number
		default:
			r.odd("MI", v)
		}
	}
	return length, nil
}

// root reads the properties of a game's first node.
func (r *reader) root(n *node) error {
	m := r.m
	r.g = &record.Game{Number: len(m.Games), Cube: 1}
	r.heads, r.places = append(r.heads, place{int32(n.line), int32(n.column)}), append(r.places, nil)
	r.replay = record.NewReplay(m, r.g)
	begin := len(m.Games) == 0
	length, err := r.matchInfo(n)
	if err != nil {
		return err
	}
	var names [2]string
	names[0], _ = n.one("PW")
	names[1], _ = n.one("PB")
	if begin {
		m.Length = length
		m.Players[0].Name, m.Players[1].Name = names[0], names[1]
		for _, f := range ofMatch {
			if v, ok := n.one(f.property); ok {
				*f.field(m) = v
			}
		}
		r.judge(n, m)
		for _, v := range n.get(tagsProperty) {
			if name, text, ok := strings.Cut(v, ":"); ok && len(m.Tags) < maxTags {
				m.Tags = append(m.Tags, record.Tag{Name: name, Value: text})
			}
		}
	} else {
		if length != m.Length {
			r.warn(n, "this game belongs to a match of %d points, the first to one of %d", length, m.Length)
		}
		if names[0] != m.Players[0].Name || names[1] != m.Players[1].Name {
			r.warn(n, "this game is between %q and %q", clip(names[0]), clip(names[1]))
		}
	}
	r.g.Other = append(r.g.Other, n.unknown()...)
	r.headOfLater(n, begin)
	r.rules(n, begin)
	if v, ok := n.one("CV"); ok {
		if c, err := strconv.Atoi(v); err == nil && powerOfTwo(c) {
			r.g.Cube = c
		} else {
			r.warn(n, "cube %q", clip(v))
		}
		r.replay = record.NewReplay(m, r.g)
	}
	if v, ok := n.one("RE"); ok {
		r.result(n, v)
	}
	r.g.Disputed, _ = n.one(disputedProperty)
	if gs := n.get("GS"); gs != nil {
		s, err := parseStatistics(gs)
		if err != nil {
			r.warn(n, "%v", err)
		} else {
			r.g.Statistics = s
		}
	}
	return nil
}

func powerOfTwo(n int) bool { return n > 0 && n <= 1<<15 && n&(n-1) == 0 }

// ruleWords are the rules that a match has as a whole: games after the first say them again.
var ruleWords = map[string]func(*record.Rules){
	"NoCube":   func(r *record.Rules) { r.NoCube = true },
	"Crawford": func(r *record.Rules) { r.Crawford = true },
	"Jacoby":   func(r *record.Rules) { r.Jacoby = true },
	egyptian:   func(r *record.Rules) { r.Egyptian = true },
	dropRule:   func(r *record.Rules) { r.Drops = match.DropByPosition },
}

// setRule reads a rule; false if word is not one.
func setRule(word string, to *record.Rules) bool {
	if set := ruleWords[word]; set != nil {
		set(to)
		return true
	}
	if g, game := record.Variation(word).Info(); game {
		to.Variation = g.Variation
		return true
	}
	return counted(word, to)
}

func (r *reader) rules(n *node, begin bool) {
	v, _ := n.one("RU")
	if begin && r.m.Length == 0 {
		r.m.Rules.Beavers = match.DefaultBeavers // most files do not say
	}
	if all := n.get("RU"); len(all) > 1 {
		r.warn(n, "RU has more than one value: left out is %q", clip(all[1]))
	}
	to := &r.m.Rules
	if !begin {
		to = new(record.Rules)
	}
	for rule := range strings.SplitSeq(v, ":") {
		if rule == "CrawfordGame" {
			r.g.Crawford = true
		} else if rule != "" && !setRule(rule, to) {
			r.warn(n, "rule %q", clip(rule))
			if begin {
				r.odd("RU", rule)
			}
		}
	}
	if begin {
		r.replay = record.NewReplay(r.m, r.g)
	}
}

// gaveUp is a result by resignation, on time or by forfeit, each in full or as one letter.
var gaveUp = regexp.MustCompile(`^([WB]\+\d+)(R|Resign|T|Time|F|Forfeit)$`)

// ofGNUBG reports whether gnubg wrote a game. Its R marks each end without a last play or a drop:
// also games that it imported, which may have ended on time or by leaving.
func ofGNUBG(n *node) bool {
	v, _ := n.one("AP")
	name, _, _ := strings.Cut(v, ":")
	return strings.TrimSpace(name) == "GNU Backgammon"
}

func (r *reader) result(n *node, v string) {
	winner, resigned, declared := -1, false, false
	text := strings.TrimSpace(v)
	if m := gaveUp.FindStringSubmatch(text); m != nil {
		text, resigned, declared = m[1], true, m[2][0] == 'R'
	}
	switch {
	case strings.HasPrefix(text, "W+"):
		winner = 0
	case strings.HasPrefix(text, "B+"):
		winner = 1
	}
	if winner < 0 {
		if text != "" && text != "Void" && text != "?" {
			r.warn(n, "result %q", clip(v))
		}
		r.odd("RE", v)
		return
	}
	points, err := strconv.Atoi(text[2:])
	if err != nil || points < 1 || points > 1<<20 {
		r.warn(n, "result %q", clip(v))
		r.odd("RE", v)
		return
	}
	r.g.Result = record.Result{Winner: winner, Points: points, Resigned: resigned}
	_, unknown := n.one(endUnknownProperty)
	r.g.EndUnknown = resigned && (unknown || !declared || ofGNUBG(n))
}
