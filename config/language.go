package config

import (
	"reflect"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"fibsbot/internal/texts"
)

// T returns a sentence of the bot in manners.language, in the letters that servers carry.
func (c *Config) T(key string, values ...any) string {
	return plainASCII(c.catalogue().T(key, values...))
}

func (c *Config) catalogue() *texts.Catalogue {
	found, _ := texts.Find(c.Manners.Language)
	return found
}

// written are letters that a language writes with others where they are missing.
var written = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss", "å", "aa", "Å", "Aa", "æ", "ae", "Æ", "Ae",
	"ø", "oe", "Ø", "Oe", "œ", "oe", "Œ", "Oe", "¿", "", "¡", "", "«\u00a0", `"`, "\u00a0»", `"`, "«", `"`, "»", `"`, "„", `"`, "“", `"`, "”", `"`, "’", "'", "–", "-", "−", "-",
	"\u00a0", " ", "\u202f", " ", "…", "...")

// plainASCII writes a text in ASCII: ä as ae, é as e. What has no such form stays.
func plainASCII(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(written.Replace(text)))
}

// said are the parts of a configuration whose texts are translated.
func (c *Config) said() []any { return []any{&c.Manners, &c.Invitations.Say, &c.Watch.Texts, &c.Idle} }

// translate puts the default texts into manners.language; what differs from them stays.
func (c *Config) translate() {
	if c.catalogue() == nil {
		return
	}
	usual := Default().said()
	for n, part := range c.said() {
		v, english := reflect.ValueOf(part).Elem(), reflect.ValueOf(usual[n]).Elem()
		for i := range v.NumField() {
			switch f := v.Field(i).Addr().Interface().(type) {
			case *string:
				if *f == english.Field(i).String() {
					*f = c.T(*f)
				}
			case *[]string:
				if list := english.Field(i).Interface().([]string); slices.Equal(*f, list) {
					for k := range *f {
						(*f)[k] = c.T((*f)[k])
					}
				}
			}
		}
	}
	if c.Watch.Texts.Words == nil {
		c.Watch.Texts.Words = map[string]string{}
	}
	for _, word := range watchWords {
		if own := c.T(word); own != word && c.Watch.Texts.Words[word] == "" {
			c.Watch.Texts.Words[word] = own
		}
	}
}

// Sentences returns the default texts and words of a bot, for the list of texts that are
// translated.
func Sentences() []string {
	c, out := Default(), append([]string{}, watchWords...)
	for _, part := range c.said() {
		v := reflect.ValueOf(part).Elem()
		for i := range v.NumField() {
			switch f := v.Field(i).Interface().(type) {
			case string:
				if v.Type().Field(i).Name != "Language" && f != "" {
					out = append(out, f)
				}
			case []string:
				out = append(out, f...)
			}
		}
	}
	return out
}

// language checks manners.language.
func (k *checker) language() {
	const field = "manners.language"
	name := k.c.Manners.Language
	found, ok := texts.Find(name)
	k.want(ok, field, "unknown language %.40q (use %s)", name, strings.Join(latin(), ", "))
	k.want(!ok || readable(found), field, "servers carry no letters of %q (use %s)", name, strings.Join(latin(), ", "))
}

// readable reports whether a language can be written in ASCII.
func readable(c *texts.Catalogue) bool {
	for _, text := range Sentences() {
		if strings.IndexFunc(plainASCII(c.T(text)), func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
			return false
		}
	}
	return true
}

// latin are the languages that can be written in ASCII.
func latin() (out []string) {
	for _, name := range texts.Languages() {
		if c, _ := texts.Find(name); readable(c) {
			out = append(out, name)
		}
	}
	return out
}
