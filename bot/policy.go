package bot

import (
	"fmt"
	"time"

	"fibsbot/bot/protocol"
	"fibsbot/bot/sheet"
	"fibsbot/bot/table"
)

// Verdict is what the policy says to an invitation. Say is what the inviter is
// told when the answer is no; it is never empty then.
type Verdict struct {
	Accept bool
	Rule   string // the rule that decided, for logs and statistics
	Say    string
}

// Policy decides with whom to play. Its methods are called from the account's
// goroutine and must not block.
type Policy interface {
	// Consider answers an invitation.
	Consider(inv table.Invitation, now time.Time) Verdict
	// Partner names somebody to invite while the bot is free, and the length
	// (0 unlimited); ok false when nobody. who tells what is known of a user.
	Partner(who func(name string) (protocol.User, bool), now time.Time) (name string, length int, ok bool)
	// MatchOver tells the policy that a match has ended.
	MatchOver(s *sheet.Sheet, now time.Time)
}

// Range is the simple policy: it accepts matches of Min to Max points, and
// unlimited ones when Unlimited is set, resumes whatever is saved, and invites
// nobody. The zero value accepts nothing new.
type Range struct {
	Min, Max  int
	Unlimited bool
}

// Consider implements Policy.
func (r Range) Consider(inv table.Invitation, _ time.Time) Verdict {
	switch {
	case inv.Resume || inv.Saved:
		return Verdict{Accept: true, Rule: "saved.resume"}
	case inv.Unlimited && r.Unlimited:
		return Verdict{Accept: true, Rule: "invitations.unlimited"}
	case inv.Unlimited:
		return Verdict{Rule: "invitations.unlimited", Say: fmt.Sprintf("Sorry, I play no unlimited matches. %s", r.offer())}
	case inv.Length < r.Min || inv.Length > r.Max:
		return Verdict{Rule: "invitations.length", Say: fmt.Sprintf("Sorry, I do not play %d-point matches. %s", inv.Length, r.offer())}
	}
	return Verdict{Accept: true, Rule: "invitations.length"}
}

func (r Range) offer() string {
	if r.Max <= 0 {
		return "I accept no new matches now."
	}
	return fmt.Sprintf("Please invite me to %d to %d points.", max(1, r.Min), r.Max)
}

// Partner implements Policy: it invites nobody.
func (Range) Partner(func(string) (protocol.User, bool), time.Time) (string, int, bool) {
	return "", 0, false
}

// MatchOver implements Policy.
func (Range) MatchOver(*sheet.Sheet, time.Time) {}
