package config

import (
	"strings"
	"testing"

	"fibsbot/internal/texts"
)

// A bot in another language: its texts are translated and in ASCII, what the file sets stays,
// and a language that ASCII cannot write is one error.
func TestLanguage(t *testing.T) {
	c, err := texts.Read("xx", []byte(`{"Thank you for the match, {opponent}.": "Danke für die Größe, {opponent}.", "take": "nähmen", "I play people, not programs": "keine Maß"}`))
	if err != nil {
		t.Fatal(err)
	}
	texts.Add(c)
	ja, err := texts.Read("yy", []byte(`{"You are welcome.": "どういたしまして"}`))
	if err != nil {
		t.Fatal(err)
	}
	texts.Add(ja)
	read := func(text string) (*Config, string) {
		t.Helper()
		c, src, err := Parse("bot.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range Check(c, src, Known{}) {
			if strings.HasPrefix(e.Field, "manners") || strings.HasPrefix(e.Field, "watch.texts") || strings.HasPrefix(e.Field, "invitations.say") {
				out = append(out, e.Error())
			}
		}
		return c, strings.Join(out, "\n")
	}
	got, errs := read("manners:\n  language: xx\n  busy: Spaeter\nwatch: {texts: {words: {drop: passen}}}\n")
	if errs != "" || got.Manners.Farewell[0] != "Danke fuer die Groesse, {opponent}." || got.Manners.Busy != "Spaeter" || got.Invitations.Say.BotsDenied != "keine Mass" ||
		got.Watch.Texts.Words["take"] != "naehmen" || got.Watch.Texts.Words["drop"] != "passen" || got.T("We are not playing at the moment.") != "We are not playing at the moment." {
		t.Errorf("%s\n%+v\n%+v", errs, got.Manners, got.Watch.Texts)
	}
	for _, lang := range latin() {
		if _, errs := read("manners: {language: " + lang + "}\n"); errs != "" {
			t.Errorf("%s: %s", lang, errs)
		}
	}
	if _, errs := read("manners:\n  language: yy\n"); !strings.HasPrefix(errs, `bot.yaml:2:13: manners.language: servers carry no letters of "yy" (use `) {
		t.Errorf("%q", errs)
	}
	if _, errs := read("manners: {language: tlh}\n"); !strings.Contains(errs, `unknown language "tlh" (use da, de, en, es, fr`) && !strings.Contains(errs, `unknown language "tlh" (use en`) || strings.Contains(errs, "\n") {
		t.Errorf("%q", errs)
	}
}
