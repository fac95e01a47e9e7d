package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/engine/board"
)

// Screen plays on the terminal of in and out. It returns when the player leaves or the
// context ends; the match is saved then.
func Screen(ctx context.Context, t *Table, in io.Reader, out io.Writer) error {
	working, stop := context.WithCancel(ctx)
	s := newScreen(working, t)
	p := tea.NewProgram(s, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out))
	s.send = p.Send
	_, err := p.Run()
	stop()
	s.filing.Wait()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		return ctx.Err()
	}
	return errors.Join(err, s.failed)
}

// Messages of the screen's commands.
type (
	thought struct {
		done bool
		err  error
	}
	shown     struct{}
	analysing struct{ done, total int }
	// answered is an answer about a state of the match; then shows it.
	answered struct {
		version int
		then    func() tea.Cmd
	}
)

// screen is the model of everything that is shown beside the match.
type screen struct {
	ctx  context.Context
	t    *Table
	view Faced

	w, h     int
	hollow   bool // no colours
	input    string
	note     string   // one line about the last command
	panel    []string // hint, help or review instead of the list of plays
	busy     string   // what the screen waits for
	asking   *play.Act
	asked    play.Cost
	selected int // in plays, -1 none
	plays    []string
	node     int // of view.Moves, while a play is put together
	edge     int // chosen step of the node, -1 none
	trail    []int
	failed   error
	left     bool
	ended    bool           // money play, by the person
	send     func(tea.Msg)  // to the program; nil in tests
	filing   sync.WaitGroup // holds the goroutine of file
}

func newScreen(ctx context.Context, t *Table) *screen {
	s := &screen{ctx: ctx, t: t, w: 80, h: 24, selected: -1, edge: -1}
	s.look()
	return s
}

// Init implements tea.Model.
func (s *screen) Init() tea.Cmd { return s.think() }

// look reads the state of the match.
func (s *screen) look() {
	s.view = s.t.View()
	s.plays = LegalPlays(&s.view)
	s.selected, s.node, s.edge, s.trail = -1, 0, -1, nil
}

// ask shows what it waits for while work asks the engine. What work returns is done then,
// unless the match has changed meanwhile.
func (s *screen) ask(busy string, work func() (then func() tea.Cmd)) tea.Cmd {
	s.busy = busy
	version := s.view.Version
	return func() tea.Msg { return answered{version, work()} }
}

// think lets the opponent act once.
func (s *screen) think() tea.Cmd {
	if s.view.Turn == play.Opponent {
		s.busy = s.view.Names[play.Opponent] + " is thinking"
	}
	return func() tea.Msg {
		done, err := s.t.Think(s.ctx)
		return thought{done, err}
	}
}

// Update implements tea.Model.
func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.ColorProfileMsg:
		s.hollow = m.Profile <= colorprofile.ASCII
	case tea.WindowSizeMsg:
		s.w, s.h = m.Width, m.Height
	case thought:
		return s, s.thought(m)
	case shown:
		return s, s.think()
	case answered:
		if s.busy = ""; m.version == s.view.Version {
			return s, m.then()
		}
	case analysing:
		if s.busy != "" {
			s.busy = fmt.Sprintf("analysing: %d of %d decisions; q leaves it for later", m.done, m.total)
		}
	case tea.KeyPressMsg:
		return s, s.key(m)
	case tea.PasteMsg:
		s.input += m.Content
	}
	return s, nil
}

// thought shows the opponent's act and continues with the next, or waits for the person.
func (s *screen) thought(m thought) tea.Cmd {
	if m.err != nil {
		if s.ctx.Err() == nil {
			s.failed = m.err
		}
		return tea.Quit
	}
	s.look()
	s.busy = ""
	switch {
	case s.over():
		return s.file()
	case m.done:
		s.panel = nil
		return tea.Tick(s.t.Pause, func(time.Time) tea.Msg { return shown{} })
	}
	return nil
}

// over reports whether there is nothing left to play.
func (s *screen) over() bool { return s.ended || s.view.Phase == play.MatchOver }

// file archives and analyses the finished match and shows the review.
func (s *screen) file() tea.Cmd {
	out := make(chan error, 1)
	s.filing.Go(func() {
		out <- s.t.File(s.ctx, func(done, total int) {
			if s.send != nil {
				s.send(analysing{done, total})
			}
		})
	})
	return s.ask("analysing the match; q leaves it for later", func() func() tea.Cmd {
		err := <-out
		return func() tea.Cmd {
			if s.panel = s.t.Filed.Review; s.t.Filed.Identity != "" {
				s.panel = append(s.panel, "", "Archived as "+s.t.Filed.Identity)
			}
			if err != nil {
				s.note = err.Error()
			}
			return nil
		}
	})
}

// do carries out an act and lets the opponent act.
func (s *screen) do(a play.Act) tea.Cmd {
	s.asking = nil
	if err := s.t.Do(a); err != nil {
		if errors.Is(err, ErrSave) {
			s.failed = err
			return tea.Quit
		}
		s.note = err.Error()
		return nil
	}
	s.note, s.panel = "", nil
	s.look()
	return s.think()
}

// weigh asks the tutor first.
func (s *screen) weigh(a play.Act) tea.Cmd {
	if s.t.Tutor <= 0 {
		return s.do(a)
	}
	return s.ask("the tutor is checking", func() func() tea.Cmd {
		j, bad := s.t.Weigh(s.ctx, a)
		return func() tea.Cmd {
			if bad {
				s.asking, s.asked = &a, j
				return nil
			}
			return s.do(a)
		}
	})
}

// boards is the position with the chosen steps, which are not played yet.
func (s *screen) boards() (b [2]board.Checkers, from, to map[int]bool) {
	b, from, to = s.view.Board, map[int]bool{}, map[int]bool{}
	step := func(e play.Edge) {
		move(&b, e)
		from[e.From], to[e.To] = true, true
	}
	if s.selected >= 0 && s.selected < len(s.plays) {
		for _, e := range pathTo(s.view.Moves, s.plays[s.selected]) {
			step(e)
		}
		return b, from, to
	}
	node := 0
	for _, i := range s.trail {
		e := s.view.Moves[node].Next[i]
		step(e)
		node = e.Node
	}
	if s.edge >= 0 && s.node < len(s.view.Moves) && s.edge < len(s.view.Moves[s.node].Next) {
		step(s.view.Moves[s.node].Next[s.edge])
	}
	return b, from, to
}

// move makes one step of You on b.
func move(b *[2]board.Checkers, e play.Edge) {
	index := func(point int) int {
		if point == 25 {
			return board.Bar
		}
		return point - 1
	}
	b[play.You][index(e.From)]--
	if e.To < 1 {
		return
	}
	b[play.You][index(e.To)]++
	if e.Hit {
		b[play.Opponent][24-e.To]--
		b[play.Opponent][board.Bar]++
	}
}

// pathTo is the steps of a play, in the order of the tree.
func pathTo(t play.Tree, text string) []play.Edge {
	type reach struct{ node, before, edge int }
	seen := make([]reach, len(t))
	for i := range seen {
		seen[i].before = -1
	}
	queue := []int{0}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if t[n].End && t[n].Play == text {
			var path []play.Edge
			for n != 0 {
				r := seen[n]
				path = append([]play.Edge{t[r.before].Next[r.edge]}, path...)
				n = r.before
			}
			return path
		}
		for i, e := range t[n].Next {
			if e.Node != 0 && seen[e.Node].before < 0 {
				seen[e.Node] = reach{e.Node, n, i}
				queue = append(queue, e.Node)
			}
		}
	}
	return nil
}
