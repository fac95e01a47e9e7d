package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	bgammonclient "fibsbot/bgammon/client"
	bgammonserver "fibsbot/bgammon/server"
	"fibsbot/bot"
	"fibsbot/bot/bgammon"
	"fibsbot/bot/fibs"
	"fibsbot/bot/person"
	"fibsbot/bot/protocol"
	"fibsbot/bot/table"
	"fibsbot/cmd/fibsbot/internal/online"
	"fibsbot/cmd/fibsbot/internal/play/lobby"
	"fibsbot/config"
	"fibsbot/fibs/chaos"
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

// venue is an embedded server with a bot on it, and how a person comes to a match with the bot.
type venue struct {
	person   string
	protocol protocol.Protocol // of the person
	account  *bot.Account      // of the bot
	password string            // the person registers with it, unless it is ""
	begin    string            // the button that begins a match
	saves    bool              // a match that is left is saved
	serve    func(context.Context, net.Listener) error
}

func venues(t *testing.T) map[string]*venue {
	t.Helper()
	f, err := server.New(server.Options{Seed: 9, CheapPasswords: true, Accounts: map[string]string{"bert": "secret", "carl": "secret", "cleo": "secret"}})
	if err != nil {
		t.Fatal(err)
	}
	quick := fibs.Protocol{Person: true, Client: func(o *client.Options) { o.Pace = client.Pace{Gap: -1, ChatGap: -1, Burst: -1} }}
	b := bgammonserver.New(bgammonserver.Options{Seed: 9})
	fast := func(o *bgammonclient.Options) { o.Gap, o.ChatGap = -1, -1 }
	return map[string]*venue{
		"fibs": {
			person: "anna", protocol: quick, password: "secret", begin: "Invite: bert", saves: true, serve: f.Serve,
			account: &bot.Account{Name: "bert", Protocol: quick, Conduct: &bot.Plain{Min: 1, Max: 5}},
		},
		"bgammon": {
			person: "Guest_anna", protocol: bgammon.Protocol{Client: fast, Person: true}, begin: "Join: BOT_bert", serve: b.Serve,
			account: &bot.Account{Name: "BOT_bert", Protocol: bgammon.Protocol{Client: fast}, Conduct: &bot.Plain{Open: true, Length: 3}},
		},
	}
}

// serving serves until the test ends and returns the address.
func serving(t *testing.T, serve func(context.Context, net.Listener) error) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = serve(ctx, ln) }()
	t.Cleanup(func() { stop(); <-done })
	return ln.Addr().String()
}

// open starts the venue's bot and returns the line to the server, and its address.
func (v *venue) open(t *testing.T, at table.Options) (line *chaos.Proxy, addr string) {
	t.Helper()
	target := serving(t, v.serve)
	b := v.account
	b.Table = at
	b.Dial = bot.Dialer(b.Protocol, func() (protocol.Login, error) {
		l := protocol.Login{Address: target, Name: b.Name, Program: "bot"}
		if v.password != "" {
			l.Password = config.Secret(v.password)
		}
		return l, nil
	})
	ctx, stop := context.WithCancel(context.Background())
	played := make(chan struct{})
	go func() { defer close(played); _ = b.Run(ctx) }()
	t.Cleanup(func() { stop(); <-played })
	line, err := chaos.New(chaos.Options{Target: target})
	if err != nil {
		t.Fatal(err)
	}
	return line, serving(t, line.Serve)
}

// page opens the venue and a page of a person there, whose line breaks at cut.
func (v *venue) page(t *testing.T, browser context.Context, cut *func() int) (b *tab, addr string) {
	t.Helper()
	at := table.Options{Patience: time.Second, AutoRoll: 100 * time.Millisecond}
	line, addr := v.open(t, at)
	if cut != nil {
		*cut = line.CutAll
	}
	desk := &online.Desk{}
	site := newSite(t, "", func(o *Options) {
		desk.Open = func(l lobby.Login) (*person.Account, error) {
			return &person.Account{Name: l.Account, Server: l.Server, Protocol: v.protocol, Password: config.Secret(l.Password), Register: l.Register, DB: o.API.Archive,
				Table: at, Waits: bot.Backoff{Min: 10 * time.Millisecond, Max: 50 * time.Millisecond}, NoSync: true}, nil
		}
		o.API.Online, o.API.Analyse, o.API.Look = desk, true, 100*time.Millisecond
	})
	web := httptest.NewServer(site)
	t.Cleanup(func() { desk.Logout(); web.CloseClientConnections(); web.Close() })
	return open(t, browser, web, 1280, 900, "light"), addr
}

