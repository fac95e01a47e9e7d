package bgblitz

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// doc is a match by the description of the format: Green doubles and is doubled out.
const doc = `{"matchlen":3,"nameGreen":"anna","nameRed":"bert","date":"2024.06.01","event":"Cup","useCube":true,"useCrawford":true,"finalGreen":0,"finalRed":"2",
"games":[{"scoreGreen":0,"scoreRed":0,"isCrawford":false,"wonPoints":2,
"initial":{"points":[2,0,0,0,0,-5,0,-3,0,0,0,5,-5,0,0,0,3,0,5,0,0,0,0,-2,0,0],"cube":1,"cubeOwner":0},
"moves":[
{"type":"amove","player":1,"red":6,"green":3,"from":[24,13,-1,-1],"to":[18,10,-1,-1]},
{"type":"amove","player":-1,"red":6,"green":1,"from":[13,8,-1,-1],"to":[7,7,-1,-1]},
{"type":"amove","player":1,"red":0,"green":0,"from":[6],"to":[6],"dancingEquity":-0.2},
{"type":"amove","player":-1,"from":[-1],"to":[-1],"equity":{"cubeDecision":{"hasDoubled":true,"hasAccepted":true}}},
{"type":"amove","player":1,"from":[-1],"to":[-1]},
{"type":"amove","player":-1,"red":"3","green":"1","from":[8,6,-1],"to":[5,5,-1]},
{"type":"amove","player":1,"red":6,"green":5,"from":[6],"to":[5],"dancingEquity":-0.3},
{"type":"amove","player":-1,"red":4,"green":2,"from":[8,6,-1],"to":[4,4,-1]},
{"type":"amove","player":1,"from":[-1],"to":[-1],"equity":{"cubeDecision":{"hasDoubled":true,"hasAccepted":false}}},
{"type":"amove","player":-1,"from":[-1],"to":[-1]}]}]}`

func pack(body []byte, how string) []byte {
	var b bytes.Buffer
	b.WriteString(`{"version":"0.00011825","compression":"` + how + `","encoding":"smile"}` + "\n")
	switch how {
	case "gzip":
		z := gzip.NewWriter(&b)
		z.Write(body)
		z.Close()
	case "zlib":
		z := zlib.NewWriter(&b)
		z.Write(body)
		z.Close()
	default:
		b.Write(body)
	}
	return b.Bytes()
}

// encode writes SMILE by the published table, with both tables of shared strings on.
type encode struct {
	out           []byte
	names, values []string
}

func (e *encode) int(n int64) {
	u := uint64(n<<1) ^ uint64(n>>63)
	if n >= -16 && n <= 15 {
		e.out = append(e.out, 0xc0+byte(u))
		return
	}
	groups := []byte{byte(u&0x3f) | 0x80}
	for u >>= 6; u > 0; u >>= 7 {
		groups = append([]byte{byte(u & 0x7f)}, groups...)
	}
	e.out = append(append(e.out, 0x25), groups...)
}

func (e *encode) value(v any) {
	switch v := v.(type) {
	case nil:
		e.out = append(e.out, 0x21)
	case bool:
		e.out = append(e.out, map[bool]byte{false: 0x22, true: 0x23}[v])
	case float64:
		if v == math.Trunc(v) {
			e.int(int64(v))
			return
		}
		bits := math.Float64bits(v)
		e.out = append(e.out, 0x29)
		for i := 9; i >= 0; i-- {
			e.out = append(e.out, byte(bits>>(7*i))&0x7f)
		}
	case string:
		e.text(v)
	case []any:
		e.out = append(e.out, 0xf8)
		for _, x := range v {
			e.value(x)
		}
		e.out = append(e.out, 0xf9)
	case map[string]any:
		e.out = append(e.out, 0xfa)
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			e.key(k)
			e.value(v[k])
		}
		e.out = append(e.out, 0xfb)
	}
}

