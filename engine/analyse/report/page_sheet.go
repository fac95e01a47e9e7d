package report

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"fibsbot/engine/record"
	"fibsbot/internal/texts"
)

// phoneColumn is how many letters of a play a column of a sheet holds on a phone before it
// takes a second line.
const phoneColumn = 18

// sheet is a game in two columns, the player at the bottom first, a link for each decision; lines and phone are how many
// lines it takes on a screen and on a phone, from which the browser knows its height before
// it lays it out.
func (b *pageBuilder) sheet(i int) (sheet template.HTML, lines, phone int) {
	var out markup
	var row [2]template.HTML
	n := 0
	flush := func() {
		if row != [2]template.HTML{} {
			n++
			phone += max(1, (max(letters(row[0]), letters(row[1]))+phoneColumn-1)/phoneColumn)
			out.put("<tr><th>%d<td>%s<td>%s\n", n, row[0], row[1])
			row = [2]template.HTML{}
		}
	}
	put := func(player int, cell template.HTML) {
		p := player ^ b.me
		if row[p] != "" || p == 0 && row[1] != "" {
			flush()
		}
		row[p] = cell
	}
	for k := range b.s.Games[i].Decisions {
		t := &b.s.Games[i].Decisions[k].Turn
		var cell template.HTML
		if c := b.cubes[i][t.Index]; c > 0 {
			cell = b.link(c, "◇", " q")
		}
		switch t.Action.Kind {
		case record.Double:
			cube := max(t.State.Cube, 1) << (t.Pending + 1)
			cell = b.link(b.first[i][t.Index], b.c.T(raises[min(t.Pending, 2)], cube), "")
		case record.Take:
			cell = b.link(b.first[i][t.Index], b.c.T("Takes"), "")
		case record.Drop:
			cell = b.link(b.first[i][t.Index], b.c.T("Passes"), "")
		case record.Move:
			d := &b.all[b.first[i][t.Index]-1]
			cell += b.link(d.n, fmt.Sprintf("%d%d: %s", d.Dice[0], d.Dice[1], strings.Replace(d.Played, "cannot move", "–", 1)), "") + luckSign(b.c, d.luck)
		case record.Roll:
			cell = escaped("%d%d:", t.Action.Dice.Sorted().A, t.Action.Dice.Sorted().B)
		case record.SetUp:
			cell = escaped("<i>%s</i>", b.c.T("position set up"))
		}
		put(t.Player, cell)
	}
	if c := b.first[i][-1]; c > 0 {
		put(b.all[c-1].Player, b.link(c, b.c.T("Resigns"), ""))
	}
	flush()
	return out.html(), n, phone
}

// raises are the texts of a double by how many doubles wait for their answer.
var raises = [...]string{texts.Key("Doubles to {0}"), texts.Key("Beavers to {0}"), texts.Key("Raccoons to {0}")}

// letters counts what of a piece of HTML is seen.
func letters(s template.HTML) (n int) {
	tag := false
	for _, r := range s {
		switch {
		case r == '<':
			tag = true
		case r == '>':
			tag = false
		case !tag:
			n++
		}
	}
	return n
}

// ownMark is a mark of the user's own, with which a comment begins.
var ownMark = regexp.MustCompile(`^(?:\?\?|\?!|\?|!\?|!!|!)(?:\s|$)`)

// link leads to a step and shows its mark.
func (b *pageBuilder) link(n int, text, class string) template.HTML {
	d := &b.all[n-1]
	if d.illegal {
		text += " " + b.c.T("(illegal)")
	}
	var note template.HTML
	if own := ownMark.FindString(d.Comment); own != "" {
		note = escaped(`<b class=my title="%s">%s</b>`, b.c.T("your mark"), strings.TrimSpace(own))
	}
	if d.Comment != "" {
		note += escaped(`<i class=cm title="%s">❝</i>`, b.c.T("comment"))
	}
	if s := markSigns[d.Mark]; s != "" {
		return escaped(`<a href=#d%d class="%s%s">%s<b>%s</b></a>%s`, n, d.Mark, class, text, s, note)
	}
	if class != "" {
		return escaped(`<a href=#d%d class="%s">%s</a>%s`, n, strings.TrimSpace(class), text, note)
	}
	return escaped(`<a href=#d%d>%s</a>%s`, n, text, note)
}
