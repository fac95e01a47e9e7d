package sgf

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/recordtest"
	"fibsbot/internal/reference"

	"github.com/google/go-cmp/cmp"
)

func read(t testing.TB, text string) (*record.Match, []record.Warning) {
	t.Helper()
	m, ws, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return m, ws
}

func write(t testing.TB, m *record.Match) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What gnubg wrote comes out the same to the last byte: nothing is lost and
// nothing is written differently.
// gnubgResigned is the result of a game without a last play or a drop: our files say beside it
// that gnubg's do not tell how it ended.
var gnubgResigned = regexp.MustCompile(`(RE\[[WB]\+\d+R\])`)

func TestWrite_sameBytesAsGnubg(t *testing.T) {
	for _, file := range append(recordtest.Samples(t, "*.sgf"), rollouts) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, ws := read(t, string(text))
		for _, w := range ws {
			t.Errorf("%s: %v", filepath.Base(file), w)
		}
		want := strings.ReplaceAll(string(text), "AP[GNU Backgammon:1.07.001]", "AP["+Application+"]")
		want = gnubgResigned.ReplaceAllString(want, "${1}"+endUnknownProperty+"[1]")
		m.Judge = record.Provenance{} // of which gnubg's dialect says nothing
		got := write(t, m)
		if got == want {
			continue
		}
		a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Errorf("%s:%d\ngnubg %s\nours  %s", filepath.Base(file), i+1, a[i], b[i])
				break
			}
		}
	}
}

// rollouts are moves and cube decisions of a match to 5 that gnubg 1.07.001 rolled
// out (2 and 4 trials, truncated after 1 to 2 plies) with and without cube, variance
// reduction, balanced dice and late settings, and with noise for one player.
const rollouts = "testdata/rollouts.sgf"

// In a match the output of a rolled-out play is a winning chance. What plays are
// compared by is an equity all the same.
func TestRead_rolledOutPlaysOfAMatch(t *testing.T) {
	text, err := os.ReadFile(rollouts)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := read(t, string(text))
	plays, cubes := 0, 0
	for _, a := range m.Games[0].Actions {
		if a.Analysis == nil {
			continue
		}
		if c := a.Analysis.Cube; c != nil && c.Rollout != nil {
			cubes++
		}
		for i, c := range a.Analysis.Candidates {
			if c.Rollout == nil {
				continue
			}
			plays++
			if i == 0 && c.Outcome.Cubeful < a.Analysis.Candidates[1].Outcome.Cubeful {
				t.Errorf("the best play has %v, the next %v", c.Outcome.Cubeful, a.Analysis.Candidates[1].Outcome.Cubeful)
			}
			if strings.HasPrefix(c.Rollout.Settings, "SK 0 RC 1") && (c.Rollout.Output < 0.4 || c.Rollout.Output > 0.6 || c.Outcome.Cubeful > 0.3) {
				t.Errorf("winning chance %v, equity %v", c.Rollout.Output, c.Outcome.Cubeful)
			}
		}
	}
	if plays == 0 || cubes == 0 {
		t.Errorf("%d plays and %d cube decisions are rolled out", plays, cubes)
	}
}

