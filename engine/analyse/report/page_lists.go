package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// smallest is the loss from which a decision is in the list of errors; the page shows
// those from Doubtful on unless it is asked for more.
const smallest = 0.02

// errors lists what lost equity, in the order of the match.
func (b *pageBuilder) errors() {
	add := func(list *[]htmlOption, s string) {
		o := htmlOption{Value: s, Text: b.c.Phrase(s)}
		if o.Text == s && list != &b.page.ErrorFaults {
			o.Value = ""
		}
		if s != "" && !slices.Contains(*list, o) {
			*list = append(*list, o)
		}
	}
	for i := range b.all {
		d := &b.all[i]
		if d.Loss() < smallest && d.Mark == "" {
			continue
		}
		e := htmlError{
			Step: d.n, Game: d.game + 1, Player: d.Player ^ b.me, Name: b.c.Who(b.m.Players[d.Player].Name), Kind: "cube", Fault: d.Fault,
			Phase: d.Phase, Plan: d.Plan, Dice: strings.TrimSpace(diceWord(d.Dice)), Played: b.c.Phrase(d.Played), Best: b.c.Phrase(d.Best),
			Loss: b.c.Format("%.3f", d.Loss()), Size: fmt.Sprintf("%.4f", d.Loss()), Mark: d.Mark, Sign: markSigns[d.Mark], Small: d.Mark == "",
		}
		if d.Kind == "checker" {
			e.Kind = "checker"
		}
		if d.ErrorMWC != nil {
			e.MWC = b.c.Format("%.2f%%", 100**d.ErrorMWC)
		}
		e.About = b.c.Phrase(d.Phase) + ", " + b.c.Phrase(d.Plan)
		if d.Fault != "" {
			e.About = b.c.Phrase(d.Fault) + ", " + e.About
		}
		add(&b.page.ErrorPhases, d.Phase)
		add(&b.page.ErrorPlans, d.Plan)
		add(&b.page.ErrorFaults, d.Fault)
		b.page.Errors = append(b.page.Errors, e)
	}
}

// rolls are a player's luckiest and unluckiest, five each.
func (b *pageBuilder) rolls(p int) htmlRolls {
	var list []*step
	for i := range b.all {
		if d := &b.all[i]; d.Player == p && d.Luck != nil {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(x, y *step) int { return cmp.Compare(*y.Luck, *x.Luck) })
	out := htmlRolls{Name: b.c.Who(b.m.Players[p].Name)}
	roll := func(d *step) htmlRoll {
		return htmlRoll{Step: d.n, Where: b.c.T("game {0}", d.game+1), Dice: strings.TrimSpace(diceWord(d.Dice)), Play: b.c.Phrase(d.Played), Luck: printed(b.c, *d.Luck)}
	}
	for k := 0; k < min(5, len(list)) && *list[k].Luck > 0; k++ {
		out.Best = append(out.Best, roll(list[k]))
	}
	for k := len(list) - 1; k >= max(0, len(list)-5) && *list[k].Luck < 0; k-- {
		out.Worst = append(out.Worst, roll(list[k]))
	}
	return out
}

// marks has a letter for each step: very bad, bad, doubtful or o, a capital for the player at
// the top.
func (b *pageBuilder) marks() string {
	out := make([]byte, len(b.all))
	for i := range b.all {
		d := &b.all[i]
		if out[i] = cmp.Or(d.Mark, "ok")[0]; d.Player != b.me {
			out[i] -= 'a' - 'A'
		}
	}
	return string(out)
}

// places are the numbers of the steps in their games, as in "1,2,4;1,3".
func (b *pageBuilder) places() string {
	games := make([][]string, len(b.s.Games))
	for i := range b.all {
		d := &b.all[i]
		games[d.game] = append(games[d.game], fmt.Sprint(d.Number))
	}
	out := make([]string, len(games))
	for i, g := range games {
		out[i] = strings.Join(g, ",")
	}
	return strings.Join(out, ";")
}
