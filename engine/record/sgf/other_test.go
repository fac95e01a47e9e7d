package sgf

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// foreignFile has, in root, game and move nodes, properties of other programs that this package
// does not interpret: private ones, several values, pairs with escaped colons, empty values,
// brackets and backslashes, line ends, a standard property at the root of a later game, and
// unknown rules and results.
const foreignFile = `(;FF[4]GM[6]CA[UTF-8]AP[Other:3]MI[length:5][game:0][ws:0][bs:0][clock:fischer][round:2]PW[anna]PB[bert]EV[Cup]RU[Crawford:Tournament]` +
	`CP[(c\) 2020 Club]GN[Game one: the \] start]TM[600]OT[10/1 \\ move]KEYWORDS[a][b][][c\:d]US[x]RE[W+1]
;W[31hefe]N[a name]LB[aa:te\:xt][bb:two]VW[]KO[]C[said \] so]
;B[52lqac]TE[2]HO[1]AR[aa:bb][cc:dd]XYZ[back\\slash\\][\]]C[two
lines]
;N[without an action]QQ[1]
;W[double]V[0.25]
;B[drop]UC[1])
(;FF[4]GM[6]MI[length:5][game:1][ws:1][bs:0][clock:fischer]PW[anna]PB[bert]EV[Cup]DT[2024-06-02]GC[another day]RU[Crawford]OT[none]RE[W+Time]
;B[31qtst]ZZ[é]
;PL[W]AE[a:y]AW[a][a][b]AB[x][w]LL[set up])
`

// properties lists what a file has, node by node, as it stands there.
func properties(t *testing.T, file string, skip ...string) (out []string) {
	t.Helper()
	l := newLexer(strings.NewReader(file), maxInput)
	game := -1
	for {
		n, err := l.next()
		if err != nil {
			return out
		}
		if n.first {
			game++
		}
	props:
		for _, p := range n.props {
			for _, s := range skip {
				if p.name == s {
					continue props
				}
			}
			out = append(out, strings.Repeat("(", game+1)+p.name+"["+strings.Join(p.values, "][")+"]")
		}
	}
}

func TestOther_survive(t *testing.T) {
	m, ws, err := Read(strings.NewReader(foreignFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range ws {
		if !strings.Contains(w.Text, "rule") && !strings.Contains(w.Text, "result") && !strings.Contains(w.Text, "match information") {
			t.Errorf("%v", w)
		}
	}
	var b bytes.Buffer
	if err := Write(&b, m); err != nil {
		t.Fatal(err)
	}
	// Only what describes the program may change, and what the match repeats.
	skip := []string{"AP", "CA", "FF", "EV"}
	have := map[string]int{}
	for _, p := range properties(t, b.String(), skip...) {
		have[p]++
	}
	for _, p := range properties(t, foreignFile, skip...) {
		if have[p] == 0 {
			t.Errorf("lost: %s\n%s", p, b.String())
		}
		have[p]--
	}
	// And once more: nothing grows.
	again, _, err := Read(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var c bytes.Buffer
	if err := Write(&c, again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b.String(), c.String()); diff != "" {
		t.Error(diff)
	}
}

// Any values of any unknown property survive.
func TestOther_anyValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Map(rapid.SliceOf(rapid.SampledFrom([]string{"a", ":", `\:`, `\]`, `\\`, "\n", "[", ";", "(", ")", "é", " "})), func(s []string) string { return strings.Join(s, "") })
		values := rapid.SliceOfN(value, 1, 4).Draw(t, "values")
		prop := "ZQ[" + strings.Join(values, "][") + "]"
		in := "(;GM[6]MI[length:1]PW[a]PB[b]" + prop + "\n;W[31hefe]" + prop + ")"
		m, ws, err := Read(strings.NewReader(in))
		if err != nil || len(ws) > 0 {
			t.Fatal(err, ws)
		}
		var b bytes.Buffer
		if err := Write(&b, m); err != nil {
			t.Fatal(err)
		}
		if strings.Count(b.String(), prop) != 2 {
			t.Fatalf("%q became %q", prop, b.String())
		}
	})
}

// What is not followed gives a warning: a match has one line of play.
func TestRead_variations(t *testing.T) {
	m, ws, err := Read(strings.NewReader("(;GM[6]XX[a \\] b]\n;W[31hefe]C[a \\] b]\n(;B[65ag];W[42hdfd])\n(;B[63ag];W[21mk];B[11])\n(;B[21ag]))"))
	if err != nil || len(m.Games[0].Actions) != 3 {
		t.Fatal(err, ws, m)
	}
	found := false
	for _, w := range ws {
		found = found || w.Line == 4 && strings.Contains(w.Text, "left out are their 4 nodes")
	}
	if !found {
		t.Errorf("warnings %v", ws)
	}
}
