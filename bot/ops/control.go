package ops

import (
	"fmt"
	"strings"
)

// OrderKind is an order that an operator may give to a running bot.
type OrderKind struct {
	Name  string
	Args  string // the words that follow, for usage texts
	Short string
	// Example has words that may follow the name, for help.
	Example string
	// Least and Most bound the number of words; Most is 0 for no bound if Least is above 0.
	Least, Most int
	// One: the order is for one account, which must be named if the bot runs several.
	One bool
}

// Orders are all orders, in the order of help.
var Orders = []OrderKind{
	{Name: "pause", Short: "Accept and offer no new matches"},
	{Name: "resume", Short: "Accept matches again, after pause or drain"},
	{Name: "drain", Short: "Finish what operations.drain says and log out"},
	{Name: "leave", Short: "Log out at once; a running match is left"},
	{Name: "say", Args: "TEXT...", Short: "Say something to the opponent at the board", Example: "good luck --account Robbie", Least: 1, One: true},
	{Name: "tell", Args: "PLAYER TEXT...", Short: "Tell a player something", Example: "bob good luck --account Robbie", Least: 2, One: true},
	{Name: "kibitz", Args: "TEXT...", Short: "Say something to all at the board", Example: "well rolled --account Robbie", Least: 1, One: true},
	{Name: "invite", Args: "PLAYER [LENGTH]", Short: "Invite a player, or resume the saved match", Example: "bob 5", Least: 1, Most: 2, One: true},
	{Name: "block", Args: "PLAYER [REASON...]", Short: "Refuse a player's invitations and invite him no more", Example: "bob stalls", Least: 1},
	{Name: "unblock", Args: "PLAYER", Short: "Accept a blocked player again", Example: "bob", Least: 1, Most: 1},
	{Name: "forget", Args: "PLAYER", Short: "Forget what is remembered about a player", Example: "bob", Least: 1, Most: 1},
	{Name: "reload", Short: "Read bot.yaml again"},
}

// Order is what an operator asks for. Command line and pages make one, Host.Control carries
// it out.
type Order struct {
	Order string `json:"order"` // the Name of an OrderKind
	// Account is a name, or name@server; empty means all accounts.
	Account string   `json:"account,omitempty"`
	Args    []string `json:"args,omitempty"`
	// By says who gives the order, for the log. The receiver sets it.
	By string `json:"-"`
}

// Check returns the kind of the order, or what is wrong with its name or its words.
func (o *Order) Check() (OrderKind, error) {
	var names []string
	for _, k := range Orders {
		if k.Name != o.Order {
			names = append(names, k.Name)
			continue
		}
		if len(o.Args) < k.Least || (k.Most > 0 || k.Least == 0) && len(o.Args) > k.Most {
			return k, fmt.Errorf("usage: %s", strings.TrimSpace(k.Name+" "+k.Args))
		}
		return k, nil
	}
	return OrderKind{}, fmt.Errorf("unknown order %q (use %s)", o.Order, strings.Join(names, ", "))
}

// Reply is the answer to an order.
type Reply struct {
	Order string `json:"order"`
	// Done reports whether the order was carried out, by every account that it was for.
	Done bool `json:"done"`
	// Answer is one line: what was done, or why not.
	Answer   string         `json:"answer"`
	Accounts []AccountReply `json:"accounts,omitempty"`
	// Misused: the order could not be understood, or named an unknown account.
	Misused bool `json:"misused,omitempty"`
}

// AccountReply is the answer of one account.
type AccountReply struct {
	Account string `json:"account"`
	Done    bool   `json:"done"`
	Answer  string `json:"answer"`
}

// Misuse is the reply to an order that cannot be understood.
func Misuse(o *Order, err error) Reply {
	return Reply{Order: o.Order, Answer: err.Error(), Misused: true}
}

// Join is the reply for the whole process. Accounts with the same answer share it.
func Join(o *Order, list []AccountReply) Reply {
	r := Reply{Order: o.Order, Done: true, Accounts: list}
	var parts []string
	for i, a := range list {
		r.Done = r.Done && a.Done
		if i > 0 && a.Answer == list[i-1].Answer {
			parts[len(parts)-1] += ", " + a.Account
			continue
		}
		if i > 0 {
			parts[len(parts)-1] += ": " + list[i-1].Answer
		}
		parts = append(parts, a.Account)
	}
	if n := len(list); n > 0 {
		parts[len(parts)-1] += ": " + list[n-1].Answer
	}
	r.Answer = strings.Join(parts, "; ")
	return r
}
