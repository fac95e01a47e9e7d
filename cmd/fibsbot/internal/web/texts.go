//go:build !js

package web

import (
	"net/http"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"fibsbot/internal/texts"
)

// languageCookie has the language that the reader chose on a page.
const languageCookie = "language"

// supported are the languages with a catalogue, and what finds the best of them.
var supported = sync.OnceValues(func() ([]string, language.Matcher) {
	names := texts.Languages()
	tags := make([]language.Tag, len(names))
	for i, name := range names {
		tags[i] = language.Make(name)
	}
	return names, language.NewMatcher(tags)
})

// languageOf returns the catalogue for a request: the language that the reader chose, else
// usual, else the first of his browser's that there is, else English.
func languageOf(r *http.Request, usual *texts.Catalogue) *texts.Catalogue {
	if chosen, err := r.Cookie(languageCookie); err == nil {
		if c, ok := texts.Find(chosen.Value); ok {
			return c
		}
	}
	if usual != nil {
		return usual
	}
	header := r.Header.Get("Accept-Language")
	if strings.HasPrefix(strings.ToLower(header), texts.Pseudo) {
		c, _ := texts.Find(texts.Pseudo)
		return c
	}
	wanted, _, err := language.ParseAcceptLanguage(header)
	if err != nil {
		return nil
	}
	names, matcher := supported()
	for _, tag := range wanted {
		if _, i, sure := matcher.Match(tag); sure >= language.High {
			c, _ := texts.Find(names[i])
			return c
		}
	}
	return nil
}
