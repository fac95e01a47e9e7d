// Package texts has what the program says to people in several languages. A text is written
// in English where it is used, with {0}, {1} for values, and looked up in the catalogue of
// the reader's language: LANGUAGE.json here, or a file of the user's. What a catalogue lacks
// is shown in English. en.json lists all texts; a test of package web collects them from the
// program and the pages.
package texts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"fibsbot/internal/fileerr"
)

// Texts that say how a language writes figures and dates, and what it is called.
const (
	Name    = "English"
	decimal = "{0}.{1}"
	percent = "{0}%"
	date    = "{0}-{1}-{2}" // year, month, day
)

// Formats are the texts above, for the list of all texts.
var Formats = []string{Name, decimal, percent, date}

// Catalogue has the texts of a language. A nil one is English.
type Catalogue struct {
	lang  string
	texts map[string]string
}

// Lang is the name of the language as BCP 47 has it, "de".
func (c *Catalogue) Lang() string {
	if c == nil {
		return "en"
	}
	return c.lang
}

// OwnName is what the language calls itself.
func (c *Catalogue) OwnName() string {
	if name := c.T(Name); c == nil || name != Name {
		return name
	}
	return c.lang
}

// All returns the texts by their English keys, nil for English.
func (c *Catalogue) All() map[string]string {
	if c == nil {
		return nil
	}
	return c.texts
}

// Key marks a text for the list of texts. It returns text, which T and Phrase look up later.
// What follows a | says which of its meanings a text has, and is not shown.
func Key(text string) string { return text }

// Phrase looks up a text that is not known where it is used, such as a name of the engine.
// What the catalogue lacks stays as it is: plays, names of players.
func (c *Catalogue) Phrase(text string) string {
	if c != nil {
		if found := c.texts[text]; found != "" {
			return found
		}
	}
	text, _, _ = strings.Cut(text, "|")
	return text
}

var numbers = regexp.MustCompile(`\d+`)

// Counted looks up a text with {0}, {1} for the numbers in it: "2-ply" is "{0}-ply".
func (c *Catalogue) Counted(text string) string {
	if c == nil {
		return text
	}
	if found := c.texts[text]; found != "" {
		return found
	}
	var found []any
	key := numbers.ReplaceAllStringFunc(text, func(n string) string {
		found = append(found, n)
		return fmt.Sprintf("{%d}", len(found)-1)
	})
	if c.texts[key] == "" {
		return text
	}
	return c.T(key, found...)
}

// List looks up the parts of a text between commas, each as Counted does.
func (c *Catalogue) List(text string) string {
	parts := strings.Split(text, ", ")
	for i := range parts {
		parts[i] = c.Counted(parts[i])
	}
	return strings.Join(parts, ", ")
}

// value is the place of a value in a text.
var value = regexp.MustCompile(`\{\d\}`)

// T is a text with its values.
func (c *Catalogue) T(key string, values ...any) string {
	text := c.Phrase(key)
	if len(values) == 0 {
		return text
	}
	return value.ReplaceAllStringFunc(text, func(place string) string {
		if i := int(place[1] - '0'); i < len(values) {
			return fmt.Sprint(values[i])
		}
		return place
	})
}

// Count is one for 1, else many with n as its value.
func (c *Catalogue) Count(n int, one, many string) string {
	if n == 1 {
		return c.T(one)
	}
	return c.T(many, n)
}

// Does is the text third about a person, whose name is its {0}, or the text you for one who
// is called You: "{0} wins", "you win". The other values are {1} and so on.
func (c *Catalogue) Does(name, third, you string, values ...any) string {
	values = append([]any{name}, values...)
	if !strings.EqualFold(strings.TrimSpace(name), "you") {
		return c.T(third, values...)
	}
	return sameCase(c.T(you, values...), name)
}

// Who is a person's name, or in the language of c "you" or "You".
func (c *Catalogue) Who(name string) string {
	if c == nil || !strings.EqualFold(name, "you") {
		return name
	}
	return sameCase(c.T("you"), name)
}

// sameCase begins text in upper case where like does.
func sameCase(text, like string) string {
	if like = strings.TrimSpace(like); like != "" && unicode.IsUpper(rune(like[0])) {
		return Capital(text)
	}
	return text
}

// Capital begins a text in upper case.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

var figures = regexp.MustCompile(`\d+\.\d+%?|\d+%`)

// Number writes the decimal points and per cent signs of printed figures as the language
// does: "+0,123", "61,2 %".
func (c *Catalogue) Number(text string) string {
	if c == nil || !strings.ContainsAny(text, ".%") {
		return text
	}
	return figures.ReplaceAllStringFunc(text, func(found string) string {
		found, hundredths := strings.CutSuffix(found, "%")
		if whole, rest, ok := strings.Cut(found, "."); ok {
			found = c.T(decimal, whole, rest)
		}
		if hundredths {
			return c.T(percent, found)
		}
		return found
	})
}

// Format is fmt.Sprintf for figures, with Number.
func (c *Catalogue) Format(format string, v ...any) string {
	return c.Number(fmt.Sprintf(format, v...))
}

var isoDate = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)$`)

// Date writes YYYY-MM-DD as the language does; other texts stay as they are.
func (c *Catalogue) Date(text string) string {
	if m := isoDate.FindStringSubmatch(text); m != nil && c != nil {
		return c.T(date, m[1], m[2], m[3])
	}
	return text
}

// maxFile bounds a file of texts in bytes.
const maxFile = 4 << 20

// Load reads a catalogue from a file called LANGUAGE.json: an object with English texts and
// their translations.
func Load(file string) (*Catalogue, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fileerr.Plain(err)
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s: larger than %d MB (not a file of texts)", file, maxFile>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fileerr.Plain(err)
	}
	c, err := Read(strings.ToLower(strings.TrimSuffix(filepath.Base(file), ".json")), data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// Read reads the texts of a language, see Load.
func Read(lang string, data []byte) (*Catalogue, error) {
	c := &Catalogue{lang: lang, texts: map[string]string{}}
	if err := json.Unmarshal(data, &c.texts); err != nil {
		line := 0
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			line = 1 + bytes.Count(data[:syntax.Offset], []byte("\n"))
		case errors.As(err, &kind):
			line = 1 + bytes.Count(data[:kind.Offset], []byte("\n"))
			err = fmt.Errorf("want an object of texts, found a %s", kind.Value)
		}
		return nil, fmt.Errorf("line %d: not a file of texts: %w", line, err)
	}
	for _, key := range slices.Sorted(maps.Keys(c.texts)) {
		if !slices.Equal(values(key), values(c.texts[key])) {
			return nil, fmt.Errorf("%q is translated as %q, with other values (keep each {0}, {name})", key, c.texts[key])
		}
	}
	return c, nil
}

var named = regexp.MustCompile(`\{\w+\}`)

// values are the places of values in a text, in order.
func values(text string) []string {
	found := named.FindAllString(text, -1)
	slices.Sort(found)
	return found
}

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
