package oldmoves

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
	"fibsbot/engine/record"
	"fibsbot/engine/record/internal/matchbuilder"
)

var (
	scoreLine  = regexp.MustCompile(`Score is (\d{1,6})-(\d{1,6}) in an? (?:(\d{1,5})|unlimited|\S+)`)
	namesLine  = regexp.MustCompile(`(\S.*?) is ([XO])\s*-\s*(\S.*?) is ([XO])\.?\s*$`)
	actionLine = regexp.MustCompile(`^\s*([XO]):\s*(.*?)\s*$`)
	rollText   = regexp.MustCompile(`^\(([1-6]) ([1-6])\)\s*(.*)$`)
	boardText  = regexp.MustCompile(`^Board (\S{14})(?:, ([XO]) on roll)?$`)
	cubeText   = regexp.MustCompile(`^Cube (?:(\d{1,7})|with ([XO])|(in the middle))$`)
	winsText   = regexp.MustCompile(`^wins(?:\s+(\d{1,6}))?`)
)

// Read reads a file that holds one match. If there are more, the first is
// returned and a warning says how many there are. Errors are those of ReadAll.
func Read(r io.Reader) (*record.Match, []record.Warning, error) {
	return matchbuilder.First(ReadAll(r))
}

// ReadAll reads every match of a file, at least one. Errors are
// *record.SyntaxError or of r.
func ReadAll(r io.Reader) ([]*record.Match, []record.Warning, error) {
	rd := reader{File: matchbuilder.NewFile(r)}
	for rd.Scan() {
		rd.line(rd.Text)
	}
	return rd.All(`no game in the file: want "Score is 0-0 in a 5 point match."`)
}

type reader struct {
	*matchbuilder.File

	header   bool // a score line was read, the names must follow
	score    [2]int
	length   int
	x        int      // which player is X in this game
	way      [2]int   // 1 where a player's points are counted upwards
	resigned bool     // an offer to resign has no answer yet
	gaveUp   bool     // the same, or it was accepted
	comment  []string // on the game that is to come
	unknown  bool     // the length of the match is neither a number nor unlimited
	told     bool     // that actions before the first game are left out
	unsaid   bool     // the last game ended by "wins" with the points unknown
}

func (r *reader) warn(format string, args ...any) {
	if r.Builder != nil {
		r.Line = r.Number
		r.Warn(format, args...)
	}
}

func (r *reader) line(line string) {
	if m := scoreLine.FindStringSubmatch(line); m != nil {
		r.score[0], _ = strconv.Atoi(m[1])
		r.score[1], _ = strconv.Atoi(m[2])
		r.length, _ = strconv.Atoi(m[3]) // no number: unlimited
		r.unknown = m[3] == "" && !strings.Contains(m[0], "unlimited")
		r.header = true
		return
	}
	if r.header && strings.TrimSpace(line) != "" {
		// Empty lines are skipped: FIBS scatters them.
		r.names(line)
		return
	}
	m := actionLine.FindStringSubmatch(line)
	switch {
	case m != nil && r.Builder != nil && r.Current() != nil:
		r.Line = r.Number
		r.action(r.player(m[1]), m[2])
	case m != nil && r.Builder == nil:
		if !r.told {
			r.told = true
			r.Note(record.Warning{Line: r.Number, Text: fmt.Sprintf("no game has begun: left out are %q and what follows", clip(strings.TrimSpace(line)))})
		}
	case strings.HasPrefix(line, "#"):
		r.remark(strings.TrimSpace(line[1:]))
	case strings.TrimSpace(line) == "":
		if r.Builder != nil {
			r.EndGame()
		}
	default:
		r.warn("cannot read %q", clip(line))
	}
}

