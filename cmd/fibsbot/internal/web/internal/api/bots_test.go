package api

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fibsbot/bot/ops"
	"fibsbot/cmd/fibsbot/internal/play"
)

// obeys is a bot that knows the account robbie and runs until it is told to leave.
func obeys(_ context.Context, o ops.Order) (ops.Reply, error) {
	switch {
	case o.Order == "leave":
		return ops.Reply{}, fmt.Errorf("status.sock: %w", ops.ErrNotRunning)
	case o.Account != "" && o.Account != "robbie":
		return ops.Misuse(&o, fmt.Errorf("no account %q (use robbie)", o.Account)), nil
	}
	return ops.Join(&o, []ops.AccountReply{{Account: "robbie", Done: o.Order == "pause", Answer: strings.Join(append(o.Args, "heard"), " ")}}), nil
}

// orders gives orders to obeys.
func (c *caller) orders() {
	var r ops.Reply
	c.ask("POST", "/bots/orders", m{"order": "pause"}, 200, &r)
	if !r.Done || r.Answer != "robbie: heard" {
		c.t.Errorf("%+v", r)
	}
	c.ask("POST", "/bots/orders", m{"order": "tell", "account": "robbie", "args": []string{"bob", "good luck"}}, 200, &r)
	if r.Done || r.Answer != "robbie: bob good luck heard" {
		c.t.Errorf("%+v", r)
	}
	c.ask("POST", "/bots/orders", m{"order": "dance"}, 400, nil)
	c.ask("POST", "/bots/orders", m{"order": "tell", "args": []string{"bob"}}, 400, nil)
	c.ask("POST", "/bots/orders", m{"order": "pause", "account": "bert"}, 400, nil)
	c.ask("POST", "/bots/orders", m{"order": "leave"}, 404, nil)
}

// TestOrders_withoutToken: a site that gives no orders to the bot says what it needs.
func TestOrders_withoutToken(t *testing.T) {
	a := New(Options{Engine: engineOf(t), Matches: play.NewStore(t.TempDir(), nil)})
	defer a.Close()
	r := httptest.NewRequest("POST", "/api/v1/bots/orders", strings.NewReader(`{"order": "pause"}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	if w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "--token-file") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestFair_botsOwnOpponent: who plays the bot on a server sees no chances of that match, and those
// of other matches.
func TestFair_botsOwnOpponent(t *testing.T) {
	d := &fakeDesk{}
	a := New(Options{Engine: engineOf(t), Matches: play.NewStore(t.TempDir(), nil), Online: d, Bots: func(context.Context) (st ops.Status, err error) {
		for _, opponent := range []string{"Anna", "bob"} {
			st.Accounts = append(st.Accounts, ops.Account{Live: &ops.Live{Table: &ops.Table{Opponent: opponent, Chances: &[5]float64{0.5}, Course: []float64{0.5}, Starts: []int{0}}}})
		}
		return st, nil
	}})
	defer a.Close()
	for _, playing := range []bool{true, false} {
		d.sit(playing)
		st, err := a.bots(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i, hidden := range []bool{playing, false} {
			if x := st.Accounts[i].Live.Table; (x.Chances == nil) != hidden || (x.Course == nil) != hidden || (x.Starts == nil) != hidden {
				t.Errorf("playing %v, %s: %+v", playing, x.Opponent, x)
			}
		}
	}
}
