package terminal

import (
	"slices"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"fibsbot/cmd/fibsbot/internal/play"
)

// maxInput bounds the typed line, in runes.
const maxInput = 80

// key handles one key.
func (s *screen) key(k tea.KeyPressMsg) tea.Cmd {
	switch name := k.String(); name {
	case "ctrl+c", "ctrl+d":
		s.left = true
		return tea.Quit
	case "enter":
		return s.enter()
	case "esc":
		s.input, s.note, s.panel, s.asking = "", "", nil, nil
		s.selected, s.edge, s.node, s.trail = -1, -1, 0, nil
	case "backspace":
		s.back()
	case "up", "down", "shift+tab", "tab":
		s.choose(map[string]int{"up": -1, "shift+tab": -1, "down": 1, "tab": 1}[name])
	case "left", "right":
		s.turn(map[string]int{"left": -1, "right": 1}[name])
	case "space":
		if s.input == "" && s.view.Phase != play.ToMove {
			return s.enter()
		}
		s.write(" ")
	default:
		if s.input == "" && s.asking != nil {
			return s.answer(k.Text)
		}
		if name == "f1" || s.input == "" && k.Text == "?" {
			if slices.Equal(s.panel, helpLines) {
				s.panel = nil
			} else {
				s.panel = helpLines
			}
			return nil
		}
		if s.over() && k.Text == "q" {
			s.left = true
			return tea.Quit
		}
		s.write(k.Text)
	}
	return nil
}

// write adds to the typed line.
func (s *screen) write(text string) {
	if utf8.RuneCountInString(s.input+text) <= maxInput {
		s.input += text
	}
	s.note = ""
}

// back removes a character, or a step of the unfinished play.
func (s *screen) back() {
	if s.input != "" {
		_, n := utf8.DecodeLastRuneInString(s.input)
		s.input = s.input[:len(s.input)-n]
		return
	}
	if n := len(s.trail); n > 0 {
		s.trail, s.edge, s.node = s.trail[:n-1], -1, 0
		for _, i := range s.trail {
			s.node = s.view.Moves[s.node].Next[i].Node
		}
	}
}

// choose moves in the list of legal plays.
func (s *screen) choose(by int) {
	n := len(s.plays)
	if n == 0 || s.view.Turn != play.You {
		return
	}
	s.edge, s.node, s.trail, s.panel = -1, 0, nil, nil
	s.selected = next(s.selected, by, n)
}

// next goes round n things from at, which is -1 before the first choice.
func next(at, by, n int) int {
	if at < 0 && by > 0 {
		return 0
	}
	return (max(at, 0) + by + n) % n
}

// turn moves among the possible next steps.
func (s *screen) turn(by int) {
	if s.view.Phase != play.ToMove || s.view.Turn != play.You || s.node >= len(s.view.Moves) {
		return
	}
	s.selected = -1
	n := len(s.view.Moves[s.node].Next)
	if n == 0 {
		return
	}
	s.edge = next(s.edge, by, n)
}

// answer handles a key while the tutor waits: anything but yes cancels the act.
func (s *screen) answer(text string) tea.Cmd {
	switch text {
	case "y", "Y":
		return s.do(*s.asking)
	case "h":
		s.asking = nil
		return s.hint()
	}
	s.asking = nil
	return nil
}

// enter carries out the typed line or the chosen play.
func (s *screen) enter() tea.Cmd {
	s.note = ""
	if s.busy != "" {
		return nil
	}
	if s.input != "" {
		line := s.input
		s.input = ""
		return s.obey(line)
	}
	switch {
	case slices.Equal(s.panel, helpLines): // Enter after ? carries out nothing
		s.panel = nil
		return nil
	case s.asking != nil:
		s.asking = nil
		return nil
	case s.over():
		return nil // a fast player would miss the review
	case s.view.Phase != play.ToMove || s.view.Turn != play.You:
		return s.obey("")
	case s.selected >= 0:
		return s.weigh(play.Act{Kind: play.Move, Play: s.plays[s.selected]})
	case s.edge >= 0:
		s.trail = append(s.trail, s.edge)
		s.node, s.edge = s.view.Moves[s.node].Next[s.edge].Node, -1
		if n := &s.view.Moves[s.node]; len(n.Next) > 0 {
			s.edge = 0
		}
		return nil
	case s.view.Moves[s.node].End:
		return s.weigh(play.Act{Kind: play.Move, Play: s.view.Moves[s.node].Play})
	case len(s.plays) == 1:
		return s.weigh(play.Act{Kind: play.Move, Play: s.plays[0]})
	}
	s.note = "type a play, or choose one with the arrow keys"
	return nil
}

// hint asks the engine.
func (s *screen) hint() tea.Cmd {
	width := max(1, s.asideWidth())
	return s.ask("thinking about it", func() func() tea.Cmd {
		lines, err := s.t.Hint(s.ctx, width)
		return func() tea.Cmd {
			if s.panel = lines; err != nil {
				s.note, s.panel = err.Error(), nil
			}
			return nil
		}
	})
}

// nth plays the play of rank n of the hint.
func (s *screen) nth(n int) tea.Cmd {
	return s.ask("thinking about it", func() func() tea.Cmd {
		a, err := s.t.Nth(s.ctx, n)
		return func() tea.Cmd {
			if err != nil {
				s.note = err.Error()
				return nil
			}
			return s.do(a)
		}
	})
}

// obey carries out a typed line.
func (s *screen) obey(line string) tea.Cmd {
	c, err := Parse(line, s.view.Phase)
	if err != nil {
		s.note = err.Error()
		return nil
	}
	if s.ended && c.Verb != Quit {
		s.note = "money play is over: q leaves"
		return nil
	}
	switch c.Verb {
	case Quit:
		s.left = true
		return tea.Quit
	case End:
		if err := mayEnd(&s.view); err != nil {
			s.note = err.Error()
			return nil
		}
		s.ended = true
		return s.file()
	case Help:
		s.panel = helpLines
	case Hint:
		return s.hint()
	case Tutor, Hands, Fix, Undo:
		if s.note = s.t.carryOut(c); s.note != "" {
			return nil
		}
		s.look()
		return s.think()
	case Nth:
		return s.nth(c.N)
	case Board, Plays:
		s.panel = nil
	case Yes, No:
		s.note = "there is nothing to confirm"
	case Do:
		return s.weigh(c.Act)
	}
	return nil
}