// names reads the line of names below a score, which begins a game.
func (r *reader) names(line string) {
	m := namesLine.FindStringSubmatch(line)
	if m == nil || m[2] == m[4] {
		r.Lines.Fail(`the line after the score must be "NAME is X - NAME is O"`)
		return
	}
	r.header = false
	names := [2]string{m[1], m[3]}
	if m[2] == "O" {
		names[0], names[1] = names[1], names[0]
		r.score[0], r.score[1] = r.score[1], r.score[0]
	}
	r.game(names)
	if r.unknown {
		r.warn("how long the match is cannot be read: taken as unlimited")
	}
	r.Comment(strings.Join(r.comment, "\n"))
	r.comment = nil
}

// clip keeps quoted text of a file short, at a whole character.
func clip(text string) string { return matchbuilder.Clip(text, 60) }

// player is who has a letter, X or O, in this game, or record.NoPlayer without a letter.
func (r *reader) player(letter string) int {
	if letter == "" {
		return record.NoPlayer
	}
	return r.x ^ strings.Index("XO", letter)
}

// remark reads the set-up that Write puts in a comment; any other text is a comment.
func (r *reader) remark(text string) {
	if r.Builder == nil || r.Current() == nil {
		if len(r.comment) < maxComments {
			r.comment = append(r.comment, text)
		}
		return
	}
	r.Line = r.Number
	if m := boardText.FindStringSubmatch(text); m != nil {
		if p, err := board.ParseID(m[1]); err != nil {
			r.warn("%v", err)
		} else {
			r.SetUp(r.player(m[2]), record.Setup{Board: record.ByPlayer(p, r.x)})
		}
	} else if m := cubeText.FindStringSubmatch(text); m == nil {
		r.Comment(text)
	} else if cube, err := strconv.Atoi(m[1]); err == nil {
		r.SetUp(record.NoPlayer, record.Setup{Cube: cube})
	} else {
		r.SetUp(record.NoPlayer, record.Setup{Owner: r.player(m[2]), SetOwner: true})
	}
}

// maxComments bounds the lines of a comment on a game.
const maxComments = 100

// game begins a game between X and O, in a new match where this cannot be the
// next game of the running one.
func (r *reader) game(names [2]string) {
	score := r.score
	if r.Builder != nil {
		r.EndGame()
		p := r.Match.Players
		swapped := names[0] == p[1].Name && names[1] == p[0].Name && names[0] != names[1]
		same := names[0] == p[0].Name && names[1] == p[1].Name
		expected := r.Match.FinalScore()
		if swapped {
			score[0], score[1] = score[1], score[0]
		}
		fits := r.fits(score, expected)
		if !fits && r.fits([2]int{score[1], score[0]}, expected) {
			score[0], score[1], fits = score[1], score[0], true
		}
		if (same || swapped) && r.length == r.Match.Length && (fits || score != [2]int{}) {
			r.x = 0
			if swapped {
				r.x = 1
			}
			if r.unsaid {
				// The score of the next game shows what a resignation cost.
				last := &r.Match.Games[len(r.Match.Games)-1]
				if won := score[last.Result.Winner] - last.Score[last.Result.Winner]; won > 0 {
					last.Result.Points = won
				}
			}
			r.unsaid, r.resigned, r.gaveUp, r.way = false, false, false, writersWay(r.x)
			r.Game(score)
			return
		}
		torn := score != [2]int{} && (names[0] == p[0].Name || names[1] == p[1].Name || names[0] == p[1].Name || names[1] == p[0].Name) &&
			r.length == r.Match.Length && r.length > 0
		if torn {
			r.warn("%q and %q at %d-%d: taken for another match than that of %q and %q before", clip(names[0]), clip(names[1]),
				r.score[0], r.score[1], clip(p[0].Name), clip(p[1].Name))
		}
		score = r.score
	}
	r.Begin(r.Number)
	r.Terse = true
	r.x, r.resigned, r.gaveUp, r.unsaid, r.way = 0, false, false, false, writersWay(0)
	m := r.Match
	m.Players[0].Name, m.Players[1].Name = names[0], names[1]
	m.Length = r.length
	m.Rules.Crawford = r.length > 0
	if r.length == 0 {
		m.Rules.Beavers = match.DefaultBeavers
	}
	r.Game(score)
}

