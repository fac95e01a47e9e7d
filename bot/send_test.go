package bot

import (
	"testing"

	"fibsbot/fibs/clip"
)

// heldLink keeps what waits to be sent, with the question whether it still may be.
type heldLink struct {
	Link
	valid map[string]func() bool
}

func (l *heldLink) Send(c clip.Command) error { return l.SendWhile(c, nil) }

func (l *heldLink) SendWhile(c clip.Command, valid func() bool) error {
	text, err := c.Encode()
	l.valid[text] = valid
	return err
}

func (l *heldLink) Waiting() int { return len(l.valid) }

// TestAccount_throwsAwayWhatIsStale: a command of the match, or one that leads to
// one, that waits for the limit on sending while the opponent leaves or another
// joins is not sent any more; questions and chat are.
func TestAccount_throwsAwayWhatIsStale(t *testing.T) {
	a := &Account{Name: "me"}
	a.defaults()
	l := &heldLink{valid: map[string]func() bool{}}
	for _, c := range []clip.Command{clip.Roll{}, clip.Double{}, clip.Accept{}, clip.Join{}, clip.Join{Name: "bob"}, clip.Invite{Name: "bob"},
		clip.Invite{Name: "bob", Length: 3}, clip.AskBoard{}, clip.Tell{Name: "bob", Text: "hello"}} {
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
