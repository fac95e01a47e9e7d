package xg

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"os"
	"strings"
	"testing"

	"fibsbot/engine/analyse"
	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/mat"
	"fibsbot/engine/record/sgf"
	"fibsbot/internal/reference"
	"fibsbot/internal/testsize"

	"github.com/google/go-cmp/cmp"
)

func sample(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile(reference.Path(t, "formats/xg-sample/match7.xg"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The sample's twin, written by XG as .mat, has the same games, plays and results.
func TestRead_sameAsMat(t *testing.T) {
	m, ws, err := Read(bytes.NewReader(sample(t)))
	if err != nil || len(ws) > 0 {
		t.Fatal(err, ws)
	}
	f, err := os.Open(reference.Path(t, "formats/xg-sample/match7.mat"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, _, err := mat.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Games) != len(want.Games) || m.Length != want.Length || m.Date != want.Date {
		t.Fatalf("%d games of a match to %d on %s", len(m.Games), m.Length, m.Date)
	}
	plays := 0
	for i := range want.Games {
		a, b := &want.Games[i], &m.Games[i]
		if a.Score != b.Score || a.Crawford != b.Crawford || a.Result != b.Result || len(a.Actions) != len(b.Actions) {
			t.Errorf("game %d: %v %v %+v %d, want %v %v %+v %d", i+1, b.Score, b.Crawford, b.Result, len(b.Actions), a.Score, a.Crawford, a.Result, len(a.Actions))
			continue
		}
		ra, rb := record.NewReplay(want, a), record.NewReplay(m, b)
		for {
			x, ok := ra.Next()
			if !ok {
				break
			}
			y, _ := rb.Next()
			if x.Position != y.Position || x.State != y.State || x.Player != y.Player || x.Play.Result != y.Play.Result || x.Action.Dice.Sorted() != y.Action.Dice.Sorted() {
				t.Errorf("game %d, action %d: %+v, want %+v", i+1, x.Index+1, y, x)
			}
			plays++
		}
	}
	if plays < 150 {
		t.Errorf("only %d actions compared", plays)
	}
}

// The errors that XG states are those of the candidates and equities it states, and
// what a summary counts.
func TestRead_statedErrors(t *testing.T) {
	m, _, err := Read(bytes.NewReader(sample(t)))
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, at int, got, want float64) {
		if math.Abs(got-want) > 2e-4 {
			t.Errorf("%s, action %d: %.5f, want %.5f", what, at, got, want)
		}
	}
	plays, cubes, luck := 0, 0, 0
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			a := &m.Games[i].Actions[k]
			an := a.Analysis
			if an == nil {
				t.Errorf("game %d, action %d: a %v without an analysis", i+1, k+1, a.Kind)
				continue
			}
			if an.Luck != nil {
				luck++
			}
			if a.Kind == record.Move && an.Stated != nil && an.Stated.Play != nil && an.Played >= 0 {
				plays++
				near("play", k+1, an.Candidates[0].Outcome.Cubeful-an.Candidates[an.Played].Outcome.Cubeful, *an.Stated.Play)
				if diff := cmp.Diff(a.Steps, an.Candidates[an.Played].Steps); diff != "" {
					t.Errorf("the candidate played is another: %s", diff)
				}
			}
			if an.Cube == nil || an.Cube.Equities == nil {
				continue
			}
			cubes++
			eq := an.Cube.Equities
			double := math.Min(eq[1], eq[2])
			if s := an.Stated.Double; s != nil && a.Kind == record.Double {
				near("double", k+1, math.Max(eq[0], double)-double, *s)
			}
			if s := an.Stated.Answer; s != nil && a.Kind == record.Take {
				near("take", k+1, eq[1]-double, *s)
			}
		}
	}
	if plays < 140 || cubes < 60 || luck < 140 {
		t.Errorf("%d plays, %d cubes, %d rolls judged", plays, cubes, luck)
	}
	s := analyse.Summarise(m, nil, analyse.DefaultLimits)
	if e := s.Players[0].PlayError.EMG; e <= 0.01 {
		t.Errorf("a checker error of %.3f in the whole match", e)
	}
}

// What XG said survives in SGF.
func TestRead_throughSGF(t *testing.T) {
	m, _, err := Read(bytes.NewReader(sample(t)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := sgf.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	again, ws, err := sgf.Read(&b)
	if err != nil || len(ws) > 0 {
		t.Fatal(err, ws)
	}
	for i := range m.Games {
		for k := range m.Games[i].Actions {
			x, y := &m.Games[i].Actions[k], &again.Games[i].Actions[k]
			if x.Analysis == nil {
				continue
			}
			if diff := cmp.Diff(x.Analysis.Stated, y.Analysis.Stated, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-5 })); diff != "" {
				t.Fatalf("game %d, action %d: %s", i+1, k+1, diff)
			}
			if len(x.Analysis.Candidates) > 0 && x.Analysis.Candidates[0].Settings.Level != y.Analysis.Candidates[0].Settings.Level {
				t.Fatalf("level %q", y.Analysis.Candidates[0].Settings.Level)
			}
		}
	}
}

// file packs members as XG does, by the published layout.
func file(parts map[string][]byte, packed bool) []byte {
	head := make([]byte, headerSize)
	copy(head, Magic)
	binary.LittleEndian.PutUint32(head[4:], 1)
	binary.LittleEndian.PutUint32(head[8:], headerSize)
	deflate := func(b []byte) []byte {
		var out bytes.Buffer
		z := zlib.NewWriter(&out)
		z.Write(b)
		z.Close()
		return out.Bytes()
	}
	var arc, index []byte
	for _, name := range []string{"temp.xg", "temp.xgi", "temp.xgr", "temp.xgc"} {
		data, ok := parts[name]
		if !ok {
			continue
		}
		stored, kind := data, byte(1)
		if packed {
			stored, kind = deflate(data), 0
		}
		e := make([]byte, entrySize)
		e[0] = byte(len(name))
		copy(e[1:], strings.ToUpper(name))
		binary.LittleEndian.PutUint32(e[512:], uint32(len(data)))
		binary.LittleEndian.PutUint32(e[516:], uint32(len(stored)))
		binary.LittleEndian.PutUint32(e[520:], uint32(len(arc)))
		binary.LittleEndian.PutUint32(e[524:], crc32.ChecksumIEEE(data))
		e[528] = kind
		index = append(index, e...)
		arc = append(arc, stored...)
	}
	n := len(index) / entrySize
	tail := make([]byte, trailerSize)
	if packed {
		index = deflate(index)
		tail[20] = 1
	}
	binary.LittleEndian.PutUint32(tail[0:], crc32.ChecksumIEEE(append(append([]byte{}, arc...), index...)))
	binary.LittleEndian.PutUint32(tail[4:], uint32(n))
	binary.LittleEndian.PutUint32(tail[8:], 1)
	binary.LittleEndian.PutUint32(tail[12:], uint32(len(index)))
	binary.LittleEndian.PutUint32(tail[16:], uint32(len(arc)))
	return bytes.Join([][]byte{head, arc, index, tail}, nil)
}

// rec is a record with numbers and texts at their offsets.
func rec(kind byte, set map[int]any) []byte {
	b := make([]byte, recordSize)
	b[8] = kind
	for at, v := range set {
		switch v := v.(type) {
		case int:
			binary.LittleEndian.PutUint32(b[at:], uint32(int32(v)))
		case float64:
			binary.LittleEndian.PutUint64(b[at:], math.Float64bits(v))
		case float32:
			binary.LittleEndian.PutUint32(b[at:], math.Float32bits(v))
		case bool:
			b[at] = 1
		case string:
			copy(b[at:], v)
		case board.Position:
			for i := range 25 {
				b[at+i+1] += byte(v.Me[i])
				b[at+24-i] += byte(-int8(v.Opp[i]))
			}
		}
	}
	return b
}

func matchHead(length int) []byte {
	return rec(matchHeader, map[int]any{9: "\x04Anna", 50: "\x04B\xe9rt", 92: length, 96: 0, 101: true, 102: true, 552: 20, 556: "DMLI", 576: 1, 580: -1, 104: 1712.5, 120: 33})
}

func game(set map[int]any) []byte {
	set[56], set[60] = -1, -1
	return rec(gameHeader, set)
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

const rich = "{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\uc1 Gr\\'fc\\'dfe \\u8364?\\par second\x01\x02\\tab {\\*\\x gone}line}\r\n{\\rtf1 of the match}\r\n"

// A money session with a beaver and a raccoon, automatic doubles, comments and a
// resignation of unknown size.
func TestRead_moneySession(t *testing.T) {
	p := board.Start
	play := board.AppendPlays(nil, p, board.Dice{A: 3, B: 1})[0]
	after := play.Result
	cubes := join(
		rec(cubeRecord, map[int]any{12: 1, 16: -2, 20: -1, 36: p, 208: "\x0231", 224: -1, 232: -1, 292: 0}),
		rec(moveRecord, map[int]any{9: p, 35: after, 64: 1, 68: int(play.Steps[0].From), 72: int(play.Steps[0].To), 76: int(play.Steps[1].From), 80: int(play.Steps[1].To), 84: -1,
			100: 3, 104: 1, 2308: true, 2312: -0.25, 2320: 0.125, 2472: -1, 2476: 2, 2524: -1}),
		rec(cubeRecord, map[int]any{12: -1, 16: 1, 20: 2, 24: 2, 28: 1, 36: after, 224: -1, 232: -1, 292: -1}),
		rec(cubeRecord, map[int]any{12: -1, 16: -1, 20: -1, 32: 3, 36: after, 224: -1, 232: -1, 292: -1}),
		rec(gameFooter, map[int]any{12: 0, 16: 0, 24: 1, 28: 32, 32: 102}),
	)
	data := join(matchHead(money), game(map[int]any{48: 1, 64: 0}), cubes, rec(matchFooter, map[int]any{}))
	for _, packed := range []bool{true, false} {
		m, ws, err := Read(bytes.NewReader(file(map[string][]byte{"temp.xg": data, "temp.xgc": []byte(rich)}, packed)))
		if err != nil {
			t.Fatal(err)
		}
		if m.Length != 0 || !m.Rules.Jacoby || m.Rules.Beavers != 3 || m.Players[1].Name != "Bért" || m.Players[0].Rating != "1712.50/33" || m.Comment != "of the match" {
			t.Errorf("%+v %+v %q", m.Rules, m.Players, m.Comment)
		}
		g := m.Games[0]
		var kinds []string
		for i := range g.Actions {
			kinds = append(kinds, g.Actions[i].Kind.String())
		}
		if s := strings.Join(kinds, " "); s != "move double double double take" {
			t.Errorf("%s; %v", s, ws)
		}
		if g.Result != (record.Result{Winner: 0, Points: 16, Resigned: true}) {
			t.Errorf("%+v; %v", g.Result, ws)
		}
		if c := g.Actions[0].Comment; c != "Grüße €\nsecond\tline" {
			t.Errorf("comment %q", c)
		}
		if an := g.Actions[0].Analysis; an == nil || an.Luck == nil || *an.Luck != 0.125 {
			t.Errorf("%+v", an)
		}
	}
}

// A position file: one game with a position that is set up, dice, and a rollout.
func TestRead_position(t *testing.T) {
	p := board.Position{Me: board.Checkers{5: 3, 4: 3, 0: 2}, Opp: board.Checkers{5: 2, 3: 4, 24: 1}}
	legal := board.AppendPlays(nil, p, board.Dice{A: 6, B: 5})
	move := rec(moveRecord, map[int]any{9: p, 64: 1, 100: 6, 104: 5, 108: 1, 120: 1, 2312: float64(none), 2320: float64(none), 2472: 100, 2476: -1, 2344: 0, 2524: -1,
		124 + 64: 1, 124 + 68: legal[0].Result, 124 + 1284 + 12: float32(0.9), 124 + 1284 + 24: float32(0.8)})
	ro := make([]byte, rolloutSize)
	binary.LittleEndian.PutUint32(ro[84:], 1296)
	binary.LittleEndian.PutUint32(ro[2020:], math.Float32bits(0.0196))
	ro[0], ro[40] = 1, 1
	for at, v := range map[int]uint32{4: 11, 28: 2, 32: 0, 36: 5, 44: 3, 48: 1, 60: 77, 2136: 2} {
		binary.LittleEndian.PutUint32(ro[at:], v)
	}
	data := join(matchHead(5), game(map[int]any{12: 2, 16: 3, 21: p}), rec(cubeRecord, map[int]any{12: 1, 16: 0, 20: -1, 32: 1, 36: p, 224: -1, 232: -1, 292: -1}), move)
	m, ws, err := Read(bytes.NewReader(file(map[string][]byte{"temp.xg": data, "temp.xgr": ro}, true)))
	if err != nil || len(ws) > 0 {
		t.Fatal(err, ws)
	}
	var last record.Turn
	for turn := range m.Turns(&m.Games[0]) {
		last = turn
	}
	if last.Action.Kind != record.Roll || last.Position != p || last.State.Cube != 2 || last.State.Owner != 1 || last.State.Score != [2]int{2, 3} {
		t.Fatalf("%+v", last)
	}
	c := last.Action.Analysis.Candidates[0]
	if c.Rollout == nil || c.Rollout.Trials != 1296 || c.Settings.Level != "Rollout" {
		t.Errorf("%+v %+v", c, c.Rollout)
	}
	// In a match files have the winning chance of the rollout, as gnubg reads it.
	if off := c.Rollout.StdErr[0].Cubeful / match.DefaultTable().MWCPerEMG(last.State); math.Abs(off-0.01) > 1e-5 ||
		math.Abs(c.Rollout.Output-match.DefaultTable().MWC(last.State, 0.8)) > 1e-6 || math.Abs(c.Outcome.Cubeful-0.8) > 1e-6 {
		t.Errorf("%+v %+v", c.Outcome, c.Rollout)
	}
	if w := sgf.RolloutWords(c.Rollout.Settings); w != "cubeful, variance reduction, checker 2-ply, cube 3-ply, from ply 5 checker 0-ply, cube 1-ply, truncated at 11 plies, seed 77" {
		t.Errorf("%q", w)
	}
	// Without dice the position is all there is.
	data = data[:3*recordSize]
	m, ws, err = Read(bytes.NewReader(file(map[string][]byte{"temp.xg": data}, true)))
	if err != nil || len(ws) > 0 || len(m.Games) != 1 || m.Games[0].Actions[0].Kind != record.SetUp {
		t.Errorf("%v %v %+v", err, ws, m)
	}
}

func TestRead_damaged(t *testing.T) {
	testsize.Medium(t)
	good := sample(t)
	whole := func() []byte { return append([]byte(nil), good...) }
	changed := whole()
	for i := len(changed) - 4000; i < len(changed)-trailerSize; i++ {
		changed[i] ^= 0x5a
	}
	parts, _, err := members(good)
	if err != nil {
		t.Fatal(err)
	}
	packed := file(map[string][]byte{"temp.xg": parts["temp.xg"]}, true)
	index := binary.LittleEndian.Uint32(packed[len(packed)-trailerSize+12:])
	behind := len(packed) - trailerSize - int(index) // of the packed part: its check sum is the last of it
	flipped := func(at int) []byte {
		b := append([]byte(nil), packed...)
		b[at] ^= 0x10
		return b
	}
	encrypted := append([]byte(nil), packed...)
	for i := headerSize; i < behind; i++ {
		encrypted[i] ^= 0x5a
	}
	binary.LittleEndian.PutUint32(encrypted[len(encrypted)-trailerSize:], crc32.ChecksumIEEE(encrypted[headerSize:len(encrypted)-trailerSize]))
	noise := whole()
	copy(noise[len(noise)-trailerSize+12:], "\xff\xff\xff\x7f")
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"nothing", nil, "not a file of eXtreme Gammon"},
		{"four bytes", good[:4], "damaged .xg file: it ends inside its header"},
		{"the head", good[:9000], "damaged .xg file: a header of"},
		{"all but the end", good[:len(good)-100], "damaged .xg file: no archive"},
		{"sizes that cannot be", noise, "damaged .xg file: no archive"},
		{"changed", changed, "damaged .xg file: "},
		{"a check sum changed", flipped(behind - 1), `damaged .xg file: part "temp.xg" does not match its checksum`},
		{"the head of a part changed", flipped(headerSize), `damaged .xg file: part "temp.xg" cannot be unpacked`},
		{"the index changed", flipped(len(packed) - trailerSize - 1), "damaged .xg file: its index does not match its checksum"},
		{"encrypted", encrypted, "encrypted .xg file (save the match without a password)"},
		{"no match in it", file(map[string][]byte{"temp.xgc": []byte("x")}, true), "damaged .xg file: it holds no match"},
		{"a match of noise", file(map[string][]byte{"temp.xg": bytes.Repeat([]byte("?"), 2*recordSize)}, true), "damaged .xg file: the match does not begin with its header"},
	} {
		_, _, err := Read(bytes.NewReader(c.in))
		var syntax *record.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	// A bomb: a part that is much larger than it says.
	bomb := file(map[string][]byte{"temp.xg": make([]byte, 50<<20)}, true)
	if len(bomb) > 1<<20 {
		t.Fatal("no bomb")
	}
	if _, _, err := Read(bytes.NewReader(bomb)); err == nil {
		t.Error("50 megabytes of zeros are a match")
	}
}

func FuzzRead(f *testing.F) {
	p := board.Start
	f.Add(join(matchHead(5), game(map[int]any{}), rec(cubeRecord, map[int]any{12: 1, 16: 1, 20: 1, 36: p}), rec(moveRecord, map[int]any{9: p, 35: p, 64: 1, 100: 3, 104: 1, 2308: true})), []byte(rich))
	f.Add(join(matchHead(money), game(map[int]any{21: p}), rec(gameFooter, map[int]any{24: -1, 28: 2, 32: 101})), []byte("{\\rtf1\\u-1"))
	f.Fuzz(func(t *testing.T, data, comments []byte) {
		in := file(map[string][]byte{"temp.xg": data, "temp.xgc": comments}, false)
		m, _, err := Read(bytes.NewReader(in))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := sgf.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		if _, _, err := sgf.Read(&b); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		_, _, _ = Read(bytes.NewReader(data))
	})
}
