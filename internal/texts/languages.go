package texts

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Pseudo is a language that marks every text of the catalogue, so translators and a test
// can see texts that are missing from it.
const Pseudo = "qps-ploc"

var (
	mu sync.RWMutex
	// catalogues are those by language: the built-in ones, read when they are asked for, and
	// those of Add. English is nil.
	catalogues = builtIn()
)

// Add makes a catalogue one of the Languages, in the place of one of the same language.
func Add(c *Catalogue) {
	mu.Lock()
	defer mu.Unlock()
	catalogues[c.Lang()] = func() *Catalogue { return c }
}

// Languages returns the names of the languages with a catalogue, English first.
func Languages() []string {
	mu.RLock()
	defer mu.RUnlock()
	out := slices.Sorted(maps.Keys(catalogues))
	return append([]string{"en"}, slices.DeleteFunc(out, func(name string) bool { return name == "en" || name == Pseudo })...)
}

// Find returns the catalogue of a language by its name: of "de-AT" that of "de" if there is
// no other.
func Find(name string) (c *Catalogue, ok bool) {
	mu.RLock()
	defer mu.RUnlock()
	name = strings.ToLower(strings.TrimSpace(name))
	read, ok := catalogues[name]
	if !ok {
		name, _, _ = strings.Cut(name, "-")
		if read, ok = catalogues[name]; !ok {
			return nil, false
		}
	}
	return read(), true
}

// Open returns the catalogue called name: a language, or a file that Load reads.
func Open(name string) (*Catalogue, error) {
	if c, ok := Find(name); ok {
		return c, nil
	}
	if strings.HasSuffix(name, ".json") {
		return Load(name)
	}
	return nil, fmt.Errorf("unknown language %.40q (use %s, or a file as nl.json)", name, strings.Join(Languages(), ", "))
}
