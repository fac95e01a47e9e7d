package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// text checks a template.
func (k *checker) text(field, t string, allowed ...string) {
	if rest := placeholder.ReplaceAllString(t, ""); strings.ContainsAny(rest, "{}") {
		k.fail(field, "unbalanced brace (placeholders are written {%s})", cmp.Or(append(allowed, "name")...))
	}
	if bad, ok := unknownPlaceholder(t, allowed); ok {
		known := "this text has no placeholders"
		if len(allowed) > 0 {
			known = "use {" + strings.Join(allowed, "}, {") + "}"
		}
		k.fail(field, "unknown placeholder {%s} (%s)", bad, known)
	}
	k.want(!strings.ContainsAny(t, "\r\n"), field, "must be one line")
	k.want(len(t) <= 400, field, "is longer than 400 characters")
	if i := strings.IndexFunc(t, func(r rune) bool { return r > '~' || r < ' ' && r != '\r' && r != '\n' }); i >= 0 {
		r, _ := utf8.DecodeRuneInString(t[i:])
		k.fail(field, "holds %q: FIBS carries printable ASCII only", r)
	}
}

func (k *checker) manners() {
	m := &k.c.Manners
	k.language()
	lists := func(field string, l []string) {
		k.want(len(l) <= 5, field, "more than 5 lines")
		for i, t := range l {
			k.text(fmt.Sprintf("%s[%d]", field, i), t, placeholders...)
		}
	}
	lists("manners.greeting", m.Greeting)
	lists("manners.resume", m.Resume)
	lists("manners.farewell", m.Farewell)
	k.text("manners.thanks", m.Thanks, placeholders...)
	for _, must := range []struct{ field, text string }{{"manners.refuse", m.Refuse}, {"manners.busy", m.Busy}, {"manners.draining", m.Draining}} {
		k.text(must.field, must.text, placeholders...)
		k.want(strings.TrimSpace(must.text) != "", must.field, "must not be empty: it tells players why they are refused")
	}
	k.want(strings.TrimSpace(m.Refuse) == "" || strings.Contains(m.Refuse, "{reason}"), "manners.refuse", "lacks {reason}")
	k.text("manners.unlimited", m.Unlimited, placeholders...)
	k.text("manners.about", m.About, placeholders...)
	k.want(m.PerMinute >= 0 && m.PerMinute <= 30, "manners.per_minute", "must be 0 to 30")
	k.patterns("manners.owners", m.Owners)
	for i, name := range m.LevelOnRequest {
		k.preset(fmt.Sprintf("manners.level_on_request[%d]", i), name)
	}
}

func (k *checker) watch() {
	w := &k.c.Watch
	k.want(w.MinLoss >= 0, "watch.min_loss", "must not be negative")
	k.want(w.PerGame >= 0, "watch.per_game", "must not be negative")
	k.preset("watch.preset", w.Preset)
	k.patterns("watch.players", w.Players)
	k.patterns("watch.never", w.Never)
	k.want(!w.Enabled || len(w.Players) > 0, "watch.players", "no players (name players, best or any)")
	t := &w.Texts
	k.text("watch.texts.error", t.Error, ErrorPlaceholders...)
	k.text("watch.texts.small", t.Small, ErrorPlaceholders...)
	k.text("watch.texts.right", t.Right, rightPlaceholders...)
	k.text("watch.texts.game", t.Game, gamePlaceholders...)
	k.text("watch.texts.match", t.Match, sumPlaceholders...)
	k.text("watch.texts.stop", t.Stop)
	for _, word := range sortedKeys(t.Words) {
		field := "watch.texts.words." + word
		k.want(slices.Contains(watchWords, word), field, "unknown word%s", suggest(word, watchWords))
		k.text(field, t.Words[word])
	}
}
