package xg

import (
	"fmt"
	"strings"
	"time"

	"fibsbot/engine/board"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
)

// checkers reads 26 points seen by one side: its own checkers and the other's.
func (b blob) checkers(at int) (p board.Position, empty, ok bool) {
	empty, ok = true, true
	for i := range 26 {
		switch n := b.i8(at + i); {
		case n == 0:
			continue
		case n > board.MaxCheckers || n < -board.MaxCheckers || n > 0 && i == 0 || n < 0 && i == 25:
			ok = false
		case n > 0:
			p.Me[i-1] = uint8(n)
		default:
			p.Opp[24-i] = uint8(-n)
		}
		empty = false
	}
	return p, empty, ok && p.Validate() == nil
}

// match reads the header of the match.
func (r *reader) match(b blob) {
	m := r.s.Match
	text := func(version, wide, short, size int) string {
		if r.version >= version {
			if s := b.wide(wide, 129); s != "" {
				return s
			}
		}
		if short == 0 {
			return ""
		}
		return b.short(short, size)
	}
	m.Event, m.Place, m.Round = text(24, 622, 136, 128), text(24, 1396, 283, 128), text(24, 1654, 417, 128)
	m.Players[0].Name, m.Players[1].Name = text(24, 880, 9, 40), text(24, 1138, 50, 40)
	m.Annotator = text(30, 1960, 0, 0)
	r.imported = b.flag(416)
	m.Length = b.i32(92)
	if m.Length == money || m.Length < 0 || m.Length > 1<<15 {
		m.Length = 0
	}
	for _, g := range record.Variations {
		if g.XG != 0 && g.XG == b.i32(96) {
			m.Rules.Variation = g.Variation
		}
	}
	m.Rules.Crawford = b.flag(100) && m.Length > 0
	if m.Length == 0 {
		m.Rules.Jacoby, r.s.JacobySaid = b.flag(101), true
		if b.flag(102) {
			m.Rules.Beavers = 3
		}
	}
	if n := b.i32(612); r.version >= 8 && n >= 0 && n < 10 {
		m.Rules.NoCube = n == 0
		if n > 0 {
			m.Rules.CubeLimit = 1 << n
		}
	}
	for i := range m.Players {
		m.Players[i].Rating = fmt.Sprintf("%.2f/%d", b.f64(104+8*i), b.i32(120+4*i))
	}
	if days := b.f64(128); days >= 1 && days < 100_000 {
		when := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).Add(time.Duration(days * 24 * float64(time.Hour)).Round(time.Second))
		m.Date = when.Format("2006-01-02")
		if c := when.Format("15:04"); c != "00:00" {
			m.Time = c
		}
	}
	m.Comment = r.comment(b.i32(576))
	if more := r.comment(b.i32(580)); more != "" {
		m.Comment = strings.TrimSpace(m.Comment + "\n" + more)
	}
}

// comment returns a comment by its number; a number of another file means none.
func (r *reader) comment(i int) string {
	if i < 0 || i >= len(r.comments) {
		return ""
	}
	return r.comments[i]
}

func (r *reader) game(b blob) {
	score := [2]int{max(b.i32(12), 0), max(b.i32(16), 0)}
	r.s.Game(score)
	g := r.s.Current()
	g.Crawford = b.flag(20) && r.s.Match.Length > 0
	if n := b.i32(48); n > 0 && n < matchbuilder.MaxGames {
		g.Number = n - 1
	}
	if n := b.i32(64); r.version >= 26 && n > 0 && n < 16 {
		g.Cube = 1 << n
		r.s.Restart()
	}
	for _, i := range []int{56, 60} {
		if c := r.comment(b.i32(i)); c != "" {
			r.s.Comment(c)
		}
	}
	r.lost = false
	p, empty, ok := b.checkers(21)
	if r.started = !empty && ok; r.started && p != r.s.Match.Rules.Variation.Start() {
		r.s.SetUp(record.NoPlayer, record.Setup{Board: record.ByPlayer(p, 0)})
	}
}
