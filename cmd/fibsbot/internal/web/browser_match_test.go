package web

import (
	"encoding/json"
	"fibsbot/internal/chromium"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// firstMatch is the identity of the newest match of the archive.
func firstMatch(t *testing.T, base string) string {
	t.Helper()
	resp, err := http.Get(base + "/api/v1/matches")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var list struct{ Matches []struct{ ID string } }
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil || len(list.Matches) == 0 {
		t.Fatalf("%v: %+v", err, list)
	}
	return list.Matches[0].ID
}

// inReview is the shadow tree that holds the review.
const inReview = `document.querySelector("#report")?.shadowRoot`

// The analysis continues where it was stopped, and the decision shown can be rolled out.
func TestBrowser_aMatchIsAnalysedAndItsDecisionsRolledOut(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	b := open(t, browser, server, 1400, 900, "light")
	b.navigate("/matches/" + firstMatch(t, server.URL))
	says := func(text string) string {
		return `document.querySelector("#progress").textContent.includes("` + text + `")`
	}
	b.until(says("nalysed") + ` && document.querySelectorAll("#preset option").length`)
	// The page stops it itself, after the first decision: a test that asks may come too late.
	b.eval(`new MutationObserver((_, begun) => {
		if (!/^[1-9]\d* of/.test(document.querySelector("#progress").textContent) || document.querySelector("#bar").hidden) return;
		begun.disconnect();
		document.querySelector("#analyse").click();
	}).observe(document.querySelector("#progress"), {childList: true}), document.querySelector("#preset").value = "supremo"`, nil)
	b.run(chromedp.Click("#analyse", chromedp.ByQuery))
	b.until(says("which are kept"))
	var kept int
	b.eval(`Number(/after (\d+) of/.exec(document.querySelector("#progress").textContent)[1])`, &kept)
	if kept == 0 {
		t.Error("nothing was judged before it was stopped")
	}
	b.eval(`document.querySelector("#preset").value = "expert"`, nil)
	b.run(chromedp.Click("#analyse", chromedp.ByQuery))
	b.until(says("Analysed by fibsbot"))
	b.until(`!document.querySelector("#decision").hidden && ` + inReview + `.querySelectorAll("#card svg").length`)
	var first, second string
	b.eval(`document.querySelector("#what").textContent`, &first)
	b.eval(inReview+`.querySelector("#nx").click()`, nil)
	b.until(`document.querySelector("#what").textContent !== ` + quote(first))
	b.eval(`document.querySelector("#what").textContent`, &second)
	// Read again, the review shows nothing but the reader's place, lest another decision is rolled out.
	b.eval(`(() => {
		const what = document.querySelector("#what");
		window.seen = [];
		new MutationObserver(() => seen.push(what.textContent)).observe(what, {childList: true});
		window.at = location.hash;
		document.querySelector("#edit").open = true;
	})()`, nil)
	b.until(`document.querySelector("#head").elements.account.value`)
	b.eval(`(() => { const f = document.querySelector("#head"); f.elements.event.value = "Club evening"; f.querySelector(".primary").click(); })()`, nil)
	b.until(inReview + `.textContent.includes("Club evening") && location.hash === at`)
	var other bool
	b.eval(`seen.some((text) => text !== `+quote(second)+`)`, &other)
	if other {
		t.Error("the review was read again, and for a moment it showed another decision, which might have been rolled out")
	}
	b.eval(`document.querySelector("#trials").value = "5184"`, nil)
	b.run(chromedp.Click("#roll", chromedp.ByQuery))
	b.until(`document.querySelectorAll("#rollouts tbody td.dim")[0]?.textContent.includes("±") && Number(document.querySelector("#rollouts tbody td:last-child").textContent) >= 100`)
	b.shoot("match-rollout")
	b.eval(`[...document.querySelectorAll("#rollouts button")].find((x) => x.textContent === "Stop").click()`, nil)
	b.until(`[...document.querySelectorAll("#rollouts button")].some((x) => x.textContent === "Continue")`)
	// Stopped, it stays beside the analysis until it is saved. Then this review shows it, and a
	// fresh one.
	b.eval(`[...document.querySelectorAll("#rollouts button")].find((x) => x.textContent === "Save in the match").click()`, nil)
	rolled := `/rollout \d+/.test(` + inReview + `?.querySelector("#card")?.textContent ?? "")`
	b.until(rolled)
	b.judged("match")
	b.eval(`document.querySelector("#what").textContent`, &first)
	// A rollout may find another play better, by little.
	play, _, _ := strings.Cut(first, ", loses ")
	if !strings.HasPrefix(second, play) {
		t.Errorf("written into the match, the review shows %q instead of %q", first, second)
	}
	b.shoot("match-rolled")
	b.eval(`window.old = true; location.reload()`, nil)
	b.until(`!window.old && document.querySelector("#decision") && !document.querySelector("#decision").hidden`)
	b.until(rolled)
	var href string
	b.eval(`decodeURIComponent(document.querySelector("#look").href)`, &href)
	if !strings.Contains(href, "/positions?position=XGID=") {
		t.Errorf("to the position: %s", href)
	}
	// All errors of the account, until that is stopped.
	all := `document.querySelector("#roll-all")`
	b.eval(all+`.click()`, nil)
	none := `document.body.textContent.includes("There are no errors to roll out.")`
	b.until(all + `.textContent.startsWith("Stop (0 of ") || ` + none)
	b.eval(all+`.textContent.startsWith("Stop") && `+all+`.click()`, nil)
	b.until(all + `.textContent === "Roll out all my errors"`)
	b.clean()
}

func quote(text string) string {
	data, _ := json.Marshal(text) // strings have a JSON form
	return string(data)
}