// The words of gnubg 1.07.001 for settings made in it.
func TestContext_asGnubg(t *testing.T) {
	still := Evaluator{Settings: record.Settings{Cubeful: true, Deterministic: true, Prune: true}}
	ply := func(n int, filter ...Cut) Evaluator {
		e := still
		e.Plies, e.Filter = n, filter
		return e
	}
	noisy := still
	noisy.Deterministic, noisy.Noise = false, 0.05
	two := ply(2).Settings
	for _, c := range []struct {
		context Context
		want    string
	}{
		{Context{Cubeful: true, VarianceReduction: true, Balanced: true, Late: true, Truncated: true, TruncatePly: 1, LatePly: 2,
			Generator: "Mersenne Twister", Seed: 77, Cube: [2]Evaluator{still, still}, Checker: [2]Evaluator{still, noisy},
			LateCube: [2]Evaluator{ply(2), ply(2)}, LateChecker: [2]Evaluator{still, still}, CubeEnd: two, CheckerEnd: two},
			`SK 0 RC 1 1 0 1 1 1 1 0 0 2 "Mersenne Twister" 77  cube0 ver 3 0C 1 0.000000 1  cheq0 ver 3 0C 1 0.000000 1 cube1 ver 3 0C 1 0.000000 1  cheq1 ver 3 0C 0 0.050000 1 latecube0 ver 3 2C 1 0.000000 1  latecheq0 ver 3 0C 1 0.000000 1 latecube1 ver 3 2C 1 0.000000 1  latecheq1 ver 3 0C 1 0.000000 1 cubetrunc ver 3 2C 1 0.000000 1 cheqtrunc ver 3 2C 1 0.000000 1`},
		{Context{Cubeful: true, VarianceReduction: true, Balanced: true, Late: true, Truncated: true, TruncatePly: 1, TwoSided: true, OneSided: true,
			LatePly: 1, Generator: "Mersenne Twister", Seed: 9, Cube: [2]Evaluator{ply(2), ply(2)},
			Checker: [2]Evaluator{ply(1, Cut{0, 3, 0.1}), ply(1, Cut{0, 8, 0.16})}, LateCube: [2]Evaluator{ply(2), ply(2)},
			LateChecker: [2]Evaluator{ply(2, Cut{0, 8, 0.16}, Cut{-1, 0, 0}), ply(2, Cut{0, 8, 0.16}, Cut{-1, 0, 0})}, CubeEnd: two, CheckerEnd: two},
			`SK 0 RC 1 1 0 1 1 1 1 1 1 1 "Mersenne Twister" 9  cube0 ver 3 2C 1 0.000000 1  cheq0 ver 3 1C 1 0.000000 1 filt0 0 3 0.10000  cube1 ver 3 2C 1 0.000000 1  cheq1 ver 3 1C 1 0.000000 1 filt1 0 8 0.16000  latecube0 ver 3 2C 1 0.000000 1  latecheq0 ver 3 2C 1 0.000000 1 latefilt0 0 8 0.16000 -1 0 0.00000  latecube1 ver 3 2C 1 0.000000 1  latecheq1 ver 3 2C 1 0.000000 1 latefilt1 0 8 0.16000 -1 0 0.00000  cubetrunc ver 3 2C 1 0.000000 1 cheqtrunc ver 3 2C 1 0.000000 1`},
	} {
		if got := c.context.String(); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

func TestRead_hostileInput(t *testing.T) {
	endless := func(head, part string) io.Reader {
		return io.MultiReader(strings.NewReader(head), &repeat{part: part, left: 1 << 30})
	}
	for _, c := range []struct {
		name string
		in   io.Reader
		want string
	}{
		{"empty", strings.NewReader(""), "1:1: no game in the file"},
		{"binary", strings.NewReader("\x7fELF\x00\x01\x02"), "1:7: no game in the file"},
		{"another game", strings.NewReader("(;GM[1];B[aa])"), "1:1: no game of backgammon"},
		{"cut in a value", strings.NewReader("(;GM[6]\n;W[31he"), "2:7: the file ends inside a value"},
		{"cut in a node", strings.NewReader("(;GM[6]\n;W"), "2:2: the file ends inside a node"},
		{"cut in a game", strings.NewReader("(;GM[6](;W[31hefe])"), "1:19: the file ends inside a game"},
		{"nameless value", strings.NewReader("(;[6])"), "1:3: a value without a property name"},
		{"no value", strings.NewReader("(;GM;W[31hefe])"), "1:5: property GM has no value"},
		{"garbage in a node", strings.NewReader("(;GM[6]!)"), "1:8: '!' inside a node"},
		{"nested", endless("", "("), "1:1001: variations nested deeper than 1000"},
		{"gigabyte value", endless("(;GM[6]C[", "x"), "a node larger than 4 megabytes"},
		{"gigabyte name", endless("(;", "A"), "1:36: a property name of more than 32 letters"},
		{"gigabyte of values", endless("(;GM[6]A", "[]"), "more than 8192 values in a node"},
		{"gigabyte of nodes", endless("(;GM[6]", ";W[31]"), "more than 10000 actions in a game"},
		{"gigabyte of games", endless("", "(;GM[6])"), "more than 50000 games"},
		{"gigabyte of nothing", endless("(", " "), "longer than 64 megabytes"},
	} {
		_, _, err := readAtMost(c.in, 8<<20)
		var syntax *record.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// repeat yields part over and over.
type repeat struct {
	part string
	left int
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := len(p) / len(r.part) * len(r.part)
	for i := 0; i < n; i += len(r.part) {
		copy(p[i:], r.part)
	}
	r.left -= n
	return n, nil
}

func TestRead_lenient(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     string // the game as written again, from the first node after the root
		warnings int
	}{
		{"steps in any order", "(;GM[6];W[13fehe])", "\n;W[13fehe]", 0},
		{"joined steps", "(;GM[6];W[61mf])", "\n;W[61mggf]", 0},
		{"first variation only", "(;GM[6](;W[31hefe])(;W[61hbfe]))", "\n;W[31hefe]", 1},
		{"after a variation", "(;GM[6];W[31hefe](;B[65al])(;B[63lrlo];W[11]))", "\n;W[31hefe]\n;B[65aggl]", 1},
		{"impossible play is kept", "(;GM[6];W[31abcd])", "", 1},
		{"illegal play is kept", "(;GM[6];W[31hefd])", "\n;W[31hefd]", 1},
		{"impossible dice", "(;GM[6];W[79hefe];B[21lmlj])", "", 2},
		{"lower-case letters in names", "(;GaMe[6];White[31hefe])", "\n;W[31hefe]", 0},
		{"Latin-1", "(;GM[6];W[31hefe]C[Z\xfcrich])", "\n;W[31hefe]C[Zürich]", 0},
		{"text around the trees", "hello (;GM[6];W[31hefe]) bye", "\n;W[31hefe]", 0},
		{"range of points", "(;GM[6];PL[B]AE[a:y]AW[a:c]AB[x];B[11xz])", "\n;PL[B]AE[a:y]AW[a][b][c]AB[x]\n;B[11xz]", 0},
	} {
		m, ws := read(t, c.in)
		if len(ws) != c.warnings {
			t.Errorf("%s: warnings %v, want %d", c.name, ws, c.warnings)
		}
		text := write(t, m)
		got := strings.TrimSuffix(text[strings.Index(text, "\n"):], ")\n")
		if c.want != "" && got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		again, _ := read(t, text)
		if c.want != "" {
			if diff := cmp.Diff(m, again); diff != "" {
				t.Errorf("%s changes when written and read:\n%s", c.name, diff)
			}
		}
	}
}

func TestWrite_rolloutOfACube(t *testing.T) {
	const node = "\n;W[double]DA[X ver 3 Eq Trials 36 NoDouble Output 0.5244930983 0.150095433 0.005876347888 0.128060177 0.004373127129 0.06532593071 0.5111524463" +
		" StdDev 0.007669028826 0.00846983958 0.001360628288 0.008412375115 0.004526987206 0.02794338204 0.003625337034" +
		" DoubleTake Output 0.5270688534 0.1479315311 0.006963739637 0.1251999289 0.01158793643 0.1288489699 0.4890078604" +
		" StdDev 0.01012605429 0.009245177731 0.001402262133 0.009611006826 0.00523393508 0.0324267149 0.007234180812" +
		` SK 0 RC 1 1 0 1 0 0 10 1 1 5 "Mersenne Twister" 3963937041  cube0 ver 3 2C 1 0.000000 1]`
	m, ws := read(t, "(;GM[6];W[31hefe];B[31qtst]"+node+")")
	if len(ws) > 0 {
		t.Error(ws)
	}
	if got := write(t, m); !strings.Contains(got, node) {
		t.Errorf("%s\nis not in\n%s", node, got)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"(;GM[6];W[31hefe];B[63lrlo])",
		"(;FF[4]GM[6]MI[length:3][game:1][ws:0][bs:1]PW[a]PB[b]RU[Crawford:CrawfordGame]CV[2]RE[B+2R]GS[M:0 0]\n;B[65al];W[double];B[take];W[21mkfe])",
		";PL[B]AE[a:y]AW[c][c]AB[v][v];CV[2];CP[b];PL[B]DI[42]",
		"(;GM[6];PL[B]AE[a:y]AW[c][c]AB[v][v];CV[2];CP[b];PL[B]DI[42]LU[0.1]GB[2])",
		"(;GM[6];W[31hefe]DA[E ver 3 2C 1 0.0 1 .5 .1 0 .1 0 0 0 .5 .1 0 .1 0 0 0]A[0][hefe E ver 3 .5 .1 0 .1 0 0 2C 0 1 0 1]MR[1 ]LU[.5]BM[2]DC[]C[a\\]b])",
		"(;GM[6](;W[61mf](;))(;)",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, _, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		first := write(t, m)
		again, _, err := Read(strings.NewReader(first))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first)
		}
		// Set-up nodes come apart at the first writing and stay so.
		second := write(t, again)
		third, _, err := Read(strings.NewReader(second))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(second, write(t, third)); diff != "" {
			t.Errorf("writing is not stable:\n%s", diff)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	text, err := os.ReadFile(reference.Path(b, "formats/samples/match3-analysed.sgf"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Read(bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}

// ReadFile names the file in every error, the place in it where there is one, and
// lets a missing file be told from a bad one.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := file("good.sgf", "(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[a]PB[b];B[52lqln])")
	m, warnings, err := ReadFile(good)
	if err != nil || len(warnings) > 0 || m.Length != 5 || m.Players[1].Name != "b" {
		t.Fatalf("%+v, %v, %v", m, warnings, err)
	}
	bad := file("bad.sgf", "(;FF[4]GM[6]\n  oops")
	var syntax *record.SyntaxError
	if _, _, err := ReadFile(bad); !errors.As(err, &syntax) || syntax.Line != 2 || !strings.HasPrefix(err.Error(), bad+":2:") {
		t.Errorf("bad text: %v", err)
	}
	for name, path := range map[string]string{"none": filepath.Join(dir, "none.sgf"), "a folder": dir} {
		if _, _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), path) || errors.As(err, &syntax) || errors.Is(err, fs.ErrNotExist) != (name == "none") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// gnubg 1.08 writes the luck of a roll that it could not find as -inf: the roll has
// none then, and nothing else of the game is lost.
func TestRead_luckWithoutANumber(t *testing.T) {
	const in = "(;FF[4]GM[6]PW[a]PB[b]RE[W+1]GS[M:1 1 1 1 0 0 0 0 0 0 1 1 0.000000 0.000000 0.000000 0.000000]" +
		"[C:0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0" + " 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0]" +
		"[D:0 0 0 0 1 1 0 0 0 0 -inf -inf 0.1 0.1]\n;W[31hefe]LU[-inf]\n;B[42qusu]LU[nan]\n;W[31hefe]A[0][hefe E ver 3 nan 0 0 0 0 0 0C 0 1 0.0 1]LU[0.25])"
	m, ws, err := Read(strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	g := m.Games[0]
	if len(g.Actions) != 3 || g.Actions[0].Analysis != nil || g.Actions[1].Analysis != nil || *g.Actions[2].Analysis.Luck != 0.25 {
		t.Errorf("%+v", g.Actions)
	}
	if g.Actions[2].Analysis.Candidates != nil || len(ws) == 0 {
		t.Errorf("candidates of no numbers are kept: %v", ws)
	}
	if g.Statistics == nil || g.Statistics[0].Luck != (record.Cost{}) || g.Statistics[1].Luck.EMG != 0.1 {
		t.Errorf("%+v", g.Statistics)
	}
	var b bytes.Buffer
	if err := Write(&b, m); err != nil || strings.Contains(b.String(), "nan") || strings.Contains(b.String(), "inf") {
		t.Errorf("%v %s", err, b.String())
	}
}

// What another program keeps in a file of its own stays in it, also in nodes that
// hold no action.
func TestRead_otherPropertiesSurvive(t *testing.T) {
	const in = `(;FF[4]GM[6]AP[other:9]US[somebody]KO[a][b\]c]PW[a]PB[b]` + "\n" + `;W[31hefe]HO[2]N[name \\ of a node]` + "\n" + `;TE[1]C[behind]` + "\n" + `;B[42qusu]XX[]CR[])`
	m, ws := read(t, in)
	if len(ws) > 0 {
		t.Fatal(ws)
	}
	var b bytes.Buffer
	if err := Write(&b, m); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`US[somebody]`, `KO[a][b\]c]`, `HO[2]`, `N[name \\ of a node]`, `TE[1]`, `C[behind]`, `XX[]`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s is lost:\n%s", want, b.String())
		}
	}
	again, _ := read(t, b.String())
	if diff := cmp.Diff(m, again); diff != "" {
		t.Error(diff)
	}
}

func TestReadAll_severalMatches(t *testing.T) {
	one := "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]RE[W+1R];W[31hefe])(;FF[4]GM[6]MI[length:3][game:1][ws:1][bs:0]PW[a]PB[b];B[42qusu])"
	other := strings.ReplaceAll(one, "PW[a]", "PW[c]")
	for _, c := range []struct {
		name, in string
		want     []int
	}{
		{"one", one, []int{2}},
		{"the same players again", one + one, []int{2, 2}},
		{"others", one + other + one, []int{2, 2, 2}},
	} {
		all, ws, err := ReadAll(strings.NewReader(c.in))
		if err != nil || len(ws) > 0 {
			t.Fatal(c.name, err, ws)
		}
		var got []int
		for _, m := range all {
			got = append(got, len(m.Games))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
