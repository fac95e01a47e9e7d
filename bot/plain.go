package bot

import (
	"context"
	"fmt"
	"slices"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
)

// Plain is the simplest Conduct. It accepts matches of Min to Max points, and unlimited ones
// if Unlimited is set, resumes saved matches as soon as the opponent is online, and invites
// at most one player. The zero value accepts no new match. One Plain serves one account.
type Plain struct {
	Min, Max  int
	Unlimited bool

	// Invite is the player to invite to matches of Length points (0 unlimited) while both
	// are free, every Every (200 ms by default), until Matches have been played (0 for no
	// limit). Unseen invites without knowing whether the player is online.
	Invite  string
	Length  int
	Every   time.Duration
	Matches int
	Unseen  bool
	// Open opens matches of Length points for any player, every Every at most, on servers
	// without invitations.
	Open bool
	// Backoff bounds the waits between connections: 5 s to 5 min by default.
	Backoff Backoff
	// Seen, if set, is called with every Observation.
	Seen func(Observation)

	played int
	next   time.Time // earliest time of the next invitation
}

// Step implements Conduct.
func (p *Plain) Step(t *table.Table, due *table.Due, _ *protocol.Event, now time.Time) time.Time {
	list := due.Invitations
	due.Invitations = nil
	for _, inv := range list {
		if why := p.refusal(inv); why != "" {
			due.Add(t.Refuse(inv, why))
			continue
		}
		due.Add(t.Accept(inv, now))
	}
	if due.Over != nil {
		p.played++
		p.next = time.Time{}
	}
	return p.seek(t, due, now)
}

// refusal returns the reply to an invitation that is not accepted, or "".
func (p *Plain) refusal(inv table.Invitation) string {
	offer := "I accept no new matches now."
	if p.Max > 0 {
		offer = fmt.Sprintf("Please invite me to %d to %d points.", max(1, p.Min), p.Max)
	}
	switch {
	case inv.Resume || inv.Saved, inv.Unlimited && p.Unlimited:
		return ""
	case inv.Unlimited:
		return "Sorry, I do not play unlimited matches. " + offer
	case inv.Length < p.Min || inv.Length > p.Max:
		return fmt.Sprintf("Sorry, I do not play %d-point matches. %s", inv.Length, offer)
	}
	return ""
}

// seek invites a player or opens a match while the table is free.
func (p *Plain) seek(t *table.Table, due *table.Due, now time.Time) time.Time {
	if !t.Free() {
		return time.Time{}
	}
	name := p.partner(t)
	if name == "" && !p.Open {
		return time.Time{} // a line about a new player leads to the next step
	}
	if now.Before(p.next) {
		return p.next
	}
	every := p.Every
	if every <= 0 {
		every = 200 * time.Millisecond
	}
	p.next = now.Add(every)
	if name == "" {
		due.Add(t.Open(p.Length, ""))
	} else {
		due.Add(t.Invite(name, p.Length, now))
	}
	return p.next
}

// partner returns whom to invite now, or "". Players with a saved match come first, in the
// order of their names.
func (p *Plain) partner(t *table.Table) string {
	var saved []string
	for name, u := range t.Lobby().All() {
		if u.Available() && t.SavedWith(name) {
			saved = append(saved, name)
		}
	}
	if len(saved) > 0 {
		return slices.Min(saved)
	}
	if p.Invite == "" || p.Matches > 0 && p.played >= p.Matches {
		return ""
	}
	if u, _ := t.Lobby().User(p.Invite); !p.Unseen && !u.Available() {
		return ""
	}
	return p.Invite
}

// Told implements Conduct.
func (p *Plain) Told(n News) {
	if m, ok := n.(Observation); ok && p.Seen != nil {
		p.Seen(m)
	}
}

// Waits implements Conduct.
func (p *Plain) Waits() Backoff { return p.Backoff }

// Rest implements Conduct.
func (p *Plain) Rest(ctx context.Context, end Ending) {
	select {
	case <-ctx.Done():
	case <-time.After(end.Wait):
	}
}
