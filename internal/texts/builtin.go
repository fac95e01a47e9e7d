//go:build !js

package texts

import (
	"embed"
	"encoding/json"
	"strings"
	"sync"
)

//go:embed *.json
var files embed.FS

// builtIn returns the catalogues of the program, with Pseudo.
func builtIn() map[string]func() *Catalogue {
	out := map[string]func() *Catalogue{"en": func() *Catalogue { return nil }, Pseudo: sync.OnceValue(pseudo)}
	list, err := files.ReadDir(".")
	if err != nil {
		panic(err) // it is in the binary
	}
	for _, entry := range list {
		if lang := strings.TrimSuffix(entry.Name(), ".json"); lang != "en" {
			out[lang] = sync.OnceValue(func() *Catalogue {
				data, err := files.ReadFile(entry.Name())
				if err != nil {
					panic(err) // it is in the binary
				}
				c, err := Read(lang, data)
				if err != nil {
					panic(entry.Name() + ": " + err.Error()) // a test reads it
				}
				return c
			})
		}
	}
	return out
}

// English returns all texts, each as its own translation.
func English() map[string]string {
	data, err := files.ReadFile("en.json")
	if err != nil {
		panic(err) // it is in the binary
	}
	out := map[string]string{}
	if err := json.Unmarshal(data, &out); err != nil {
		panic("en.json: " + err.Error()) // a test reads it
	}
	return out
}

// pseudo is the catalogue of Pseudo.
func pseudo() *Catalogue {
	c := &Catalogue{lang: Pseudo, texts: English()}
	for key := range c.texts {
		c.texts[key] = "⟦" + key + "⟧"
	}
	for _, key := range Formats {
		delete(c.texts, key)
	}
	return c
}

// Missing counts the texts that c lacks, and those of c that the program does not have.
func (c *Catalogue) Missing() (missing, unknown int) {
	all := English()
	for key := range all {
		if c.Phrase(key) == key && c.All()[key] == "" {
			missing++
		}
	}
	for key := range c.All() {
		if _, ok := all[key]; !ok {
			unknown++
		}
	}
	return missing, unknown
}
