package explain

import (
	"context"

	"fibsbot/engine"
	"fibsbot/engine/analyse/report"
	"fibsbot/engine/cube"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/search"
	"fibsbot/internal/texts"
)

// Reason is empty in the browser edition, whose download has no room for the facts and their templates.
type Reason struct{}

// Doc returns an empty document.
func (*Reason) Doc(*texts.Catalogue) Doc { return Doc{} }

// Text returns nothing.
func (*Reason) Text(*texts.Catalogue) string { return "" }

// Plays returns no reason.
func Plays(context.Context, *engine.Engine, match.Situation, search.Candidate, search.Candidate) (*Reason, error) {
	return nil, nil
}

// Cube returns no reason.
func Cube(context.Context, *engine.Engine, match.Situation, cube.Decision) (*Reason, error) {
	return nil, nil
}

// Errors returns no reasons.
func Errors(context.Context, *engine.Engine, *record.Match, *texts.Catalogue) report.Why { return nil }
