package web

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"fibsbot/bot"
	"fibsbot/bot/person"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/bot/watch"
	"fibsbot/cmd/fibsbot/internal/online"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
	"fibsbot/config"
	"fibsbot/engine/preset"
	"fibsbot/internal/chromium"
	"fibsbot/internal/testsize"
)

// A person logs in, watches a match of two bots with the engine's opinion of it, and finds it among
// the matches when it is over.
func TestBrowser_watched(t *testing.T) {
	testsize.Large(t)
	browser := chromium.Shared(t)
	for name, v := range venues(t) {
		t.Run(name, func(t *testing.T) {
			at := table.Options{Patience: time.Second, AutoRoll: 100 * time.Millisecond}
			watched, second, rival := "bert", "cleo", &bot.Plain{Invite: "bert", Length: 3, Matches: 1}
			if v.protocol.Rules().Opens {
				watched, second, rival = "BOT_bert", "BOT_cleo", &bot.Plain{Invite: "BOT_bert", Unseen: true, Length: -1, Every: time.Second, Matches: 1}
			}
			var seen atomic.Bool // the page has shown the match, which may go on faster
			v.account.Pace = func(table.Situation, table.Answer) time.Duration {
				if seen.Load() {
					return time.Millisecond
				}
				return 150 * time.Millisecond
			}
			_, addr := v.open(t, at)
			b2 := &bot.Account{Name: second, Protocol: v.account.Protocol, Conduct: rival, Table: at, Pace: v.account.Pace}
			b2.Dial = bot.Dialer(v.account.Protocol, func() (protocol.Login, error) {
				l := protocol.Login{Address: addr, Name: b2.Name, Program: "bot"}
				if v.password != "" {
					l.Password = config.Secret(v.password)
				}
				return l, nil
			})
			e, err := testEngine()
			if err != nil {
				t.Fatal(err)
			}
			strength, err := preset.ByName("expert")
			if err != nil {
				t.Fatal(err)
			}
			desk := &online.Desk{Judge: watch.NewJudge(e, strength, nil)}
			site := newSite(t, "", func(o *Options) {
				desk.Open = func(l lobby.Login) (*person.Account, error) {
					return &person.Account{Name: l.Account, Server: l.Server, Protocol: v.protocol, Password: config.Secret(l.Password), Register: l.Register, DB: o.API.Archive, Table: at, NoSync: true}, nil
				}
				o.API.Online = desk
			})
			web := httptest.NewServer(site)
			t.Cleanup(func() { desk.Logout(); web.CloseClientConnections(); web.Close() })
			b := open(t, browser, web, 1280, 900, "light")
			look := func(stop string) {
				t.Helper()
				if name == "fibs" && stop != "lobby" {
					b.judged(stop)
				}
				for _, size := range [][2]int64{{390, 844}, {844, 390}, {1280, 650}} {
					b.run(chromedp.EmulateViewport(size[0], size[1]))
					if b.holds(`document.documentElement.scrollWidth > innerWidth`) {
						t.Errorf("%s is wider than %d", stop, size[0])
					}
					b.shoot(fmt.Sprintf("watched-%s-%s-%d", name, stop, size[0]))
				}
			}
			b.navigate("/online")
			b.until(ready["/online"])
			b.eval(`(() => { const f = document.querySelector("#login").elements; f.server.value = "`+addr+`"; f.account.value = "`+v.person+`"; f.password.value = "`+v.password+`"; f.register.checked = f.password.value !== ""; })()`, nil)
			b.push("#login .primary")
			if v.protocol.Rules().Opens {
				b.until(`document.querySelector("#players button[aria-label^='Join: ']")`)
			} else {
				b.until(`document.querySelector("#players tr")`)
			}
			ctx, stop := context.WithCancel(context.Background())
			played := make(chan struct{})
			go func() { defer close(played); _ = b2.Run(ctx) }()
			t.Cleanup(func() { stop(); <-played })
			b.until(`document.querySelector("#players button[aria-label='Watch: ` + watched + `']")`)
			look("lobby")
			b.push("#players button[aria-label='Watch: " + watched + "']")
			b.until(`document.querySelector("#board svg") && document.querySelector("#watched svg.chances") && document.querySelector("#watched svg.chart .c1")`)
			points := `document.querySelector("#watched .chart .c1").getAttribute("points").split(" ").length`
			var before int
			b.eval(points, &before)
			b.until(fmt.Sprintf(`%s > %d`, points, before+2))
			look("match")
			if b.holds(`/undefined|null|NaN/.test(document.querySelector("#watched").textContent)`) {
				t.Error("an empty value is shown")
			}
			b.run(chromedp.EmulateViewport(1280, 1500))
			b.shoot("watched-" + name + "-whole")
			seen.Store(true)
			if code := get(site, "GET", "/api/v1/presets", nil).Code; code != 200 {
				t.Errorf("watching locks the engine: status %d", code)
			}
			if v.protocol.Rules().Opens {
				b.until(`document.querySelector("#remarks").hidden`) // no one would hear it
			} else {
				b.eval(`(() => { const f = document.querySelector("#remark").elements; f.text.value = "good <b>play</b>"; document.querySelector("#remark").requestSubmit(); })()`, nil)
				b.until(`document.querySelector("#remark").elements.text.value === "" && document.querySelector("#remark-error").hidden`)
			}
			b.until(`document.querySelector("#actions a[href^='/matches/']")`)
			look("end")
			var review string
			b.eval(`document.querySelector("#actions a").getAttribute("href")`, &review)
			b.push("#actions [data-key=l]")
			b.until(`document.querySelector("#watched").hidden`)
			b.push("#logout")
			b.until(ready["/online"])
			b.navigate("/matches")
			b.until(`document.querySelector("a[href='` + review + `']")`)
			if code := get(site, "GET", "/api/v1"+strings.TrimSuffix(review, "/")+"/review", nil).Code; code != 200 {
				t.Errorf("%s: status %d", review, code)
			}
			b.clean()
		})
	}
}
