package web

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"fibsbot/bot/ops"
	"fibsbot/internal/chromium"
	"fibsbot/internal/testsize"
)

// ledger keeps the orders that a page gives to a bot.
type ledger struct {
	mu   sync.Mutex
	list []string
}

func (l *ledger) order(_ context.Context, o ops.Order) (ops.Reply, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, strings.TrimSpace(o.Account+" "+strings.Join(append([]string{o.Order}, o.Args...), " ")))
	return ops.Join(&o, []ops.AccountReply{{Account: "robbie", Done: true, Answer: "done"}}), nil
}

// taken returns the orders since the last call.
func (l *ledger) taken() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() { l.list = nil }()
	return strings.Join(l.list, "; ")
}

// TestBrowser_botsRoom: the owner sees the whole board of a match in every window, and gives all
// orders of fibsbot ctl from the page; those that matter ask first. Without a token there are none.
func TestBrowser_botsRoom(t *testing.T) {
	testsize.Large(t)
	browser := chromium.Shared(t)
	const token = "a-token-of-the-owner"
	var given ledger
	server := httptest.NewServer(newSite(t, token, func(o *Options) { o.API.Order = given.order }))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	b := open(t, browser, server, 390, 844, "light")
	for i, size := range screens {
		b.resize(size)
		b.navigate("/bots?token=" + token)
		b.until(ready["/bots"])
		where := fmt.Sprintf("bots-%dx%d", size[0], size[1])
		b.shoot(where)
		var low, wide float64
		b.eval(`document.querySelector("#accounts svg.bg").getBoundingClientRect().bottom + scrollY`, &low)
		b.eval(`document.documentElement.scrollWidth`, &wide)
		if low > float64(size[1]) {
			t.Errorf("%s: the board ends at %.0f", where, low)
		}
		if wide > float64(size[0]) {
			t.Errorf("%s: %.0f wide", where, wide)
		}
		b.eval(`document.querySelectorAll("details").forEach((d) => { d.open = true })`, nil)
		if i%2 == 0 {
			b.judged(where)
		}
		b.clean()
	}
	var names []string
	b.eval(`[...document.querySelectorAll("[data-order]")].map((x) => x.dataset.order).concat([...document.querySelectorAll("[name=how] option")].map((x) => x.value))`, &names)
	for _, o := range ops.Orders {
		if !slices.Contains(names, o.Name) {
			t.Errorf("the page cannot give the order %s", o.Name)
		}
	}
	b.eval(`window.asked = [], window.yes = false, window.confirm = (q) => { asked.push(q); return yes }, 1`, nil)
	const bot, to = `section.bot `, `<b>bot</b>@fibs.example:4321 `
	fill := func(name, text string) string {
		return fmt.Sprintf(`document.querySelector("%s[name=%s]").value = %q`, bot, name, text)
	}
	send := func(order string) { b.push(bot + "[data-order=" + order + "]") }
	for _, st := range []struct {
		name, want string
		question   string
		do         func()
	}{
		{"pause", to + "pause", "", func() { send("pause") }},
		{"drain", to + "drain", "after this match?", func() { send("drain") }},
		{"leave", to + "leave", "in the middle of a match?", func() { send("leave") }},
		{"reload", "reload", "", func() { b.push("#reload") }},
		{"invite", to + "invite dora 7", "", func() {
			b.eval(fill("player", "dora"), nil)
			b.eval(fill("length", "7"), nil)
			send("invite")
		}},
		{"block", to + "block dora", "Refuse dora", func() { send("block") }},
		{"unblock", to + "unblock dora", "", func() { send("unblock") }},
		{"forget", to + "forget dora", "Forget all", func() { send("forget") }},
		{"say", to + "say good luck", "", func() {
			b.eval(fill("text", " good  luck"), nil)
			send("speak")
		}},
		{"kibitz", to + "kibitz hello", "", func() {
			b.eval(fill("text", "hello"), nil)
			b.eval(fmt.Sprintf(`(() => { const x = document.querySelector("%s[name=how]"); x.value = "kibitz"; x.dispatchEvent(new Event("change")) })()`, bot), nil)
			send("speak")
		}},
		{"tell", to + "tell bob thanks", "", func() {
			b.push(bot + ".talk button.link")
			b.eval(fill("text", "thanks"), nil)
			send("speak")
		}},
	} {
		answers := []bool{true}
		if st.question != "" {
			answers = []bool{false, true}
		}
		for _, yes := range answers {
			b.eval(fmt.Sprintf(`window.asked = [], window.yes = %v, document.querySelector("#toast").textContent = "", 1`, yes), nil)
			st.do()
			want := ""
			if yes {
				b.until(`document.querySelector("#toast").textContent === "robbie: done"`)
				want = st.want
			}
			if got := given.taken(); got != want {
				t.Errorf("%s, %v: %q, want %q", st.name, yes, got, want)
			}
			var asked []string
			b.eval(`asked`, &asked)
			if (len(asked) == 1) != (st.question != "") || len(asked) == 1 && !strings.Contains(asked[0], st.question) {
				t.Errorf("%s asks %q", st.name, asked)
			}
		}
	}
	b.until(`document.querySelector("[name=text]").value === ""`)
	b.clean()
	open := open(t, browser, serve(t), 1280, 650, "light")
	open.navigate("/bots")
	open.until(ready["/bots"])
	if open.holds(`document.querySelector("[data-order]")`) {
		t.Error("orders without a token")
	}
	open.clean()
}
