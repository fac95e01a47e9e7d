package bot

import (
	"testing"

	"fibsbot/bot/fibs"
	"fibsbot/bot/protocol"
)

// heldLink keeps the commands that wait to be sent, with their conditions.
type heldLink struct {
	Link
	valid map[string]func() bool
}

func (l *heldLink) Send(c protocol.Command, valid func() bool) error {
	text, err := encode(c)
	l.valid[text] = valid
	return err
}

// TestAccount_dropsStaleCommands: a command of the match, or one that leads to a match, is
// dropped if the opponent leaves or another joins while it waits for the send limit. Requests
// and chat are still sent.
func TestAccount_dropsStaleCommands(t *testing.T) {
	a := &Account{Protocol: fibs.Protocol{}, Name: "me"}
	a.defaults()
	l := &heldLink{valid: map[string]func() bool{}}
	for _, c := range []protocol.Command{protocol.Roll{}, protocol.Double{}, protocol.Take{}, protocol.Next{}, protocol.Join{Name: "bob"}, protocol.Resume{Name: "bob"},
		protocol.Invite{Name: "bob", Length: 3}, protocol.AskBoard{}, protocol.Tell{Name: "bob", Text: "hello"}} {
		if err := a.send(l, c); err != nil {
			t.Fatal(err)
		}
	}
	for text, valid := range l.valid {
		if valid != nil && !valid() {
			t.Errorf("%s is thrown away though nothing has happened", text)
		}
	}
	a.state.Store(a.tbl.Generation() + 1)
	for text, valid := range l.valid {
		always := text == "board" || text == "tellx bob hello"
		if sent := valid == nil || valid(); sent != always {
			t.Errorf("%s after the state has moved on: sent %v", text, sent)
		}
	}
}
