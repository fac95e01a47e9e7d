package pdf

import (
	"fibsbot/engine/analyse/report"
	"fibsbot/internal/texts"
)

// Options say how a match is printed. The zero value is valid.
type Options struct {
	// Me is the player, 0 or 1, who is named first and sits at the bottom with the light
	// checkers.
	Me int
	// Texts is the language, nil for English.
	Texts *texts.Catalogue
	// Why gives the reasons of the marked decisions, nil for none.
	Why report.Why
	// Font is a TrueType font (.ttf) for languages whose letters the Go fonts do not have, nil
	// for those.
	Font []byte
}
