package demo

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"

	"fibsbot/bot"
	"fibsbot/bot/sheet"
	"fibsbot/engine/board"
)

// stage shows a match: a board drawn over itself on a terminal, plain lines
// elsewhere. Its methods are called from one account's goroutine.
type stage struct {
	out      io.Writer
	live     bool
	fast     bool
	started  bool
	closed   sync.Once
	captions []string
	game     int
	acts     int
	shown    int    // lines of history in the last picture
	pages    string // where both bots are shown, "" without pages
}

func newStage(out io.Writer, f Options) *stage {
	return &stage{out: out, live: f.Terminal && os.Getenv("TERM") != "dumb" && roomy(out), fast: f.Fast}
}

// Size of the picture that scene.draw makes, including the cursor's line below it.
const sceneRows, sceneColumns = 22, 59

// roomy reports whether the picture fits the terminal. A terminal of unknown size counts as
// large enough.
func roomy(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok {
		return false
	}
	columns, rows, err := term.GetSize(int(f.Fd()))
	return err != nil || columns <= 0 || rows <= 0 || rows >= sceneRows && columns >= sceneColumns
}

// leastHistory is how many of the last acts a picture shows at least, mostHistory how
// many a high terminal does.
const leastHistory, mostHistory = 4, 40

// history returns how many acts fit below the board. A new height causes a redraw.
func (s *stage) history() int {
	n := leastHistory
	if f, ok := s.out.(*os.File); ok {
		if _, rows, err := term.GetSize(int(f.Fd())); err == nil {
			n = min(max(n, n+rows-sceneRows), mostHistory)
		}
	}
	if s.shown != 0 && n != s.shown {
		s.started = false
	}
	s.shown = n
	return n
}

// moment shows the changes of one step of the account.
func (s *stage) moment(m bot.Observation) {
	if m.Over != nil {
		won := upperName
		if m.Over.Winner == sheet.Us {
			won = lowerName
		}
		s.tell(fmt.Sprintf("%s wins the match %d-%d", won, max(m.Over.Score[0], m.Over.Score[1]), min(m.Over.Score[0], m.Over.Score[1])), true)
		s.game, s.acts = 0, 0
		return
	}
	if m.Table == nil {
		return
	}
	sn := m.Table.Snapshot()
	if sn.Game == 0 {
		// Nothing is being played: what was shown was the rest of a demo that was
		// interrupted, as its journal had it.
		s.game, s.acts, s.captions = 0, 0, nil
		return
	}
	if sn.Game != s.game {
		s.game, s.acts = sn.Game, 0
		text := fmt.Sprintf("game %d, score %s %d, %s %d", sn.Game, lowerName, sn.Score[sheet.Us], upperName, sn.Score[sheet.Them])
		if sn.Crawford {
			text += ", Crawford game"
		}
		s.tell(text, false)
	}
	if s.news(sn) && s.live {
		s.draw(sn)
	}
}

// news turns the acts since its last call into captions and reports whether there were any.
func (s *stage) news(sn sheet.Snapshot) bool {
	if len(sn.Acts) < s.acts {
		s.acts = len(sn.Acts) // a hole was mended
	}
	fresh := false
	for s.acts < len(sn.Acts) {
		a, before := sn.Acts[s.acts], before(sn.Acts[:s.acts])
		if a.Kind == sheet.ActRolled {
			return true // its play will come
		}
		s.acts++
		fresh = true
		if text := caption(a, before); text != "" {
			s.tell(text, false)
		}
	}
	return fresh
}

// tell adds a caption, which is a line without a picture. A fast stage prints the important ones.
func (s *stage) tell(text string, important bool) {
	s.captions = append(s.captions, text)
	s.captions = s.captions[max(0, len(s.captions)-mostHistory):]
	if !s.live && (important || !s.fast) {
		fmt.Fprintln(s.out, text)
	}
}

// before is the position that acts from the start of a game lead to, as the lower player
// sees it.
func before(acts []sheet.Act) board.Position {
	p := board.Start
	for _, a := range acts {
		switch {
		case a.Kind == sheet.ActShown && a.Shown != nil:
			p = *a.Shown
		case a.Kind == sheet.ActPlayed && a.Side == sheet.Them:
			p = a.Play.Result.Swap()
		case a.Kind == sheet.ActPlayed:
			p = a.Play.Result
		}
	}
	return p
}

// caption says one act in a player's words. p is the position before it, as the lower
// player sees it.
func caption(a sheet.Act, p board.Position) string {
	who := lowerName
	if a.Side == sheet.Them {
		who, p = upperName, p.Swap()
	}
	switch a.Kind {
	case sheet.ActPlayed:
		d := a.Dice.Sorted()
		if a.Play.N == 0 {
			return fmt.Sprintf("%-9s %d%d: cannot move", who, d.A, d.B)
		}
		return fmt.Sprintf("%-9s %d%d: %s", who, d.A, d.B, board.FormatPlay(p, a.Play))
	case sheet.ActDoubled:
		return who + " doubles"
	case sheet.ActTook:
		return who + " takes"
	case sheet.ActDropped:
		return who + " drops"
	case sheet.ActOffered:
		return fmt.Sprintf("%s offers to resign %s", who, [...]string{"nothing", "a single game", "a gammon", "a backgammon"}[min(3, max(0, a.Games))])
	case sheet.ActRefused:
		return who + " refuses"
	}
	return ""
}

// draw paints the board over the last one.
func (s *stage) draw(sn sheet.Snapshot) {
	sc := scene{sn, s.captions, s.history(), s.pages}
	var b strings.Builder
	if !s.started {
		s.started = true
		b.WriteString("\x1b[2J\x1b[?25l") // clear once, hide the cursor
	}
	b.WriteString("\x1b[H")
	// Erase to the end of each line: the old text may have been longer.
	b.WriteString(strings.ReplaceAll(sc.draw(colours()), "\n", "\x1b[K\n"))
	io.WriteString(s.out, b.String())
}

// close gives the cursor back.
func (s *stage) close() {
	s.closed.Do(func() {
		if s.started {
			io.WriteString(s.out, "\x1b[?25h")
		}
	})
}
