package ops

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"fibsbot/internal/figure"
)

// Print writes the status for a person: a line for the process and one for each
// account. now is what ages are counted from.
func (s Status) Print(w io.Writer, now time.Time) error {
	state := "running"
	if s.Draining {
		state = "leaving"
	}
	if _, err := fmt.Fprintf(w, "fibsbot %s %s for %s, %s\n", s.Version, state, now.Sub(s.Started).Round(time.Second), s.Config); err != nil {
		return err
	}
	if s.ConfigError != "" {
		fmt.Fprintf(w, "the last reload failed: %s\n", s.ConfigError)
	}
	if s.IndexError != "" {
		fmt.Fprintf(w, "the index does not work: %s\n", s.IndexError)
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "ACCOUNT\tSTATE\tRATING\tWON\tMATCH\tPRESET\tLAST LINE\tNOTE")
	for _, a := range s.Accounts {
		match := a.Match
		if a.Opponent != "" {
			match = a.Opponent + " " + match
		}
		last := ""
		if !a.LastLine.IsZero() {
			last = now.Sub(a.LastLine).Round(time.Second).String() + " ago"
		}
		note := cmp.Or(a.Error, a.Waiting)
		if a.Journal != "" && a.Waiting == "" {
			note = a.Journal // its end is what it waits for
		}
		switch {
		case note != "":
		case a.Leaving:
			note = "leaving"
		case a.Paused:
			note = "paused"
		}
		if note == "" && a.NotInviting != "" {
			note = "invites no one: " + a.NotInviting
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%d/%d\t%s\t%s\t%s\t%s\n", a.Name, a.State, figure.If(a.Rating > 0, a.Rating).Text("%.2f"), a.Won, a.Finished, match, a.Preset, last, note)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, a := range s.Accounts {
		for _, p := range a.LeftAlone {
			until := ""
			if !p.Until.IsZero() {
				until = ", until " + p.Until.Local().Format("2006-01-02 15:04")
			}
			if _, err := fmt.Fprintf(w, "%s leaves %s alone: %s%s\n", a.Name, p.Name, p.Why, until); err != nil {
				return err
			}
		}
	}
	return nil
}