func (e *encode) text(s string) {
	switch i := slices.Index(e.values, s); {
	case s == "":
		e.out = append(e.out, 0x20)
	case i >= 0 && i < 31:
		e.out = append(e.out, byte(i+1))
	case i >= 0 && i&0xff < 0xfe:
		e.out = append(e.out, 0xec|byte(i>>8), byte(i))
	case len(s) > 64:
		e.out = append(append(append(e.out, 0xe4), s...), 0xfc)
	case strings.IndexFunc(s, func(r rune) bool { return r > 127 }) >= 0:
		e.out = append(append(e.out, 0x80+byte(len(s)-2)), s...)
		e.values = append(e.values, s)
	default:
		e.out = append(append(e.out, 0x40+byte(len(s)-1)), s...)
		e.values = append(e.values, s)
	}
}

func (e *encode) key(s string) {
	switch i := slices.Index(e.names, s); {
	case i >= 0 && i < 64:
		e.out = append(e.out, 0x40+byte(i))
	case i >= 0:
		e.out = append(e.out, 0x30|byte(i>>8), byte(i))
	default:
		e.out = append(append(e.out, 0x80+byte(len(s)-1)), s...)
		e.names = append(e.names, s)
	}
}

func toSmile(v any) []byte {
	e := encode{out: []byte(":)\n\x03")}
	e.value(v)
	return e.out
}

func TestRead_everyPacking(t *testing.T) {
	var tree any
	if err := json.Unmarshal([]byte(doc), &tree); err != nil {
		t.Fatal(err)
	}
	for _, body := range [][]byte{[]byte(doc), toSmile(tree)} {
		for _, how := range []string{"gzip", "zlib", "none"} {
			in := pack(body, how)
			if !Is(in) {
				t.Fatalf("%s is not recognised", how)
			}
			m, ws, err := Read(bytes.NewReader(in))
			if err != nil || len(ws) > 0 {
				t.Fatal(how, err, ws)
			}
			var kinds []string
			for turn := range m.Turns(&m.Games[0]) {
				kinds = append(kinds, turn.Action.Kind.String())
				if !turn.Legal {
					t.Errorf("%s", turn.Problem)
				}
			}
			if s := strings.Join(kinds, " "); s != "move move move double take move move move double drop" || m.Players[0].Name != "anna" {
				t.Errorf("%s", s)
			}
			if m.Games[0].Result != (record.Result{Winner: 1, Points: 2}) || m.Length != 3 || m.Date != "2024-06-01" {
				t.Errorf("%+v", m.Games[0].Result)
			}
		}
	}
}

// Any document written as SMILE is read as it was.
func TestSmile_roundTrip(t *testing.T) {
	leaf := rapid.OneOf(
		rapid.Just[any](nil), rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.Int64Range(-1<<40, 1<<40), func(n int64) any { return float64(n) }),
		rapid.Map(rapid.Float64Range(-1e6, 1e6), func(f float64) any { return f }),
		rapid.Map(rapid.StringMatching(`[a-zß€]{0,70}`), func(s string) any { return s }),
	)
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(leaf, 0, 80).Draw(t, "list")
		obj := rapid.MapOfN(rapid.StringMatching(`[a-z]{1,20}`), leaf, 0, 90).Draw(t, "object")
		want := map[string]any{"l": list, "o": map[string]any(obj), "again": list}
		got, err := decodeSmile(toSmile(want))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(any(want), got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestRead_damaged(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"noise", pack([]byte("\x13\x37 what is this"), "none"), "2:1: BGBlitz: damaged, cut or encrypted"},
		{"cut", pack([]byte(doc), "gzip")[:200], "2:1: BGBlitz: "},
		{"no match", pack([]byte("[1]"), "none"), "no match in the file"},
		{"no game", pack([]byte("{}"), "none"), "no game in the file"},
		{"a bomb", pack(make([]byte, 65<<20), "gzip"), "longer than 64 megabytes"},
	} {
		_, _, err := Read(bytes.NewReader(c.in))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	var tree any
	if err := json.Unmarshal([]byte(doc), &tree); err != nil {
		f.Fatal(err)
	}
	f.Add(toSmile(tree))
	f.Add([]byte(doc))
	f.Fuzz(func(t *testing.T, body []byte) {
		m, _, err := Read(bytes.NewReader(pack(body, "none")))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := sgf.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		if _, _, err := sgf.Read(&b); err != nil {
			t.Fatal(err)
		}
	})
}
