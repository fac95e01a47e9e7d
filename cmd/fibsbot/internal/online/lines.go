package online

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fibsbot/bot/table"
	"fibsbot/bot/watch"
	"fibsbot/cmd/fibsbot/internal/play"
	"fibsbot/cmd/fibsbot/internal/play/terminal"
)

// Console is where a person reads and types; [term.Terminal] is one.
type Console interface {
	io.Writer
	ReadLine() (string, error)
}

// Plain is a Console of plain lines.
func Plain(in io.Reader, out io.Writer) Console {
	s := bufio.NewScanner(in)
	s.Buffer(nil, longestLine)
	return &plain{Writer: out, in: s}
}

// longestLine bounds a command in bytes.
const longestLine = 4096

type plain struct {
	io.Writer
	in *bufio.Scanner
}

// ReadLine implements Console.
func (p *plain) ReadLine() (string, error) {
	if !p.in.Scan() {
		return "", errors.Join(p.in.Err(), io.EOF)
	}
	return p.in.Text(), nil
}

// help lists the commands.
const help = `At the board:
  8/5 6/5      move checkers (also 13/7/4, bar/22, 6/off, 8/5(2))
  roll  r      roll the dice            double  d    offer the cube
  take  t      accept a double          pass         refuse it
  resign [2|3] offer to resign (gammon, backgammon)
  accept, reject   answer an offer to resign
  plays  p     list the legal plays     board  b     show the board again
  say TEXT     say it to your opponent  kibitz TEXT  say it to watchers too
  leave        leave the match, which the server saves
In the lobby:
  who [TEXT]   list the players         saved        list saved matches and invitations
  invite NAME POINTS   (0 for an unlimited match)
  open POINTS  open a match for any player (bgammon); close closes it
  join [NAME]  accept an invitation     resume NAME  go on with a saved match
  rematch      invite the last opponent again
  tell NAME TEXT       say it to a player
  watch NAME   watch the matches of a player (on the page); unwatch
  whisper TEXT, kibitz TEXT   talk to its spectators, to its players too
  raw LINE     send a command of the server, such as raw whois NAME
  help  ?      list the commands        quit  q      log out`

