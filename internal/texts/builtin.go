//go:build !js

package texts

import (
	"embed"
	"encoding/json"
	"io/fs"
	"strings"
)

//go:embed *.json
var files embed.FS

// builtIn reads the catalogues of the program, with Pseudo.
func builtIn() map[string]*Catalogue {
	out := map[string]*Catalogue{"en": nil, Pseudo: pseudo()}
	names, err := fs.Glob(files, "*.json")
	if err != nil {
		panic(err) // the pattern is right
	}
	for _, name := range names {
		lang := strings.TrimSuffix(name, ".json")
		if lang == "en" {
			continue
		}
		data, err := files.ReadFile(name)
		if err != nil {
			panic(err) // the files are in the binary
		}
		if out[lang], err = Read(lang, data); err != nil {
			panic(name + ": " + err.Error()) // a test reads them
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
