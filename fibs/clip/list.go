package clip

import (
	"strings"
	"sync"
)

// figureRows are the rows of stat, average and dicetest that begin with a figure which is
// not a code, such as "1234 accounts", "23:00-00:00 ...", "6: 1667" and "6-1 278".
var figureRows = sync.OnceValue(func() *table {
	return newTable(known("{number} bytes{any}", "{number} accounts{any}", "{number} ratings saved{any}", "{number} registered users{any}",
		"{number}({number}) saved games {any}", "{number}: ~{number}{any}", "{number}-1 ~{number}{any}", "{number}:{number}-{number}:{any}"))
})

// indentedRows are the lines that begin with blanks, without these.
var indentedRows = sync.OnceValue(func() *table {
	return newTable(append([]pattern{
		{"opponent {any}matchlength{any}", Event{Kind: SavedHeader}},
		{"One account per person only!", Event{Kind: Banner}},
		// A compatible server that lost the opponent's name.
		{"gives up. You win " + won, Event{Kind: GameOver, Name: You, Result: ByDrop}},
		{"gives up. {name} win[s] " + won, Event{Kind: GameOver, Result: ByDrop}},
	}, known(
		"rank name {any}", "Goodbye.", "Thanks for playing.",
		"Last login:~{any}", "Last logout:~{any}", "Still logged in. {any} idle", "Not logged in right now",
		"Rating:~{decimal} Experience:~{number}", "Email address: {word}", "No email address",
		"{name} is away: {any}", "{name} is playing with {other}",
		"{name} is ready to play, {any}, not playing", "{name} is not ready to play, {any}, not playing",
		"{number} {name} ~{decimal} ~{number}",     // ratings
		"{number} ~{word} ~{name} ~{decimal}{any}", // who
	)...))
})

// indented reads the lines that begin with a blank: rows of lists.
func indented(e *Event, line string) bool {
	if stars, row := 0, line; strings.HasPrefix(line, " *") || strings.HasPrefix(line, "  ") {
		if line[1] == '*' {
			stars = 1
		}
		if savedRow(e, row[2:], stars) {
			return true
		}
	}
	_, ok := indentedRows().read(e, strings.TrimLeft(line, " \t"))
	return ok
}

// savedRow reads a row of show saved behind its stars.
func savedRow(e *Event, line string, stars int) bool {
	c := cursor{line}
	*e = Event{Kind: SavedRow, Count: stars}
	return c.name(&e.Name) && c.blanks() && c.length(&e.Length) && c.blanks() &&
		c.num(&e.Score[0]) && c.blanks() && c.lit("-") && c.blanks() && c.num(&e.Score[1]) && c.end()
}
