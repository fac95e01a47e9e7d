// Package apkg writes decks for Anki: .apkg files with notes, note types, tags and media.
//
// A file is a zip archive with the database collection.anki2 (schema 11, which every version
// of Anki imports), the media files named 0, 1, 2, ... and media, a JSON object of their real
// names. The same note has the same ID in every export, so a second import updates it and
// keeps the learner's progress.
package apkg

import "errors"

// NoteType says which fields notes have and how their card looks.
type NoteType struct {
	Name   string
	Fields []string
	// Front and Back are templates of HTML with {{Field}}; CSS styles both.
	Front, Back, CSS string
}

// Note is one note, which has one card.
type Note struct {
	// ID identifies the note in every export.
	ID string
	// Type is an index into Deck.Types.
	Type int
	// Fields are HTML, in the order of the note type.
	Fields []string
	Tags   []string
}

// Deck is what a file holds.
type Deck struct {
	Name  string
	Types []NoteType
	Notes []Note
	// Media are files by their names, which fields may show as <img src="name">.
	Media map[string][]byte
}

// ErrDeck is wrapped by errors about decks that cannot be written.
var ErrDeck = errors.New("not a deck that Anki can read")
