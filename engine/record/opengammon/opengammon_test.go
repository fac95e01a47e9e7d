package opengammon

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

func section(name string, critical bool, data []byte) []byte {
	out := binary.LittleEndian.AppendUint32([]byte(name), uint32(len(data)))
	flags := byte(0)
	if critical {
		flags = 1
	}
	return append(append(out, flags), data...)
}

func rec(mask int, fields ...any) []byte {
	body := binary.AppendUvarint(nil, uint64(mask))
	for _, f := range fields {
		switch f := f.(type) {
		case int:
			body = binary.AppendUvarint(body, uint64(f))
		case string:
			body = append(binary.AppendUvarint(body, uint64(len(f))), f...)
		case []byte:
			body = append(body, f...)
		}
	}
	return append(binary.AppendUvarint(nil, uint64(len(body))), body...)
}

func file(parts ...[]byte) []byte {
	body := append(bytes.Join(parts, nil), "END!"...)
	head := []byte("OGXM\x02\x00\x02\x00\x02\x00\x00\x00")
	return append(binary.LittleEndian.AppendUint32(head, uint32(headerSize+len(body))), body...)
}

// roll is a ply of dice a <= b; steps are pairs of the absolute point and the pips.
func roll(seat, a, b int, steps ...int) []byte {
	action := 0
	for i, d := range rolls {
		if d == (board.Dice{A: uint8(a), B: uint8(b)}) {
			action = i
		}
	}
	out := []byte{byte(action | seat<<6)}
	for i := 0; i < len(steps); i += 2 {
		out = append(out, byte(steps[i]|steps[i+1]<<5))
	}
	if n := len(steps) / 2; a == b && n < 4 || a != b && n < 2 {
		out = append(out, 0)
	}
	return out
}

// small is the small game of the descriptions: Black begins, White doubles, Black
// redoubles, White drops.
func small() []byte {
	plies := bytes.Join([][]byte{
		roll(1, 3, 6, 24, 6, 13, 3), roll(0, 1, 6, 12, 6, 17, 1), roll(1, 6, 6),
		{double}, {take | 1<<6}, roll(0, 1, 3, 17, 3, 19, 1), roll(1, 5, 6), roll(0, 2, 4, 17, 4, 19, 2), {double | 1<<6}, {drop},
	}, nil)
	match := rec(1|2|4|16, 3, 0, "Änna", "bert", 1, 0, 1)
	return file(section("MTCH", true, match), section("ANAL", false, rec(0, make([]byte, 16))), section("GAME", true, append(rec(1|2, 1, 2), plies...)), section("NEW!", false, nil))
}

func TestRead_smallGame(t *testing.T) {
	m, ws, err := Read(bytes.NewReader(small()))
	if err != nil || len(ws) > 0 {
		t.Fatal(err, ws)
	}
	var kinds []string
	for turn := range m.Turns(&m.Games[0]) {
		kinds = append(kinds, turn.Action.Kind.String())
		if !turn.Legal {
			t.Errorf("action %d: %s", turn.Index, turn.Problem)
		}
	}
	if s := strings.Join(kinds, " "); s != "move move move double take move move move double drop" {
		t.Error(s)
	}
	if g := m.Games[0]; g.Result != (record.Result{Winner: 1, Points: 2}) || g.Score != [2]int{0, 1} || m.Length != 3 || !m.Rules.Crawford || m.Players[0].Name != "Änna" {
		t.Errorf("%+v %+v", g, m.Players)
	}
}

func TestRead_damaged(t *testing.T) {
	good := small()
	old := append([]byte(nil), good...)
	old[4] = 1
	newer := append([]byte(nil), good...)
	newer[8] = 3
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"cut", good[:40], "OGXM: "},
		{"old", old, "OGXM: version 1.2"},
		{"newer", newer, "for readers of version 3"},
		{"not to be passed over", file(section("WHAT", true, nil)), `section "WHAT" must be understood`},
		{"no game", file(section("MTCH", true, rec(0, 3, 0))), "no game in the file"},
		{"no end", good[:len(good)-4], "before its end mark"},
	} {
		_, _, err := Read(bytes.NewReader(c.in))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(small())
	f.Fuzz(func(t *testing.T, in []byte) {
		m, _, err := Read(bytes.NewReader(in))
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