// Lines shows a room on a console until the person leaves, or ctx ends. It obeys what is typed.
// auto names the acts that are done without asking.
func Lines(ctx context.Context, r *Room, c Console, auto terminal.Auto) error {
	d := &display{r: r, c: c, auto: auto}
	typed := make(chan string)
	over := make(chan error, 1)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		for {
			line, err := c.ReadLine()
			if err != nil {
				over <- err
				return
			}
			select {
			case typed <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer d.left()
	d.printf("Type help for the commands.\n")
	for {
		select {
		case <-ctx.Done():
			d.show()
			return d.err
		case err := <-over:
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return errors.Join(err, d.err)
		case <-r.Changed():
			d.show()
		case line := <-typed:
			quit, err := d.obey(strings.TrimSpace(line))
			if err != nil {
				d.printf("%v\n", err)
			}
			if quit || d.err != nil {
				return d.err
			}
		}
	}
}

// display is the state of Lines.
type display struct {
	r     *Room
	c     io.Writer
	auto  terminal.Auto
	asked *table.Situation // whose board was shown
	err   error            // of writing
}

func (d *display) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(d.c, format, args...); err != nil && d.err == nil {
		d.err = err
	}
}

// show prints what is new.
func (d *display) show() {
	st := d.r.Take()
	for _, line := range st.News {
		d.printf("%s\n", line)
	}
	if d.asked == st.Asked || st.View == nil {
		return
	}
	if d.asked = st.Asked; d.asked == nil {
		return
	}
	f := terminal.Faced{View: *st.View}
	if e := f.Easy; e != nil && (e.Why == "forced" && d.auto.Forced || e.Why == "bearoff" && d.auto.Bearoff) {
		if d.r.Do(play.Act{Kind: play.Move, Play: e.Play}) == nil {
			return
		}
	}
	d.printf("%sYou are to act: %s\n", terminal.Pictured(&f), terminal.PromptOf(&f))
}

// left says what becomes of the match at the board.
func (d *display) left() {
	st := d.r.Now()
	if st.View == nil {
		return
	}
	if seat := d.r.acc.Protocol.Rules().SeatKept; seat > 0 {
		d.printf("The match goes on if you are back within %v.\n", seat)
		return
	}
	d.printf("The server saves the match (resume %s continues it).\n", st.View.Names[play.Opponent])
}

// errAid answers those who ask for help.
var errAid = errors.New("the engine does not help in a match against others; it analyses the match afterwards")

// obey carries out a command.
func (d *display) obey(line string) (quit bool, err error) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	first, more, _ := strings.Cut(rest, " ")
	st := d.r.Now()
	switch word = strings.ToLower(word); word {
	case "who":
		return false, d.r.Who(rest)
	case "saved", "invitations":
		d.r.Offers()
		return false, nil
	case "invite":
		points, err := strconv.Atoi(more)
		if err != nil || points < 0 {
			return false, fmt.Errorf("invite NAME POINTS, such as invite %s 5 (0 for an unlimited match)", cmp.Or(first, "NAME"))
		}
		return false, d.r.Invite(first, points)
	case "open":
		points, err := strconv.Atoi(rest)
		if err != nil || points < 1 {
			return false, errors.New("open POINTS, such as open 5")
		}
		return false, d.r.Open(points)
	case "close":
		return false, d.r.Close()
	case "resume":
		if rest == "" {
			return false, errors.New("resume NAME (saved lists them)")
		}
		return false, d.r.Resume(rest)
	case "rematch":
		return false, d.r.Rematch()
	case "join":
		return false, d.r.Join(rest)
	case "leave":
		return false, d.r.Leave()
	case "say", "s":
		return false, d.r.Say(rest)
	case "watch":
		return false, d.r.Watch(rest)
	case "unwatch":
		return false, d.r.Unwatch()
	case "keep":
		if rest != "on" && rest != "off" {
			return false, errors.New("keep on, or keep off")
		}
		return false, d.r.Keep(rest == "on")
	case "comment":
		if rest != watch.ChannelNone && rest != watch.ChannelWhisper && rest != watch.ChannelKibitz {
			return false, errors.New("comment none, whisper (to spectators) or kibitz (to players too)")
		}
		return false, d.r.Comment(rest)
	case "whisper":
		return false, d.r.Whisper(rest)
	case "kibitz", "k":
		return false, d.r.Kibitz(rest)
	case "tell":
		return false, d.r.Tell(first, strings.TrimSpace(more))
	case "raw":
		return false, d.r.Raw(rest)
	case "accept":
		if st.View == nil {
			return false, d.r.Join(rest)
		}
	}
	phase := play.MatchOver
	if st.View != nil {
		phase = st.View.Phase
	}
	c, err := terminal.Parse(line, phase)
	switch {
	case err != nil:
		return false, err
	case c.Verb == terminal.Quit:
		return true, nil
	case c.Verb == terminal.Help:
		d.printf("%s\n", help)
	case c.Verb == terminal.Board && line == "" || c.Verb == terminal.Yes || c.Verb == terminal.No:
	case c.Verb == terminal.Hint, c.Verb == terminal.Nth, c.Verb == terminal.Tutor, c.Verb == terminal.Hands:
		return false, errAid
	case c.Verb == terminal.Board && st.View != nil:
		d.printf("%s", terminal.Pictured(&terminal.Faced{View: *st.View}))
	case c.Verb == terminal.Plays && st.View != nil:
		d.printf("%s\n", strings.Join(terminal.LegalPlays(&terminal.Faced{View: *st.View}), "\n"))
	case c.Verb == terminal.Do:
		return false, d.r.Do(c.Act)
	default:
		return false, fmt.Errorf("%s: not in a match on a server", word)
	}
	return false, nil
}
