package sgf

import (
	"slices"
	"strings"

	"fibsbot/engine/record"
)

// maxOther bounds the unknown properties of a node.
const maxOther = 1000

// known are the properties that are read and written as parts of a record; what describes the
// writing program (AP, CA, ST) is dropped.
var known = map[string]bool{
	"FF": true, "GM": true, "CA": true, "AP": true, "ST": true, "MI": true, "PW": true, "PB": true, "WR": true, "BR": true, "DT": true, "EV": true,
	"RO": true, "PC": true, "AN": true, "GC": true, "RU": true, "CV": true, "RE": true, "GS": true, "C": true, "W": true, "B": true,
	"PL": true, "CP": true, "AE": true, "AW": true, "AB": true, "DI": true, "BM": true, "DO": true, "BC": true, "DC": true,
	"GW": true, "GB": true, "DA": true, "A": true, "MR": true, "CR": true, "LU": true, levelProperty: true, statedProperty: true, ownProperty: true, resignedProperty: true, judgeProperty: true, timeProperty: true, tagsProperty: true, disputedProperty: true, endUnknownProperty: true, besideProperty: true,
}

// ofMatch are the texts that a match has once, at its first game, in the order of writing.
var ofMatch = []struct {
	property string
	field    func(*record.Match) *string
}{
	{"WR", func(m *record.Match) *string { return &m.Players[0].Rating }},
	{"BR", func(m *record.Match) *string { return &m.Players[1].Rating }},
	{"DT", func(m *record.Match) *string { return &m.Date }},
	{"EV", func(m *record.Match) *string { return &m.Event }},
	{"RO", func(m *record.Match) *string { return &m.Round }},
	{"PC", func(m *record.Match) *string { return &m.Place }},
	{"AN", func(m *record.Match) *string { return &m.Annotator }},
	{"GC", func(m *record.Match) *string { return &m.Comment }},
	{timeProperty, func(m *record.Match) *string { return &m.Time }},
}

// unknown returns the properties of a node that mean nothing here, their values with the
// escapes of the file.
func (n *node) unknown() []record.Property {
	var out []record.Property
	for i := range n.props {
		if p := &n.props[i]; !known[p.name] && len(p.values) > 0 && len(out) < maxOther {
			out = append(out, record.Property{Name: p.name, Values: p.values})
		}
	}
	return out
}

// keep puts properties of a node without an action at the last action of the game.
func (r *reader) keep(other []record.Property) {
	to := &r.g.Other
	if k := len(r.g.Actions); k > 0 {
		to = &r.g.Actions[k-1].Other
	}
	if len(*to)+len(other) <= maxOther {
		*to = append(*to, other...)
	}
}

// odd keeps a value of a known property of the root that has no other place.
func (r *reader) odd(name, value string) {
	to := &r.g.Other
	for i := range *to {
		if p := &(*to)[i]; p.Name == name && len(p.Values) < maxOther {
			p.Values = append(p.Values, value)
			return
		}
	}
	r.keep([]record.Property{{Name: name, Values: []string{value}}})
}

// headOfLater keeps what the root of a game says that its match has no place for: in a
// later game what differs from the first, in any a copyright, which elsewhere is the
// owner of the cube.
func (r *reader) headOfLater(n *node, begin bool) {
	if v, ok := n.one("CP"); ok {
		if _, owner := ownerOfCube(v); !owner {
			r.odd("CP", v)
		}
	}
	if begin {
		return
	}
	for _, f := range ofMatch {
		if v, ok := n.one(f.property); ok && v != *f.field(r.m) {
			r.odd(f.property, v)
		}
	}
	if v, ok := n.one(judgeProperty); ok && v != "" {
		r.odd(judgeProperty, v)
	}
}

// ownerOfCube reads the value of CP that names an owner.
func ownerOfCube(v string) (owner int, ok bool) {
	owner, ok = map[string]int{"c": record.NoPlayer, "w": 0, "b": 1}[strings.ToLower(strings.TrimSpace(v))]
	return owner, ok
}

// others writes the properties of another program that were not understood, and of the known ones
// those in also.
func (o *writer) others(props []record.Property, also ...string) {
	for _, p := range props {
		if !propertyName(p.Name) || len(p.Values) == 0 || known[p.Name] && !slices.Contains(also, p.Name) {
			continue
		}
		o.text(p.Name)
		for _, v := range p.Values {
			if known[p.Name] {
				v = escape.Replace(v)
			} else {
				v = escaped(v)
			}
			o.text("[", v, "]")
		}
	}
}

// escaped is a value that has its escapes, made safe where one lacks.
func escaped(v string) string {
	if !strings.ContainsAny(v, `\]`) {
		return v
	}
	var b strings.Builder
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case c == '\\' && i+1 < len(v):
			i++
			b.WriteByte(c)
			b.WriteByte(v[i])
		case c == '\\' || c == ']':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// extra are the values of a property of the root beside those of the record.
func extra(props []record.Property, name string) []string {
	for i := range props {
		if props[i].Name == name {
			return props[i].Values
		}
	}
	return nil
}

func propertyName(s string) bool {
	for _, c := range s {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return s != "" && len(s) <= 32
}
