package web

import (
	"context"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"fibsbot/bot"
	"fibsbot/bot/fibs"
	"fibsbot/bot/person"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/cmd/fibsbot/internal/online"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
	"fibsbot/config"
	"fibsbot/fibs/client"
	"fibsbot/fibs/server"
	"fibsbot/internal/chromium"
)

// clicking plays in the page by taps on the board and presses of buttons.
const clicking = `setInterval(() => {
  const press = (k) => { const b = document.querySelector('#actions [data-key="' + k + '"]:not(:disabled)'); b?.click(); return !!b; };
  if (document.hidden || press("Enter") || press("r") || press("t") || press("a")) return;
  const c = document.querySelector("#board .bg-can");
  if (!c) return;
  const at = c.getBoundingClientRect(), p = { bubbles: true, pointerId: 1, clientX: at.x + at.width / 2, clientY: at.y + at.height / 2, button: 0 };
  c.dispatchEvent(new PointerEvent("pointerdown", p));
  document.querySelector("#board svg").dispatchEvent(new PointerEvent("pointerup", p));
}, 15)`

// fibsWith serves an embedded server with the bot bert until the test ends, and returns its address.
func fibsWith(t *testing.T, quick fibs.Protocol, at table.Options) string {
	t.Helper()
	s, err := server.New(server.Options{Seed: 9, CheapPasswords: true, Accounts: map[string]string{"bert": "secret"}})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := ln.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	served, played := make(chan struct{}), make(chan struct{})
	b := &bot.Account{Name: "bert", Protocol: quick, Table: at, Conduct: &bot.Plain{Min: 1, Max: 5}}
	b.Dial = bot.Dialer(quick, func() (protocol.Login, error) {
		return protocol.Login{Address: addr, Name: "bert", Password: config.Secret("secret"), Program: "bot"}, nil
	})
	go func() { defer close(served); _ = s.Serve(ctx, ln) }()
	go func() { defer close(played); _ = b.Run(ctx) }()
	t.Cleanup(func() { stop(); <-played; <-served })
	return addr
}

// A person registers, invites a player, plays a match to its end with a reload in the middle, and
// finds it in the archive.
func TestBrowser_online(t *testing.T) {
	browser := chromium.Shared(t)
	quick := fibs.Protocol{Client: func(o *client.Options) { o.Pace = client.Pace{Gap: -1, ChatGap: -1, Burst: -1} }}
	at := table.Options{Patience: time.Second, AutoRoll: 100 * time.Millisecond}
	addr := fibsWith(t, quick, at)
	desk := &online.Desk{}
	site := newSite(t, "", func(o *Options) {
		desk.Open = func(l lobby.Login) (*person.Account, error) {
			return &person.Account{Name: l.Account, Server: l.Server, Protocol: quick, Password: config.Secret(l.Password), Register: l.Register, DB: o.API.Archive, Table: at, NoSync: true}, nil
		}
		o.API.Online = desk
	})
	web := httptest.NewServer(site)
	t.Cleanup(func() { desk.Logout(); web.CloseClientConnections(); web.Close() })
	b := open(t, browser, web, 1280, 900, "light")
	look := func(name string) {
		t.Helper()
		b.judged(name)
		for _, size := range [][2]int64{{390, 844}, {844, 390}, {1280, 900}} {
			b.run(chromedp.EmulateViewport(size[0], size[1]))
			if b.holds(`document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("%s is wider than %d", name, size[0])
			}
			b.shoot(fmt.Sprintf("online-%s-%d", name, size[0]))
		}
	}
	b.navigate("/online")
	b.until(ready["/online"])
	b.eval(`(() => { const f = document.querySelector("#login").elements; f.server.value = "`+addr+`"; f.account.value = "anna"; f.password.value = "secret"; f.register.checked = true; })()`, nil)
	look("login")
	b.push("#login .primary")
	b.until(`document.querySelector("#players button[aria-label='Invite: bert']")`)
	look("lobby")
	b.eval(`document.querySelector("#length").value = "1"`, nil)
	b.push("#players button[aria-label='Invite: bert']")
	b.until(`!document.querySelector("#table").hidden && document.querySelector("#board .bg-can, #actions [data-key=r]")`)
	look("table")
	if code := get(site, "POST", "/api/v1/eval", nil).Code; code != 423 {
		t.Errorf("the engine answers during the match: status %d", code)
	}
	b.eval(clicking, nil)
	b.until(`document.querySelectorAll("#log li").length > 12`)
	b.run(chromedp.Reload())
	b.until(`document.querySelectorAll("#log li").length > 12`)
	b.eval(clicking, nil)
	b.until(`document.querySelector("#actions a[href^='/matches/']")`)
	look("end")
	var review string
	b.eval(`document.querySelector("#actions a").getAttribute("href")`, &review)
	if code := get(site, "GET", "/api/v1"+review, nil).Code; code != 200 {
		t.Errorf("%s: status %d", review, code)
	}
	var news string
	b.eval(`document.querySelector("#news").textContent`, &news)
	if !strings.Contains(news, "The match is over") {
		t.Errorf("said: %s", news)
	}
	b.push("#logout")
	b.until(ready["/online"])
	b.clean()
}
