package web

import (
	"fibsbot/internal/chromium"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// contrast lists the texts of a page, also in shadow trees and drawings, whose contrast with
// what is behind them is below 4.5:1 (WCAG 2.2, 1.4.3; disabled controls included).
const contrast = `(() => {
  const pen = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const known = new Map();
  const rgba = (text) => {
    if (!known.has(text)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = "rgba(0, 0, 0, 0)";
      pen.fillStyle = text;
      pen.fillRect(0, 0, 1, 1);
      const d = pen.getImageData(0, 0, 1, 1).data;
      known.set(text, [d[0], d[1], d[2], d[3] / 255]);
    }
    return known.get(text);
  };
  const over = (a, b) => { // a on b
    const alpha = a[3] + b[3] * (1 - a[3]);
    return alpha ? [0, 1, 2].map((i) => (a[i] * a[3] + b[i] * b[3] * (1 - a[3])) / alpha).concat(alpha) : [0, 0, 0, 0];
  };
  const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const up = (el) => el.assignedSlot ?? el.parentElement ?? el.getRootNode().host ?? null;
  const behind = (el) => { // the colour of the boxes that hold el
    let c = [0, 0, 0, 0];
    for (let e = el; e && c[3] < 1; e = up(e)) if (!(e instanceof SVGElement) || e.tagName === "svg") c = over(c, rgba(getComputedStyle(e).backgroundColor));
    return over(c, [255, 255, 255, 1]);
  };
  const shapes = (el) => { // of a drawing, in the order in which they are painted
    if (el.tagName === "defs" || el.tagName === "title") return [];
    if (el.tagName === "use") {
      const to = el.getRootNode().querySelector(el.getAttribute("href"));
      return to ? shapes(to).map((s) => ({...s, x: s.x + (el.x?.baseVal.value ?? 0), y: s.y + (el.y?.baseVal.value ?? 0)})) : [];
    }
    if (el.children.length && el.tagName !== "text") return [...el.children].flatMap(shapes);
    if (!el.getBBox) return [];
    return [{el, x: 0, y: 0}];
  };
  const number = (v) => (v === "" ? 1 : Number(v));
  const drawn = (text) => { // the background of a text in a drawing
    const svg = text.ownerSVGElement, b = text.getBBox(), cx = b.x + b.width / 2, cy = b.y + b.height / 2;
    let c = behind(svg);
    const matrix = (e) => e.getCTM?.() ?? null;
    for (const s of shapes(svg)) {
      if (s.el === text) break;
      if (s.el.tagName === "text") continue;
      const css = getComputedStyle(s.el);
      const marker = s.el.tagName === "polyline" && /#(\w+)/.exec(css.markerStart)?.[1]; // checkers
      if (marker) {
        const disk = s.el.getRootNode().getElementById(marker).firstElementChild;
        for (const p of s.el.points) if (Math.hypot(p.x - cx, p.y - cy) < 12) c = over(rgba(getComputedStyle(disk).fill), c);
        continue;
      }
      if (css.fill === "none" || css.visibility === "hidden") continue;
      const o = s.el.getBBox();
      const m = s.el.ownerSVGElement === svg ? matrix(s.el) : null, t = matrix(text);
      let px = cx - s.x, py = cy - s.y;
      if (m && t) { const p = new DOMPoint(cx, cy).matrixTransform(m.inverse().multiply(t)); px = p.x; py = p.y; }
      if (s.el.tagName === "path" || s.el.tagName === "polygon") { if (!s.el.isPointInFill?.(new DOMPoint(px, py))) continue; }
      else if (px < o.x || px > o.x + o.width || py < o.y || py > o.y + o.height) continue;
      const gradient = /^url\(.*#([\w-]+)/.exec(css.fill)?.[1];
      const stops = gradient && s.el.getRootNode().getElementById(gradient)?.querySelectorAll("stop");
      const f = rgba(stops?.length ? getComputedStyle(stops[stops.length >> 1]).stopColor : css.fill); // a gradient is judged by its middle
      c = over([f[0], f[1], f[2], f[3] * number(css.fillOpacity) * number(css.opacity)], c);
    }
    return c;
  };
  const out = new Map();
  const judge = (el, text, colour, back) => {
    let c = rgba(colour);
    let faint = 1;
    for (let e = el; e; e = up(e)) faint *= number(getComputedStyle(e).opacity);
    const r = ratio(over([c[0], c[1], c[2], c[3] * faint], back), back);
    if (r < 4.495) {
      const key = [el.tagName.toLowerCase(), el.getAttribute("class") ?? "", colour].join(" ");
      if (!out.has(key)) out.set(key, r.toFixed(2) + ":1 " + el.tagName.toLowerCase() + (el.getAttribute("class") ? "." + el.getAttribute("class") : "") + " in " + (up(el)?.className?.baseVal ?? up(el)?.className ?? "") + ": " + text.trim().slice(0, 40));
    }
  };
  const visit = (root) => {
    for (const el of root.querySelectorAll("*")) {
      if (el.shadowRoot) visit(el.shadowRoot);
      if (!el.checkVisibility?.({opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true}) || el.closest("script, style, noscript, option, title, defs, .skip, .hidden")) continue;
      if (el.placeholder && !el.value) judge(el, el.placeholder, getComputedStyle(el, "::placeholder").color, behind(el));
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(el.tagName)) { if (el.value && !/^(checkbox|radio|file)$/.test(el.type)) judge(el, el.value, getComputedStyle(el).color, behind(el)); continue; }
      const own = [...el.childNodes].filter((n) => n.nodeType === 3 && n.textContent.trim()).map((n) => n.textContent).join(" ");
      if (!own || !el.getClientRects().length) continue;
      if (el instanceof SVGElement) judge(el, own, getComputedStyle(el).fill, drawn(el));
      else judge(el, own, getComputedStyle(el).color, behind(el));
    }
  };
  visit(document);
  return [...out.values()];
})()`

// readable fails the test for texts of a page that are hard to read.
func (b *tab) readable(where string) {
	b.t.Helper()
	var found []string
	b.eval(contrast, &found)
	for _, what := range found {
		b.t.Errorf("%s: %s", where, what)
	}
}

// The measure itself: it sees boxes, drawings, shadow trees and faint texts.
func TestBrowser_contrastIsMeasured(t *testing.T) {
	browser := chromium.Shared(t)
	b := open(t, browser, serve(t), 800, 600, "light")
	b.navigate("/play")
	b.until(ready["/play"])
	b.eval(`(() => {
	  document.body.innerHTML = '<p id=a>grey</p><p id=b>fine</p><svg id=s width=100 height=40><rect width=100 height=40 /><text x=10 y=20>on black</text></svg><div id=h></div>';
	  document.body.style.background = "#fff";
	  document.querySelector("#a").style.color = "#888";
	  document.querySelector("#b").style.color = "#000";
	  document.querySelector("#s text").style.fill = "#333";
	  document.querySelector("#h").attachShadow({mode: "open"}).innerHTML = "<b>faint</b>";
	  document.querySelector("#h").style.cssText = "color: #000; opacity: 0.3";
	})()`, nil)
	var found []string
	b.eval(contrast, &found)
	all := strings.Join(found, "\n")
	for _, want := range []string{"3.54:1 p in : grey", "on black", "faint"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if len(found) != 3 {
		t.Errorf("%q", found)
	}
}

// Every text is readable in states in which no other test looks at it: empty, with an error, while it
// loads, and within the review. TestBrowser_rooms has the rooms, full.
func TestBrowser_textIsReadable(t *testing.T) {
	browser := chromium.Shared(t)
	server := serve(t)
	id := importAnalysed(t, server.URL)
	b := open(t, browser, server, 1280, 900, "dark")
	b.navigate("/positions?p=XGID%3D-a--BBC-B---dE---d-e----A-:0:0:1:00:0:0:0:7:10")
	b.until(ready["/positions"])
	if !b.holds(`document.documentElement.dataset.theme === "dark"`) {
		t.Error("a dark desk has a light page")
	}
	b.eval(`document.querySelector("#panel").ariaBusy = "true"`, nil)
	b.readableInBoth("positions, busy")
	b.navigate("/matches?")
	b.until(ready["/matches"])
	b.eval(`(() => { for (const d of document.querySelectorAll("details")) d.open = true; document.querySelector("[name=length]").value = "many"; document.querySelector("#filter").dispatchEvent(new Event("input")); })()`, nil)
	b.until(`!document.querySelector("#filter-error").hidden`)
	b.readableInBoth("matches, with an error")
	b.eval(`(() => { document.querySelector("[name=length]").value = "25"; document.querySelector("#filter").dispatchEvent(new Event("input")); })()`, nil)
	b.until(`document.querySelector("#list .empty")`)
	b.readableInBoth("matches, empty")
	b.navigate("/matches/" + id)
	b.until(inReview + `?.querySelector("#card svg") && !document.querySelector("#decision").hidden`)
	b.eval(`for (const d of [document.querySelector("#note"), document.querySelector("#edit"), `+inReview+`.querySelector(".marks")]) d.open = true`, nil)
	for _, list := range []string{"sheet", "errors", "stats", "rolls"} {
		b.eval(inReview+`.querySelector('#tabs a[href="#`+list+`"]').click()`, nil)
		b.readableInBoth("review, " + list)
	}
	for range 12 { // cube decisions, errors of each size
		b.run(chromedp.KeyEvent("e"))
		b.readableInBoth("review, an error")
	}
	b.navigate("/openings?roll=31")
	b.until(`document.querySelector("#plays tbody .move")`)
	b.readableInBoth("an opening")
	b.navigate("/openings?first=31+nonsense")
	b.until(`document.querySelector("#rolls .empty")`)
	b.readableInBoth("openings, with an error")
	b.navigate("/nowhere")
	b.until(`document.querySelector("main a")`)
	b.readableInBoth("an address without a page")
	b.navigate("/statistics?")
	b.until(ready["/statistics"])
	b.eval(`(() => { const f = document.querySelector("#filter"); f.elements.opponent.value = "no one"; f.dispatchEvent(new Event("input")); })()`, nil)
	b.until(`document.querySelector("#by .empty") && !document.querySelector("#charts svg")`)
	b.readableInBoth("statistics, empty")
	b.navigate("/matches")
	b.until(ready["/matches"])
	b.eval(`(() => { document.querySelector("#list tbody input").click(); document.querySelector("#drop").hidden = false; document.querySelector("#toast").textContent = "Saved."; })()`, nil)
	b.readableInBoth("matches, chosen, while files are dragged")
	b.navigate("/matches/nothing")
	b.until(`!document.querySelector("#gone").hidden`)
	b.readableInBoth("a match that is not there")
}
