package record

import "strings"

// Does joins a player's name with what he does, a verb as in "they play": "anna plays". A
// program may call the one who sits at it You, and he plays nothing: "You play".
func Does(name, verb string) string {
	if strings.EqualFold(strings.TrimSpace(name), "you") {
		return name + " " + verb
	}
	for _, hiss := range []string{"s", "sh", "ch", "x"} {
		if strings.HasSuffix(verb, hiss) {
			return name + " " + verb + "es"
		}
	}
	return name + " " + verb + "s"
}