// login fills in the form.
func (v *venue) login(b *tab, addr string, register bool) {
	b.t.Helper()
	b.until(ready["/online"])
	b.eval(fmt.Sprintf(`(() => { const f = document.querySelector("#login").elements; f.server.value = %q; f.account.value = %q; f.password.value = %q; f.register.checked = %v; })()`,
		addr, v.person, v.password, register && v.password != ""), nil)
}

// A person registers, finds a player, and plays a match to its end. In the middle the line breaks,
// the page is loaded again, and the person logs out and resumes the match. The match is archived
// and analysed.
func TestBrowser_online(t *testing.T) {
	browser := chromium.Shared(t)
	for name, v := range venues(t) {
		t.Run(name, func(t *testing.T) {
			var cut func() int
			b, addr := v.page(t, browser, &cut)
			look := func(stop string) {
				t.Helper()
				if stop == "lobby" || name == "fibs" && stop != "login" && stop != "review" { // other tests judge the others
					b.judged(stop)
				}
				for _, size := range [][2]int64{{390, 844}, {844, 390}, {1280, 900}} {
					b.run(chromedp.EmulateViewport(size[0], size[1]))
					if b.holds(`document.documentElement.scrollWidth > innerWidth`) {
						t.Errorf("%s is wider than %d", stop, size[0])
					}
					b.shoot(fmt.Sprintf("online-%s-%s-%d", name, stop, size[0]))
				}
			}
			moves := `document.querySelectorAll("#log li").length > `
			turn := `!document.querySelector("#table").hidden && document.querySelector("#board .bg-can, #actions [data-key=r], #actions [data-key=t]")`
			play := func(n int) {
				t.Helper()
				b.until(turn)
				b.eval(`window.player = `+clicking, nil)
				b.until(moves + fmt.Sprint(n))
			}
			pause := func() {
				t.Helper()
				b.eval(`clearInterval(window.player)`, nil)
				b.until(turn)
			}
			b.navigate("/online")
			v.login(b, addr, true)
			look("login")
			b.push("#login .primary")
			begin := `#players button[aria-label='` + v.begin + `']`
			b.until(`document.querySelector(` + quote(begin) + `)`)
			look("lobby")
			b.eval(`document.querySelector("#length").value = "3"`, nil)
			b.push(begin)
			b.until(turn)
			look("table")
			if r, err := http.Post(b.url+"/api/v1/eval", "application/json", strings.NewReader("{}")); err != nil {
				t.Error(err)
			} else if r.Body.Close(); r.StatusCode != http.StatusLocked {
				t.Errorf("the engine answers during the match: %s", r.Status)
			}
			play(6)
			pause()
			cut()
			b.until(`/Connection lost/.test(document.querySelector("#news").textContent) && /^` + v.person + `/.test(document.querySelector("#state").textContent)`)
			play(10)
			b.run(chromedp.Reload())
			play(14)
			pause()
			b.push("#logout")
			v.login(b, addr, false)
			b.push("#login .primary")
			if v.saves {
				b.until(`document.querySelector("#offers button")`)
				look("saved")
				b.push("#offers button")
			}
			play(16)
			pause()
			b.eval(`for (const id of ["opt-confirm", "opt-roll", "opt-bearoff"]) document.getElementById(id).click()`, nil)
			b.eval(`(() => { const own = document.querySelector.bind(document); document.querySelector = (s) => s.includes('"Enter"') ? null : own(s); })()`, nil) // plays need no confirmation
			play(18)
			b.until(`document.querySelector("#actions a[href^='/matches/']")`)
			look("end")
			var news string
			b.eval(`document.querySelector("#news").textContent`, &news)
			if !strings.Contains(news, "The match is over") {
				t.Errorf("said: %s", news)
			}
			b.push("#actions a")
			b.until(inReview + `?.querySelector("#card svg") && !document.querySelector("#decision").hidden`)
			look("review")
			b.navigate("/online")
			b.push("#logout")
			b.until(ready["/online"])
			b.clean()
		})
	}
}
