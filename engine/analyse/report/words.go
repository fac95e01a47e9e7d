package report

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/internal/texts"
)

// Won is the sentence on who won how many points.
func Won(c *texts.Catalogue, name string, points int) string {
	if points == 1 {
		return c.Does(name, texts.Key("{0} wins 1 point"), texts.Key("you win 1 point"))
	}
	return c.Does(name, texts.Key("{0} wins {1} points"), texts.Key("you win {1} points"), points)
}

// HowEnded is what follows Won of a game that did not end on the board or by a pass.
func HowEnded(c *texts.Catalogue, g *record.Game) string {
	switch {
	case g.GivenUp():
		return c.T(" by resignation")
	case g.Result.Finished() && g.Result.Resigned:
		return c.T(", not played to the end")
	}
	return ""
}

// Plays is the sentence on who plays which dice.
func Plays(c *texts.Catalogue, name string, dice []int) string {
	return c.Does(name, texts.Key("{0} plays {1}"), texts.Key("you play {1}"), fmt.Sprintf("%d%d", dice[0], dice[1]))
}

// resigns is the sentence on who resigns what; played is that of the row.
func resigns(c *texts.Catalogue, name, played string) string {
	switch played {
	case "resigns a gammon":
		return c.Does(name, texts.Key("{0} resigns a gammon"), texts.Key("you resign a gammon"))
	case "resigns a backgammon":
		return c.Does(name, texts.Key("{0} resigns a backgammon"), texts.Key("you resign a backgammon"))
	case "resigns":
		return c.Does(name, texts.Key("{0} resigns"), texts.Key("you resign"))
	}
	return c.Does(name, texts.Key("{0} resigns"), texts.Key("you resign")) + c.Phrase(played)
}

// marker is a text of page.html and page.css.
var marker = regexp.MustCompile(`\[\[(.+?)\]\]`)

// translated puts texts in the language of c into a source, each as write writes it.
func translated(source string, c *texts.Catalogue, write func(string) string) string {
	return marker.ReplaceAllStringFunc(source, func(found string) string { return write(c.T(found[2 : len(found)-2])) })
}

// cssText makes a text fit for a string of a style sheet.
func cssText(text string) string {
	return strings.NewReplacer(`\`, ``, `"`, ``, "\n", " ", "\r", " ", "\f", " ", "<", ``).Replace(text)
}

// templateText makes a text fit for the source of a template of HTML.
func templateText(text string) string { return strings.ReplaceAll(esc(text), "{", "&#123;") }

// startScript is the last line of the script of a page, with the texts that it needs.
func startScript(c *texts.Catalogue) string {
	if c == nil {
		return "review(document);"
	}
	list := map[string]string{}
	for _, found := range inScript.FindAllStringSubmatch(scriptSource, -1) {
		list[found[1]] = c.T(found[1])
	}
	data, err := json.Marshal(list) // escapes < and >
	if err != nil {
		panic(err) // a map of texts
	}
	return "review(document,{texts:" + string(data) + "});"
}

// inScript finds the texts of page.js.
var inScript = regexp.MustCompile(`say\('([^']+)'`)

// Keys returns the texts of the page, its style and its script, for the list of all texts.
func Keys() (out []string) {
	for _, found := range marker.FindAllStringSubmatch(pageSource+styleSource+indexHead+indexPlayers+indexMatches+indexFoot, -1) {
		out = append(out, found[1])
	}
	for _, found := range inScript.FindAllStringSubmatch(scriptSource, -1) {
		out = append(out, found[1])
	}
	return out
}
