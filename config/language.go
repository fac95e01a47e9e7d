package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// Say holds the reasons of refusals in words, one for each rule that refuses.
// The tag fill lists the placeholders a text may hold besides SayPlaceholders.
type Say struct {
	Paused         string `yaml:"paused" doc:"An owner paused the bot."`
	Blocked        string `yaml:"blocked" doc:"opponents.block, block_file and block_url."`
	SavedOnly      string `yaml:"saved_only" doc:"saved.only: no new matches."`
	Unlimited      string `yaml:"unlimited" doc:"An unlimited match without invitations.unlimited. Also {min} {max}, the lengths accepted." fill:"min,max"`
	Length         string `yaml:"length" doc:"Shorter or longer than invitations.length. Also {min} {max}." fill:"min,max"`
	LengthDenied   string `yaml:"length_denied" doc:"A length in invitations.length.deny. Also {min} {max}." fill:"min,max"`
	BotsDenied     string `yaml:"bots_denied" doc:"A program, with opponents.bots: deny."`
	BotsOnly       string `yaml:"bots_only" doc:"A person, with opponents.bots: only."`
	Hours          string `yaml:"hours" doc:"Outside invitations.hours. Also {hours}." fill:"hours"`
	PerDay         string `yaml:"per_day" doc:"invitations.per_day is used up. Also {limit}." fill:"limit"`
	RatingLow      string `yaml:"rating_low" doc:"Below invitations.rating. Also {limit}, and {value}, the inviter's." fill:"limit,value"`
	RatingHigh     string `yaml:"rating_high" doc:"Above invitations.rating. Also {limit} {value}." fill:"limit,value"`
	ExperienceLow  string `yaml:"experience_low" doc:"Below invitations.experience. Also {limit} {value}." fill:"limit,value"`
	ExperienceHigh string `yaml:"experience_high" doc:"Above invitations.experience. Also {limit} {value}." fill:"limit,value"`
	Rule           string `yaml:"rule" doc:"A rule of invitations.rules without a text of its own."`
	MaxSaved       string `yaml:"max_saved" doc:"opponents.max_saved. Also {limit}, and {value}, the inviter's unfinished matches." fill:"limit,value"`
	Drops          string `yaml:"drops" doc:"opponents.max_drop_share. Also {value}, the matches left." fill:"value"`
	RepBot         string `yaml:"repbot" doc:"opponents.repbot. Also {repbot}, its name, {limit} {value}." fill:"repbot,limit,value"`
	Void           string `yaml:"void" doc:"A saved match that cannot be played on: the server cannot load it, or its board is impossible."`
	Stalled        string `yaml:"stalled" doc:"opponents.pause, for a player who did not move. Also {value}, how often, {minutes} {wait}." fill:"value,minutes,wait"`
	Resigned       string `yaml:"resigned" doc:"opponents.pause, for a player who resigns at once. Also {value}, how often, {minutes} {wait}." fill:"value,minutes,wait"`
	Again          string `yaml:"again" doc:"opponents.limit. Also {limit}, {minutes} to wait, and {wait}, the same in English words." fill:"limit,minutes,wait"`
}

// sayPlaceholders are the placeholders of every text under invitations.say.
var sayPlaceholders = []string{"me", "opponent", "length"}

// defaultSay has the default reasons.
func defaultSay() Say {
	return Say{
		Paused:         "I am taking a break",
		Blocked:        "I do not play with you",
		SavedOnly:      "I am only finishing saved matches at the moment",
		Unlimited:      "I do not play unlimited matches; {min} to {max} points are fine",
		Length:         "I play matches of {min} to {max} points",
		LengthDenied:   "I do not play {length}-point matches; other lengths from {min} to {max} are fine",
		BotsDenied:     "I play people, not programs",
		BotsOnly:       "I play only programs",
		Hours:          "I play at {hours}",
		PerDay:         "I have played my {limit} matches for today",
		RatingLow:      "I play opponents rated {limit} or more; you are rated {value}",
		RatingHigh:     "I play opponents rated up to {limit}; you are rated {value}",
		ExperienceLow:  "I play opponents with an experience of {limit} or more; yours is {value}",
		ExperienceHigh: "I play opponents with an experience of up to {limit}; yours is {value}",
		Rule:           "I do not accept this match",
		MaxSaved:       "you have {value} unfinished matches (I accept fewer than {limit}); please finish some first",
		Drops:          "you left {value} of our matches unfinished",
		RepBot:         "{repbot} warns of unfinished matches",
		Void:           "our saved match is damaged on the server; please invite me to a new one, which replaces it",
		Stalled:        "you let me wait in vain {value} times; please invite me again in {wait}",
		Resigned:       "you resigned {value} of our matches at once; please invite me again in {wait}",
		Again:          "we have played {limit} matches; let us go on in {wait}",
	}
}

// say checks the reasons. None may be empty.
func (k *checker) say() {
	v := reflect.ValueOf(k.c.Invitations.Say)
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		field, text := "invitations.say."+tag.Get("yaml"), v.Field(i).String()
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

func (k *checker) manners() {
	m := &k.c.Manners
	k.language()
	lists := func(field string, l []string) {
		k.want(len(l) <= 5, field, "more than 5 lines")
		for i, t := range l {
			k.text(fmt.Sprintf("%s[%d]", field, i), t, placeholders...)
		}
	}
	lists("manners.greeting", m.Greeting)
	lists("manners.resume", m.Resume)
	lists("manners.farewell", m.Farewell)
	k.text("manners.thanks", m.Thanks, placeholders...)
	for _, must := range []struct{ field, text string }{{"manners.refuse", m.Refuse}, {"manners.busy", m.Busy}, {"manners.draining", m.Draining}} {
		k.text(must.field, must.text, placeholders...)
		k.want(strings.TrimSpace(must.text) != "", must.field, "must not be empty: it tells players why they are refused")
	}
	k.want(strings.TrimSpace(m.Refuse) == "" || strings.Contains(m.Refuse, "{reason}"), "manners.refuse", "lacks {reason}")
	k.text("manners.unlimited", m.Unlimited, placeholders...)
	k.text("manners.about", m.About, placeholders...)
	k.want(m.PerMinute >= 0 && m.PerMinute <= 30, "manners.per_minute", "must be 0 to 30")
	k.patterns("manners.owners", m.Owners)
	for i, name := range m.LevelOnRequest {
		k.preset(fmt.Sprintf("manners.level_on_request[%d]", i), name)
	}
}

func (k *checker) watch() {
	w := &k.c.Watch
	k.want(w.MinLoss >= 0, "watch.min_loss", "must not be negative")
	k.want(w.PerGame >= 0, "watch.per_game", "must not be negative")
	k.preset("watch.preset", w.Preset)
	k.patterns("watch.players", w.Players)
	k.patterns("watch.never", w.Never)
	k.want(!w.Enabled || len(w.Players) > 0, "watch.players", "no players (name players, best or any)")
	t := &w.Texts
	k.text("watch.texts.error", t.Error, ErrorPlaceholders...)
	k.text("watch.texts.small", t.Small, ErrorPlaceholders...)
	k.text("watch.texts.right", t.Right, rightPlaceholders...)
	k.text("watch.texts.game", t.Game, gamePlaceholders...)
	k.text("watch.texts.match", t.Match, sumPlaceholders...)
	k.text("watch.texts.stop", t.Stop)
	for _, word := range sortedKeys(t.Words) {
		field := "watch.texts.words." + word
		k.want(slices.Contains(watchWords, word), field, "unknown word%s", suggest(word, watchWords))
		k.text(field, t.Words[word])
	}
}
