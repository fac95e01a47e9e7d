package minify

import "testing"

func TestLines(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"script": {`// What it is.

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
`, `import { h } from "./site.js"; // stays
export const one = () => {
return "/* text */";
const url = "http://host"
go(url);
};
`},
		"style sheet": {`/* Colours */
a {
  color: red;

  /* of
     links */
  background: url("//host/x.png");
}
`, `a {
color: red;
background: url("//host/x.png");
}
`},
	} {
		if got := Lines(c.source); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, c.want)
		}
	}
}
