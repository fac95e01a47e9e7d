package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"fibsbot/bot/protocol"
	"fibsbot/config"
	"fibsbot/internal/chromium"
)

// The lobby lists the players in the wished order, keeps friends and ignored players, and shows who
// said what. Markup in talk is text. The bell rings for what is said to the account alone.
func TestBrowser_onlineLobby(t *testing.T) {
	browser := chromium.Shared(t)
	v := venues(t)["fibs"]
	b, addr := v.page(t, browser, nil)
	b.navigate("/online")
	v.login(b, addr, true)
	b.push("#login .primary")
	row := func(name string) string { return `#players button[aria-label=` + quote(name) + `]` }
	b.until(`document.querySelector(` + quote(row("bert")) + `)`)
	carl, err := v.protocol.Dial(t.Context(), protocol.Login{Address: addr, Name: "carl", Password: config.Secret("secret"), Program: "test", Plays: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { carl.Close() })
	go func() {
		for range carl.Events() { // read, so that the server can write
		}
	}()
	send := func(c protocol.Command) {
		t.Helper()
		if err := carl.Send(c, nil); err != nil {
			t.Fatal(err)
		}
	}
	b.eval(`window.rung = 0; window.AudioContext = class { constructor() { window.rung++; throw 0; } }; document.querySelector("#hear").open = true; document.querySelector("#opt-bell").click()`, nil)
	send(protocol.Raw{Line: "shout <img src=x onerror=alert(1)> to all"})
	said := func(text string) string {
		return fmt.Sprintf(`document.querySelector("#news").textContent.includes(%q)`, text)
	}
	b.until(said("carl shouts: <img src=x onerror=alert(1)> to all"))
	if b.holds(`window.rung > 0`) {
		t.Error("the bell rang for a shout")
	}
	send(protocol.Tell{Name: "anna", Text: "are you there?"})
	b.until(said("carl tells you: are you there?") + ` && window.rung === 1`)
	send(protocol.Invite{Name: "anna", Length: 3})
	b.until(`document.querySelector("#offers button[aria-label='Accept: carl']") && window.rung === 2`)
	b.until(`document.querySelector(` + quote(row("carl")) + `)`)
	for _, size := range [][2]int64{{390, 844}, {844, 390}, {1280, 900}} {
		b.run(chromedp.EmulateViewport(size[0], size[1]))
		b.shoot(fmt.Sprintf("lobby-%d", size[0]))
	}
	b.judged("lobby")
	b.push("#hear-shouts")
	b.until(`!` + said("to all"))
	b.push("#hear-shouts")
	b.until(said("to all"))

	order := `[...document.querySelectorAll("#players tr")].map((r) => r.cells[0].textContent).join()`
	b.push("#heads button")
	b.until(order + ` === "anna,bert,carl"`)
	b.push("#heads button")
	b.until(order + ` === "carl,bert,anna"`)
	b.push(row("bert"))
	b.until(`document.querySelector("#person").open`)
	b.shoot("lobby-person")
	b.judged("player")
	press := func(n int) string { return fmt.Sprintf("#person-does button:nth-child(%d)", n) }
	b.push(press(2))
	b.until(order + ` === "★ bert,carl,anna"`)
	b.push(row("carl"))
	b.push(press(3))
	b.until(order + ` === "★ bert,anna,carl" && !document.querySelector("#offers button")`)
	if b.holds(said("carl tells")) {
		t.Error("an ignored player is heard")
	}
	b.run(chromedp.Reload())
	b.until(order + ` === "★ bert,anna,carl"`)
	b.push(row("carl"))
	b.push(press(4))
	b.until(said("You gag carl"))

	b.eval(`document.querySelector("#length").value = "3"`, nil)
	b.push(`#players button[aria-label="Invite: bert"]`)
	b.push("#actions [data-key=q]")
	b.until(`document.querySelector("#ask").open`)
	b.shoot("resign")
	b.judged("resign")
	b.push(`#ask-buttons [value="2"]`)
	b.until(`document.querySelector("#seat0 .score").textContent === "2 of 3"`)
	b.push("#actions [data-key=l]")
	b.push(`#ask-buttons [value="yes"]`)
	b.until(`document.querySelector("#offers button[aria-label$=': bert']")`) // to resume; he may invite to that
	b.clean()
}

// An open match can be closed again.
func TestBrowser_onlineOpens(t *testing.T) {
	browser := chromium.Shared(t)
	v := venues(t)["bgammon"]
	b, addr := v.page(t, browser, nil)
	b.navigate("/online")
	v.login(b, addr, false)
	b.push("#login .primary")
	says := func(text string) string { return `document.querySelector("#open").textContent === ` + quote(text) }
	b.until(says("Open a match") + ` && document.querySelector("#open:enabled")`)
	b.push("#open")
	b.until(says("Close the open match"))
	b.push("#open")
	b.until(says("Open a match"))
	b.clean()
}
