package web

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
)

// catalogues are the texts of the pages by language, from texts/LANGUAGE.json. The pages
// are written in English, whose catalogue is the list to translate from; what another
// lacks is shown in English. A key has {0}, {1} where values go.
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

// pseudo is the language that marks every text that comes from the catalogue, so that
// those who translate, and a test, see what does not.
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

// language is the first language that a request wants and that there is; English without
// one. Its texts are nil for English.
func language(r *http.Request) (name string, texts map[string]string) {
	const most = 20 // languages that are looked at
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
