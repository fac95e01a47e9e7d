package report

import (
	"html"
	"regexp"
	"strings"

	"fibsbot/engine/analyse"
	"fibsbot/engine/diagram"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
)

// Pictures draws every step of a match as an SVG that needs nothing else: board, arrows, and below them what was
// asked, done and lost. It uses the players and the language of o. The error means that m is nil or
// that s is of another match.
func Pictures(m *record.Match, s *analyse.Summary, o PageOptions) ([]string, error) {
	b, err := stepsOf(m, s, o)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(b.all))
	for i := range b.all {
		out[i] = b.picture(&b.all[i])
	}
	return out, nil
}

// Picture draws one step as Pictures does, with the reason of an error: the decision of that number in a game,
// both from 1. It is empty where the match has no such step.
func Picture(m *record.Match, s *analyse.Summary, game, number int, o PageOptions) (string, error) {
	b, err := stepsOf(m, s, o)
	if err != nil {
		return "", err
	}
	for i := range b.all {
		if d := &b.all[i]; d.game == game-1 && d.Number == number {
			if o.Why != nil && d.Mark != "" {
				d.Reason = o.Why(d.Row)
			}
			return b.picture(d), nil
		}
	}
	return "", nil
}

// stepsOf are the steps of a match, without reasons.
func stepsOf(m *record.Match, s *analyse.Summary, o PageOptions) (*pageBuilder, error) {
	s, err := summaryOf(m, s)
	if err != nil {
		return nil, err
	}
	b := &pageBuilder{m: m, s: s, t: o.Table, c: o.Texts, me: o.Me & 1}
	if b.t == nil {
		b.t = match.DefaultTable()
	}
	b.steps()
	return b, nil
}

// picture draws a step.
func (b *pageBuilder) picture(d *step) string {
	drawn := b.diagram(d)
	drawn.Better = d.BetterSteps()
	drawn.Theme, drawn.Width = diagram.Plain, pictureWidth
	var said markup
	b.verdict(&said, d)
	drawn.Caption = append([]string{headline(b.c, d, b.m.Players[d.Player].Name) + b.scoreWord(d)}, paragraphs(said.String())...)
	return drawn.SVG()
}

// pictureWidth is that of a picture in pixels.
const pictureWidth = 720

var (
	breaks = regexp.MustCompile(`<(?:p|br)\b[^>]*>`)
	tags   = regexp.MustCompile(`<[^>]*>`)
)

// paragraphs are the lines of a part of a page as plain text.
func paragraphs(markup string) (out []string) {
	for _, part := range breaks.Split(markup, -1) {
		if text := strings.TrimSpace(html.UnescapeString(tags.ReplaceAllString(part, ""))); text != "" {
			out = append(out, text)
		}
	}
	return out
}
