package record

import (
	"strings"

	"fibsbot/internal/texts"
)

// Does joins a player's name with what he does, a verb as in "they play": "anna plays". A
// program may call the one who sits at it You, and he plays nothing: "You play".
func Does(name, verb string) string {
	if strings.EqualFold(strings.TrimSpace(name), "you") {
		return name + " " + verb
	}
	for _, hiss := range []string{"s", "sh", "ch", "x"} {
		if strings.HasSuffix(verb, hiss) {
			return name + " " + verb + "es"
		}
	}
	return name + " " + verb + "s"
}

// Title describes the match in words: "3-point match" or "Money session", and after a comma
// each rule that is not the usual one, "3-point match, Egyptian rule".
func (m *Match) Title() string { return m.TitleIn(nil) }

// TitleIn is Title in the language of c.
func (m *Match) TitleIn(c *texts.Catalogue) string {
	kind := c.T("Money session")
	if m.Length > 0 {
		kind = c.T("{0}-point match", m.Length)
	}
	return strings.Join(append([]string{kind}, m.unusual(c)...), ", ")
}

// Unusual names in words the rules of the match that are not backgammon's usual ones: in
// money play those are the Jacoby rule and beavers, in a match the Crawford rule.
func (m *Match) Unusual() []string { return m.unusual(nil) }

func (m *Match) unusual(c *texts.Catalogue) []string {
	var out []string
	note := func(on bool, what string) {
		if on {
			out = append(out, what)
		}
	}
	r := &m.Rules
	note(r.Variation != Backgammon, c.Phrase(string(r.Variation)))
	note(r.Egyptian, c.T("Egyptian rule"))
	note(r.NoCube && m.Length != 1, c.T("no cube"))
	note(r.Limited(), c.T("cube to {0} at most", r.CubeLimit))
	note(m.Length == 0 && !r.Jacoby, c.T("no Jacoby rule"))
	note(m.Length == 0 && r.Beavers == 0 && !r.NoCube, c.T("no beavers"))
	note(m.Length > 1 && !r.Crawford, c.T("no Crawford game"))
	return out
}
