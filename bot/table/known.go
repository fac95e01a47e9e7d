package table

import (
	"maps"

	"fibsbot/bot/sheet"
)

// maxSheets bounds the remembered sheets of saved matches. FIBS does not let a player have
// nearly as many.
const maxSheets = 500

// knownMatch is what the table knows about the match with one opponent.
type knownMatch struct {
	sheet   *sheet.Sheet // of the interrupted match, or nil
	listed  bool         // saved according to the server
	endless bool         // it is unlimited
	void    bool         // it cannot be played on
	moved   bool         // saved at another score than on our sheet: a game ended unseen
	broke   *bool        // whether the opponent was away when our line broke, nil if unknown
	heard   heard        // the lines that its journal has
}

// saved reports whether the match is saved: an unlimited one only with a game that has begun.
func (m *knownMatch) saved() bool { return m.sheet != nil || m.listed && !m.endless }

// knownMatches are the matches that the table knows.
type knownMatches struct {
	with map[string]*knownMatch // by opponent
	told bool                   // the server's list of saved matches has come
	// unchecked means that the sheets were not yet compared with that list on this connection.
	unchecked bool
	closing   []string // sheets whose match the server no longer has
}

// of returns what is known about the match with name: nothing is a zero match, whose changes
// are not kept.
func (k *knownMatches) of(name string) *knownMatch {
	if m := k.with[name]; m != nil {
		return m
	}
	return &knownMatch{}
}

// at is of for changes that are kept.
func (k *knownMatches) at(name string) *knownMatch {
	m := k.of(name)
	if k.with[name] == nil {
		if len(k.with) > 2*maxSheets {
			maps.DeleteFunc(k.with, func(_ string, m *knownMatch) bool { return m.sheet == nil })
		}
		k.with[name] = m
	}
	return m
}

// sheets returns the sheets of interrupted matches by opponent.
func (k *knownMatches) sheets() map[string]*sheet.Sheet {
	list := map[string]*sheet.Sheet{}
	for name, m := range k.with {
		if m.sheet != nil {
			list[name] = m.sheet
		}
	}
	return list
}

// save remembers the sheet of an interrupted match.
func (k *knownMatches) save(s *sheet.Sheet) {
	if k.of(s.Opponent).sheet != nil || len(k.sheets()) < maxSheets {
		k.at(s.Opponent).sheet = s
	}
}
