package config

import (
	"reflect"
	"strings"
)

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
