package apkg

import (
	"context"
	"errors"
	"io"
	"time"
)

// Write returns an error: the database of a deck would make the program of the browser edition
// a third larger.
func Write(context.Context, io.Writer, *Deck, time.Time) error {
	return errors.New("a browser cannot write decks for Anki (export the archive, restore it in fibsbot and export the cards there)")
}