// writersWay is the direction that is taken where nothing tells another: X
// counts down, O up.
func writersWay(x int) (way [2]int) {
	way[x], way[1-x] = -1, 1
	return way
}

// fits reports whether a game at this score may follow one that ended at expected.
func (r *reader) fits(score, expected [2]int) bool {
	if !r.unsaid {
		return score == expected
	}
	games := r.Match.Games
	last := &games[len(games)-1]
	w := last.Result.Winner
	return score[1-w] == last.Score[1-w] && score[w] >= expected[w]
}

func (r *reader) action(player int, text string) {
	s := r.Builder
	if s.Current().Result.Finished() {
		s.Warn("the game is over: %q", clip(text))
	}
	if m := rollText.FindStringSubmatch(text); m != nil {
		d := board.Dice{A: m[1][0] - '0', B: m[2][0] - '0'}
		r.gaveUp = false
		if m[3] == "" {
			s.Open(player, d)
			return
		}
		if rest, ok := strings.CutPrefix(m[3], "can't move"); ok {
			if m[3] = ""; strings.TrimSpace(rest) != "" {
				s.Warn("%d%d: cannot read %q", d.A, d.B, clip(rest))
			}
		}
		s.Move(player, d, ownNumbers(m[3], &r.way[player]))
		return
	}
	switch {
	case text == "doubles":
		r.gaveUp = false
		s.Double(player)
	case text == "wants to resign":
		r.resigned, r.gaveUp = true, true
	case text == "accepts" && r.resigned, text == "rejects" && r.resigned:
		r.resigned, r.gaveUp = false, text == "accepts"
	case text == "accepts":
		s.Take(player)
	case text == "rejects":
		s.Drop(player)
	default:
		if m := winsText.FindStringSubmatch(text); m != nil {
			r.wins(player, m[1])
			return
		}
		s.Warn("cannot read %q", clip(text))
	}
}

func (r *reader) wins(player int, said string) {
	winner, points := r.Outcome()
	if r.gaveUp && r.Unplayed() {
		winner = record.NoPlayer
	}
	n, _ := strconv.Atoi(said)
	switch {
	case n > 0:
		points = n
	case winner == record.NoPlayer:
		points, _ = r.Cube()
		r.unsaid = true
	}
	r.Win(player, points)
	// A double that waits for its answer stays open.
	r.Current().Result.Resigned = winner == record.NoPlayer && r.gaveUp
}

// upwards returns 1 for a pair that counts upwards in the board's numbers, -1 for one that counts
// down, and 0 for an impossible play, which could be either.
func upwards(from, to string) int {
	a, errA := strconv.Atoi(from)
	b, errB := strconv.Atoi(to)
	switch {
	case errA == nil && errB == nil && a != b:
		return cmp.Compare(b, a)
	case errA != nil && errB == nil && b <= 6, errA == nil && errB != nil && a >= 19:
		return 1
	case errA != nil && errB == nil && b >= 19, errA == nil && errB != nil && a <= 6:
		return -1
	}
	return 0
}

// ownNumbers turns the parts of a play that count upwards into the mover's own
// numbering. way is the direction of the player where the text does not say,
// and is kept up to date.
func ownNumbers(text string, way *int) string {
	words := strings.Fields(text)
	for _, w := range words {
		if from, to, ok := strings.Cut(w, "-"); ok {
			if d := upwards(from, to); d != 0 {
				*way = d
				break
			}
		}
	}
	turn := func(point string) string {
		if n, err := strconv.Atoi(point); err == nil {
			return strconv.Itoa(25 - n)
		}
		return point
	}
	for i, w := range words {
		from, to, ok := strings.Cut(w, "-")
		if !ok {
			continue
		}
		d := upwards(from, to)
		if d > 0 || d == 0 && *way > 0 {
			words[i] = turn(from) + "/" + turn(to)
		}
	}
	return strings.Join(words, " ")
}
