//go:build !js

package web

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
)

// catalogues are the texts of the pages by language, from texts/LANGUAGE.json. The English
// catalogue lists all texts; those that a translation lacks are shown in English. {0} and
// {1} in a key are values.
var catalogues = sync.OnceValue(func() map[string]map[string]string {
	out := map[string]map[string]string{}
	names, err := fs.Glob(files, "texts/*.json")
	if err != nil {
		panic(err) // the pattern is right
	}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err) // the files are in the binary
		}
		texts := map[string]string{}
		if err := json.Unmarshal(data, &texts); err != nil {
			panic(name + ": " + err.Error()) // a test reads them
		}
		out[strings.TrimSuffix(path.Base(name), ".json")] = texts
	}
	return out
})

// pseudo is a language that marks every text of the catalogue, so translators and a test
// can see texts that are missing from it.
const pseudo = "qps-ploc"

var pseudoTexts = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for key := range catalogues()["en"] {
		out[key] = "⟦" + key + "⟧"
	}
	return out
})

// translate looks a text up.
func translate(texts map[string]string, text string) string {
	if found := texts[text]; found != "" {
		return found
	}
	return text
}

// language is the first language of a request that has a catalogue, else English. texts is
// nil for English.
func language(r *http.Request) (name string, texts map[string]string) {
	const most = 20 // languages of a header that count
	for i, wanted := range strings.SplitN(r.Header.Get("Accept-Language"), ",", most) {
		wanted, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(wanted)), ";")
		short, _, _ := strings.Cut(wanted, "-")
		switch {
		case i == most-1:
			return "en", nil
		case short == "en":
			return "en", nil
		case wanted == pseudo:
			return pseudo, pseudoTexts()
		}
		for _, name := range []string{wanted, short} {
			if texts, ok := catalogues()[name]; ok {
				return name, texts
			}
		}
	}
	return "en", nil
}
