package config

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"fibsbot/internal/texts"
)

// Catalogue has the texts of manners.language, nil for English.
func (c *Config) Catalogue() *texts.Catalogue {
	found, _ := texts.Find(c.Manners.Language)
	return found
}

// T returns a sentence of the bot in manners.language, in the letters that servers carry.
func (c *Config) T(key string, values ...any) string {
	return PlainASCII(c.Catalogue().T(key, values...))
}

// written are letters that a language writes with others where they are missing.
var written = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss", "å", "aa", "Å", "Aa", "æ", "ae", "Æ", "Ae",
	"ø", "oe", "Ø", "Oe", "œ", "oe", "Œ", "Oe", "¿", "", "¡", "", "«\u00a0", `"`, "\u00a0»", `"`, "«", `"`, "»", `"`, "„", `"`, "“", `"`, "”", `"`, "’", "'", "–", "-", "−", "-",
	"\u00a0", " ", "\u202f", " ", "…", "...")

// PlainASCII writes a text in ASCII: ä as ae, é as e. What has no such form stays.
func PlainASCII(text string) string {
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

// usual is Default, to be read only.
var usual = sync.OnceValue(Default)

// translate puts the default texts into manners.language; what differs from them stays.
func (c *Config) translate() {
	if c.Catalogue() == nil {
		return
	}
	for n, part := range c.said() {
		v, english := reflect.ValueOf(part).Elem(), reflect.ValueOf(usual().said()[n]).Elem()
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
	out := slices.Clone(watchWords)
	for _, part := range usual().said() {
		visit(reflect.ValueOf(part).Elem(), "", "", func(v reflect.Value, field string, _ reflect.StructTag) {
			if v.Kind() == reflect.String && field != "language" && v.String() != "" {
				out = append(out, v.String())
			}
		})
	}
	return out
}

// language checks the name of a language.
func (k *checker) language(name, field string) {
	found, ok := texts.Find(name)
	k.want(ok, field, "unknown language %.40q (use %s)", name, strings.Join(latin(), ", "))
	k.want(!ok || readable(found), field, "servers carry no letters of %q (use %s)", name, strings.Join(latin(), ", "))
}

// readable reports whether a language can be written in ASCII.
func readable(c *texts.Catalogue) bool {
	return !slices.ContainsFunc(Sentences(), func(text string) bool {
		return strings.ContainsFunc(PlainASCII(c.T(text)), func(r rune) bool { return r > unicode.MaxASCII })
	})
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

// Say holds the reasons of refusals in words, one for each rule that refuses.
// The tag fill lists the placeholders a text may hold besides SayPlaceholders.
type Say struct {
	Paused         string `yaml:"paused" default:"I am taking a break" doc:"An owner paused the bot."`
	Blocked        string `yaml:"blocked" default:"I do not play with you" doc:"opponents.block, block_file and block_url."`
	SavedOnly      string `yaml:"saved_only" default:"I am only finishing saved matches at the moment" doc:"saved.only: no new matches."`
	Unlimited      string `yaml:"unlimited" default:"I do not play unlimited matches; {min} to {max} points are fine" doc:"An unlimited match without invitations.unlimited. Also {min} {max}, the lengths accepted." fill:"min,max"`
	Length         string `yaml:"length" default:"I play matches of {min} to {max} points" doc:"Shorter or longer than invitations.length. Also {min} {max}." fill:"min,max"`
	LengthDenied   string `yaml:"length_denied" default:"I do not play {length}-point matches; other lengths from {min} to {max} are fine" doc:"A length in invitations.length.deny. Also {min} {max}." fill:"min,max"`
	BotsDenied     string `yaml:"bots_denied" default:"I play people, not programs" doc:"A program, with opponents.bots: deny."`
	BotsOnly       string `yaml:"bots_only" default:"I play only programs" doc:"A person, with opponents.bots: only."`
	Hours          string `yaml:"hours" default:"I play at {hours}" doc:"Outside invitations.hours. Also {hours}." fill:"hours"`
	PerDay         string `yaml:"per_day" default:"I have played my {limit} matches for today" doc:"invitations.per_day is used up. Also {limit}." fill:"limit"`
	RatingLow      string `yaml:"rating_low" default:"I play opponents rated {limit} or more; you are rated {value}" doc:"Below invitations.rating. Also {limit}, and {value}, the inviter's." fill:"limit,value"`
	RatingHigh     string `yaml:"rating_high" default:"I play opponents rated up to {limit}; you are rated {value}" doc:"Above invitations.rating. Also {limit} {value}." fill:"limit,value"`
	ExperienceLow  string `yaml:"experience_low" default:"I play opponents with an experience of {limit} or more; yours is {value}" doc:"Below invitations.experience. Also {limit} {value}." fill:"limit,value"`
	ExperienceHigh string `yaml:"experience_high" default:"I play opponents with an experience of up to {limit}; yours is {value}" doc:"Above invitations.experience. Also {limit} {value}." fill:"limit,value"`
	Rule           string `yaml:"rule" default:"I do not accept this match" doc:"A rule of invitations.rules without a text of its own."`
	MaxSaved       string `yaml:"max_saved" default:"you have {value} unfinished matches (I accept fewer than {limit}); please finish some first" doc:"opponents.max_saved. Also {limit}, and {value}, the inviter's unfinished matches." fill:"limit,value"`
	Drops          string `yaml:"drops" default:"you left {value} of our matches unfinished" doc:"opponents.max_drop_share. Also {value}, the matches left." fill:"value"`
	RepBot         string `yaml:"repbot" default:"{repbot} warns of unfinished matches" doc:"opponents.repbot. Also {repbot}, its name, {limit} {value}." fill:"repbot,limit,value"`
	Void           string `yaml:"void" default:"our saved match is damaged on the server; please invite me to a new one, which replaces it" doc:"A saved match that cannot be played on: the server cannot load it, or its board is impossible."`
	Stalled        string `yaml:"stalled" default:"you let me wait in vain {value} times; please invite me again in {wait}" doc:"opponents.pause, for a player who did not move. Also {value}, how often, {minutes} {wait}." fill:"value,minutes,wait"`
	Resigned       string `yaml:"resigned" default:"you resigned {value} of our matches at once; please invite me again in {wait}" doc:"opponents.pause, for a player who resigns at once. Also {value}, how often, {minutes} {wait}." fill:"value,minutes,wait"`
	Again          string `yaml:"again" default:"we have played {limit} matches; let us go on in {wait}" doc:"opponents.limit. Also {limit}, {minutes} to wait, and {wait}, the same in English words." fill:"limit,minutes,wait"`
}

// sayPlaceholders are the placeholders of every text under invitations.say.
var sayPlaceholders = []string{"me", "opponent", "length"}

// check implements checked: no reason may be empty.
func (s Say) check(k *checker, field string) {
	v := reflect.ValueOf(s)
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		field, text := join(field, tag.Get("yaml")), v.Field(i).String()
		allowed := sayPlaceholders
		if own := tag.Get("fill"); own != "" {
			allowed = append(strings.Split(own, ","), allowed...)
		}
		k.text(field, text, allowed...)
		k.want(strings.TrimSpace(text) != "", field, "must not be empty: it tells players why they are refused")
	}
}

// text checks a template.
func (k *checker) text(field, t string, allowed ...string) {
	if rest := placeholder.ReplaceAllString(t, ""); strings.ContainsAny(rest, "{}") {
		k.fail(field, "unbalanced brace (placeholders are written {%s})", cmp.Or(append(allowed, "name")...))
	}
	if bad, ok := unknownPlaceholder(t, allowed); ok {
		known := "this text has no placeholders"
		if len(allowed) > 0 {
			known = "use {" + strings.Join(allowed, "}, {") + "}"
		}
		k.fail(field, "unknown placeholder {%s} (%s)", bad, known)
	}
	k.want(!strings.ContainsAny(t, "\r\n"), field, "must be one line")
	k.want(len(t) <= 400, field, "is longer than 400 characters")
	if i := strings.IndexFunc(t, func(r rune) bool { return r > '~' || r < ' ' && r != '\r' && r != '\n' }); i >= 0 {
		r, _ := utf8.DecodeRuneInString(t[i:])
		k.fail(field, "holds %q: FIBS carries printable ASCII only", r)
	}
}

// check implements checked.
func (m Manners) check(k *checker, _ string) {
	k.want(len(m.Greeting) <= 5, "manners.greeting", "more than 5 lines")
	k.want(len(m.Resume) <= 5, "manners.resume", "more than 5 lines")
	k.want(len(m.Farewell) <= 5, "manners.farewell", "more than 5 lines")
	for _, must := range []struct{ field, text string }{{"manners.refuse", m.Refuse}, {"manners.busy", m.Busy}, {"manners.draining", m.Draining}} {
		k.want(strings.TrimSpace(must.text) != "", must.field, "must not be empty: it tells players why they are refused")
	}
	k.want(strings.TrimSpace(m.Refuse) == "" || strings.Contains(m.Refuse, "{reason}"), "manners.refuse", "lacks {reason}")
	for i, name := range m.LevelOnRequest {
		k.preset(fmt.Sprintf("manners.level_on_request[%d]", i), name)
	}
}

// check implements checked.
func (w Watch) check(k *checker, _ string) {
	k.preset("watch.preset", w.Preset)
	k.want(!w.Enabled || len(w.Players) > 0, "watch.players", "no players (name players, best or any)")
	for _, word := range slices.Sorted(maps.Keys(w.Texts.Words)) {
		k.want(slices.Contains(watchWords, word), "watch.texts.words."+word, "unknown word%s", suggest(word, watchWords))
	}
}
