//go:build !js

package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/internal/testsize"
	"fibsbot/internal/texts"
)

// A language file may be another person's: none of its texts becomes markup, style or code of a
// page, whichever place it has there.
func TestPages_escapeTextsOfTheLanguageFile(t *testing.T) {
	testsize.Medium(t)
	const evil = `"'><x-evil onload=alert(1)></style></script>{{.Style}}` + "\r\f}x{y:z"
	list := texts.English()
	for key, text := range list {
		list[key] = text + evil
	}
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	c, err := texts.Read(`de"><x-evil>`, data)
	if err != nil {
		t.Fatal(err)
	}
	var entries []Entry
	for _, name := range []string{"match5.sgf", "match7.sgf", "session5.sgf"} {
		m, s := analysed(t, name)
		m.Games[0].Actions[0].Comment = "?? one\ntwo <x-evil>"
		for _, pass := range []bool{true, false} { // with and without an analysis
			if !pass {
				m, s = analyse.Bare(m), nil
			}
			p, err := pageOf(m, s, PageOptions{Texts: c})
			if err != nil {
				t.Fatal(err)
			}
			var want, got bytes.Buffer
			if err := execute(&want, p, c); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := fill(&got, p, c); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !bytes.Equal(want.Bytes(), got.Bytes()) {
				t.Errorf("%s: the page differs from that of html/template", name)
			}
			tame(t, name, want.String())
		}
		entries = append(entries, Entry{File: name, Names: [2]string{"<x-evil>", "b"}})
	}
	var index, deck bytes.Buffer
	if err := Index(&index, entries, c); err != nil {
		t.Fatal(err)
	}
	if err := Deck(&deck, []Card{{Question: c.T("double?"), From: c.T("money"), Answer: []string{c.T("take"), c.T("pass")}, ID: "<x-evil>"}}, c); err != nil {
		t.Fatal(err)
	}
	tame(t, "index", index.String())
	tame(t, "deck", deck.String())
}

// tame fails if a hostile text left its place in the page.
func tame(t *testing.T, name, page string) {
	t.Helper()
	if at := strings.Index(page, "<x-evil"); at >= 0 {
		t.Errorf("%s: markup of a text: %.300q", name, page[max(0, at-150):])
	}
	if !strings.Contains(page, "x-evil onload") {
		t.Errorf("%s: shows no text of the language file", name)
	}
	style := page[strings.Index(page, "<style>"):strings.Index(page, "</style>")]
	if strings.ContainsAny(style, "\r\f") || strings.Count(page, "<style>") != strings.Count(page, "</style>") {
		t.Errorf("%s: a text leaves its string in the style sheet", name)
	}
}
