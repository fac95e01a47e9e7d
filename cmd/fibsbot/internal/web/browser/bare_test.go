package browser

import "testing"

func TestBare(t *testing.T) {
	const script = `// What it is.

import { h } from "./site.js"; // stays

/** one is one
    thing. */
export const one = () => {
  /* here */ return "/* text */";
	// a tab before it
  const url = "http://host"
  /* not code *//* nor this
  // nor this */
  go(url);
};
`
	const want = `import { h } from "./site.js"; // stays
export const one = () => {
return "/* text */";
const url = "http://host"
go(url);
};
`
	if got := string(bare([]byte(script))); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
