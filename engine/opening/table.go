package opening

import (
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed" // the table
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fibsbot/engine/board"
	"fibsbot/engine/match"
)

// Play is one rolled out play.
type Play struct {
	// Move is the play in notation.
	Move string `json:"move"`
	// Equity is normalised (EMG), from the view of the player to decide.
	Equity float64 `json:"equity"`
	StdErr float64 `json:"equity_stderr"`
	// Loss is how much worse the play is than the best one; LossErr is the standard error of
	// that difference, 0 for the best.
	Loss    float64 `json:"loss"`
	LossErr float64 `json:"loss_stderr"`
	// Probs are the chances to win, to win a gammon and a backgammon, and to lose them.
	Probs  [5]float64 `json:"probs"`
	Trials int        `json:"trials"`
	// Plies is the number after which a trial ended, 0 for the end of the game; Early is the
	// number at the start of a trial that a 2-ply search played.
	Plies int `json:"plies"`
	Early int `json:"early_plies"`
}

// Entry is a roll with its rolled out plays, the best first.
type Entry struct {
	Score Score `json:"score"`
	// First is the opening roll and play that is replied to, "" for an opening.
	First string `json:"first"`
	// Roll is the roll to play, the larger die first.
	Roll     string         `json:"roll"`
	Plays    []Play         `json:"plays"`
	Position board.Position `json:"-"`
	Dice     board.Dice     `json:"-"`
}

// Situation returns the decision with score and dice.
func (d *Entry) Situation() match.Situation {
	return match.Situation{Position: d.Position, State: d.Score.State(), Dice: d.Dice}
}

// key identifies a decision however it came about.
type key struct {
	score    Score
	position board.Key
	dice     board.Dice
}

// Table is a set of decisions. It is immutable.
type Table struct {
	decisions []Entry
	byKey     map[key]Entry
}

// ErrTable is wrapped by errors about files that are not a table.
var ErrTable = errors.New("not a table of openings")

//go:embed openings.tsv.gz
var shipped []byte

// Shipped returns the table in the program.
var Shipped = sync.OnceValue(func() *Table {
	z, err := gzip.NewReader(bytes.NewReader(shipped))
	if err != nil {
		panic(err) // the file is in the binary
	}
	t, err := Read(z)
	if err != nil {
		panic(err) // a test reads it
	}
	return t
})

// NewTable makes a table of decisions, without duplicates. The error wraps ErrTable for
// decisions that a table cannot hold.
func NewTable(list []Entry) (*Table, error) {
	t := &Table{byKey: map[key]Entry{}}
	for _, d := range list {
		if err := d.place(); err != nil {
			return nil, err
		}
		if len(d.Plays) == 0 {
			return nil, fmt.Errorf("%w: %s %s has no play", ErrTable, d.First, d.Roll)
		}
		slices.SortStableFunc(d.Plays, func(a, b Play) int {
			return cmp.Or(cmp.Compare(a.Loss, b.Loss), cmp.Compare(b.Equity, a.Equity))
		})
		t.byKey[key{d.Score, d.Position.Key(), d.Dice.Sorted()}] = d
		t.decisions = append(t.decisions, d)
	}
	slices.SortStableFunc(t.decisions, func(a, b Entry) int { return a.compare(&b) })
	t.decisions = slices.CompactFunc(t.decisions, func(a, b Entry) bool { return a.compare(&b) == 0 })
	return t, nil
}

// compare orders decisions by score, opening and roll.
func (d *Entry) compare(e *Entry) int {
	return cmp.Or(cmp.Compare(slices.Index(Scores, d.Score), slices.Index(Scores, e.Score)), cmp.Compare(d.First, e.First), cmp.Compare(d.Roll, e.Roll))
}

// Decide returns a decision without plays: a roll at the start of the game, or after an
// opening play, as Entry.First has it. The error wraps ErrTable.
func Decide(s Score, first, roll string) (Entry, error) {
	d := Entry{Score: s, First: first, Roll: roll}
	return d, d.place()
}

// place finds the position and the dice of a decision from its words.
func (d *Entry) place() (err error) {
	if _, err = ParseScore(string(d.Score)); err != nil {
		return fmt.Errorf("%w: %w", ErrTable, err)
	}
	if d.Dice, err = parseRoll(d.Roll); err != nil {
		return fmt.Errorf("%w: %w", ErrTable, err)
	}
	d.Position, d.Plays = board.Start, slices.Clone(d.Plays)
	if d.First == "" {
		if d.Dice.Double() {
			return fmt.Errorf("%w: %s is not an opening roll", ErrTable, d.Roll)
		}
	} else {
		roll, move, _ := strings.Cut(d.First, " ")
		dice, err := parseRoll(roll)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrTable, err)
		}
		pl, err := board.ParsePlay(board.Start, dice, move)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrTable, err)
		}
		d.Position = pl.Result.Swap()
	}
	for i := range d.Plays {
		pl, err := board.ParsePlay(d.Position, d.Dice, d.Plays[i].Move)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrTable, err)
		}
		d.Plays[i].Move = board.FormatPlay(d.Position, pl)
	}
	return nil
}

// parseRoll reads a roll as "31", "3-1" or "3 1".
func parseRoll(text string) (board.Dice, error) {
	var faces []uint8
	for _, c := range text {
		switch {
		case c >= '1' && c <= '6':
			faces = append(faces, uint8(c-'0'))
		case strings.ContainsRune(" -,", c):
		default:
			faces = append(faces, 0)
		}
	}
	if d := (board.Dice{}); len(faces) == 2 {
		if d = (board.Dice{A: faces[0], B: faces[1]}).Sorted(); d.Valid() {
			return d, nil
		}
	}
	return board.Dice{}, fmt.Errorf("%.20q is not a roll (use two dice, as 31)", text)
}

// Find returns the decision for a roll in a position, if the table has it at this score.
func (t *Table) Find(s match.Situation) (Entry, bool) {
	score, ok := scoreOf(s.State)
	if !ok || !s.Dice.Valid() {
		return Entry{}, false
	}
	d, ok := t.byKey[key{score, s.Position.Key(), s.Dice.Sorted()}]
	return d, ok
}

// Near is Find, but takes the entry for money where the score is near it: in money play by
// any rules, and in matches where both players need four points or more and no one has
// doubled.
func (t *Table) Near(s match.Situation) (Entry, bool) {
	if d, ok := t.Find(s); ok {
		return d, ok
	}
	me, opp := s.State.Away()
	if s.State.Owner != match.Centred || s.State.Cube > 1 || s.State.Length > 0 && min(me, opp) < bookAway {
		return Entry{}, false
	}
	s.State = Money.State()
	return t.Find(s)
}

// bookAway is from how many points away on the best openings are those of money play.
const bookAway = 4

// Move returns the entry of a play in notation.
func (d *Entry) Move(move string) (Play, bool) {
	if i := slices.IndexFunc(d.Plays, func(p Play) bool { return p.Move == move }); i >= 0 {
		return d.Plays[i], true
	}
	return Play{}, false
}

// Openings returns the decisions of the first play at a score.
func (t *Table) Openings(s Score) []Entry { return t.list(s, "") }

// Replies returns the replies to an opening play, as Entry.First has it; s is the
// replying player's score.
func (t *Table) Replies(s Score, first string) []Entry { return t.list(s, first) }

func (t *Table) list(s Score, first string) (out []Entry) {
	for _, d := range t.decisions {
		if d.Score == s && d.First == first {
			out = append(out, d)
		}
	}
	return out
}

// All returns every decision, in the order of the file.
func (t *Table) All() []Entry { return slices.Clone(t.decisions) }

// Within returns the plays that are at most that much worse than the best.
func (d *Entry) Within(loss float64) (out []Play) {
	for _, p := range d.Plays {
		if p.Loss <= loss {
			out = append(out, p)
		}
	}
	return out
}

// maxTable bounds what Read reads.
const maxTable = 8 << 20

// Read reads a table. The error wraps ErrTable for a file that is not one.
func Read(r io.Reader) (*Table, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxTable+1))
	if err != nil {
		return nil, fmt.Errorf("openings: %w", err)
	}
	if len(data) > maxTable {
		return nil, fmt.Errorf("%w: longer than %d bytes", ErrTable, maxTable)
	}
	var list []Entry
	for n, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		d, p, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		if last := len(list) - 1; last >= 0 && list[last].Score == d.Score && list[last].First == d.First && list[last].Roll == d.Roll {
			list[last].Plays = append(list[last].Plays, p)
			continue
		}
		d.Plays = []Play{p}
		list = append(list, d)
	}
	return NewTable(list)
}

// columns is the first line of a file.
const columns = "#score\tfirst\troll\tplay\tequity\tstderr\tloss\tlosserr\twin\twg\twbg\tlg\tlbg\ttrials\tplies\tearly\n"

func parseLine(line string) (d Entry, p Play, err error) {
	words := strings.Split(line, "\t")
	if want := strings.Count(columns, "\t") + 1; len(words) != want {
		return d, p, fmt.Errorf("%w: %d fields (want %d)", ErrTable, len(words), want)
	}
	d.Score, d.First, d.Roll, p.Move = Score(words[0]), words[1], words[2], words[3]
	if d.First == "-" {
		d.First = ""
	}
	var errs [12]error // fmt.Sscan would take as long as all the rest
	for i, v := range []*float64{&p.Equity, &p.StdErr, &p.Loss, &p.LossErr, &p.Probs[0], &p.Probs[1], &p.Probs[2], &p.Probs[3], &p.Probs[4]} {
		*v, errs[i] = strconv.ParseFloat(words[4+i], 64)
	}
	for i, v := range []*int{&p.Trials, &p.Plies, &p.Early} {
		*v, errs[9+i] = strconv.Atoi(words[13+i])
	}
	if err := cmp.Or(errs[:]...); err != nil {
		return d, p, fmt.Errorf("%w: %w", ErrTable, err)
	}
	return d, p, nil
}

// Write writes the table, as Read reads it.
func (t *Table) Write(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(columns)
	for _, d := range t.decisions {
		for _, p := range d.Plays {
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%d\t%d\t%d\n", d.Score, cmp.Or(d.First, "-"), d.Roll, p.Move,
				p.Equity, p.StdErr, p.Loss, p.LossErr, p.Probs[0], p.Probs[1], p.Probs[2], p.Probs[3], p.Probs[4], p.Trials, p.Plies, p.Early)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Score names a score of the table, as the player to decide sees it.
type Score string

// The scores. At GammonGo the player needs two points and the opponent one in the Crawford
// game, so gammons only win; at GammonSave it is the other way round.
const (
	Money      Score = "money"
	DMP        Score = "dmp"
	GammonGo   Score = "gammon-go"
	GammonSave Score = "gammon-save"
)

// Scores lists all scores.
var Scores = []Score{Money, DMP, GammonGo, GammonSave}

// scoreInfo describes a score to the player to decide, with the state in which it was rolled out and
// the score as the opponent sees it.
type scoreInfo struct {
	words string
	state match.State
	swap  Score
}

var scores = map[Score]scoreInfo{
	Money:      {"money play", match.Money(true, match.DefaultBeavers), Money},
	DMP:        {"double match point", match.State{Length: 1, Cube: 1}, DMP},
	GammonGo:   {"gammon-go (2-away, 1-away Crawford)", match.State{Length: 2, Score: [2]int{0, 1}, Cube: 1, Crawford: true}, GammonSave},
	GammonSave: {"gammon-save (1-away Crawford, 2-away)", match.State{Length: 2, Score: [2]int{1, 0}, Cube: 1, Crawford: true}, GammonGo},
}

// ParseScore finds a score by its name; "" is Money.
func ParseScore(name string) (Score, error) {
	if name == "" {
		return Money, nil
	}
	for _, s := range Scores {
		if strings.EqualFold(name, string(s)) {
			return s, nil
		}
	}
	return "", fmt.Errorf("unknown score %q (use money, dmp, gammon-go or gammon-save)", name)
}

func (s Score) info() scoreInfo {
	if x, ok := scores[s]; ok {
		return x
	}
	return scores[Money]
}

// State returns the state in which the score was rolled out.
func (s Score) State() match.State { return s.info().state }

// Swap returns the score as the opponent sees it.
func (s Score) Swap() Score { return s.info().swap }

// scoreOf finds the score that has the same values as a state, before any double. Only
// money play with the Jacoby rule is the score that was rolled out.
func scoreOf(st match.State) (Score, bool) {
	if st.Owner != match.Centred || st.Cube > 1 {
		return "", false
	}
	if st.Length == 0 {
		return Money, st.Jacoby
	}
	me, opp := st.Away()
	for _, s := range Scores[1:] {
		if a, b := s.State().Away(); a == me && b == opp && (st.Crawford || !s.State().Crawford) {
			return s, true
		}
	}
	return "", false
}

// Answer is what the table knows about a question: one opening roll, all of them, or
// replies.
type Answer struct {
	// Score is the opening player's.
	Score Score `json:"score"`
	// Decisions are the openings, or the replies to one roll after each opening play.
	Decisions []Entry `json:"decisions"`
}

// Look answers a question at the opening player's score: all openings without a roll, one
// opening with first alone, with reply the replies of that roll to each good opening play,
// or to play alone if that is not "". The error says which roll or play the table lacks.
func (t *Table) Look(s Score, first, play, reply string) (Answer, error) {
	a := Answer{Score: s}
	if first == "" {
		a.Decisions = t.Openings(s)
		if len(a.Decisions) == 0 {
			return a, fmt.Errorf("the table has no openings at %s yet (use %s)", s, known(t))
		}
		return a, nil
	}
	dice, err := parseRoll(first)
	if err != nil {
		return a, err
	}
	if dice.Double() {
		return a, fmt.Errorf("no game starts with %s (use a roll of two different dice)", first)
	}
	opening, ok := t.find(s, "", roll(dice))
	if !ok {
		return a, fmt.Errorf("the table has no %s at %s yet", roll(dice), s)
	}
	plays := opening.Plays
	if play != "" {
		pl, err := board.ParsePlay(board.Start, dice, play)
		if err != nil {
			return a, err
		}
		move := board.FormatPlay(board.Start, pl)
		plays = slices.DeleteFunc(slices.Clone(plays), func(p Play) bool { return p.Move != move })
		if len(plays) == 0 {
			return a, fmt.Errorf("%s %s was not rolled out (rolled out: %s)", roll(dice), move, moves(opening.Plays))
		}
	}
	if reply == "" {
		opening.Plays = plays
		a.Decisions = []Entry{opening}
		return a, nil
	}
	answer, err := parseRoll(reply)
	if err != nil {
		return a, err
	}
	for _, p := range plays {
		if d, ok := t.find(s.Swap(), roll(dice)+" "+p.Move, roll(answer)); ok {
			a.Decisions = append(a.Decisions, d)
		}
	}
	if len(a.Decisions) == 0 {
		return a, fmt.Errorf("the table has no replies to %s %s at %s yet", roll(dice), moves(plays), s)
	}
	return a, nil
}

// find returns a decision by its words.
func (t *Table) find(s Score, first, roll string) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(t.decisions, Entry{Score: s, First: first, Roll: roll}, func(a, b Entry) int { return a.compare(&b) })
	if !ok {
		return Entry{}, false
	}
	return t.decisions[i], true
}

// HasReplies reports whether the table has replies to an opening play at the opening
// player's score.
func (t *Table) HasReplies(s Score, roll, move string) bool {
	_, ok := t.find(s.Swap(), roll+" "+move, "11")
	return ok
}

func roll(d board.Dice) string { d = d.Sorted(); return fmt.Sprintf("%d%d", d.A, d.B) }

func moves(plays []Play) string {
	var names []string
	for _, p := range plays {
		names = append(names, p.Move)
	}
	return strings.Join(names, ", ")
}

// known lists the scores that have openings.
func known(t *Table) string {
	var names []string
	for _, s := range Scores {
		if len(t.Openings(s)) > 0 {
			names = append(names, string(s))
		}
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// Text writes an answer for a terminal. short lists the best play of each roll only.
func (a *Answer) Text(short bool) string {
	var b strings.Builder
	for i, d := range a.Decisions {
		if !short {
			if i > 0 {
				b.WriteString("\n")
			}
			if d.First != "" {
				fmt.Fprintf(&b, "%s, then %s", d.First, d.Roll)
			} else {
				fmt.Fprintf(&b, "%s to open", d.Roll)
			}
			fmt.Fprintf(&b, ", %s\n  play                    equity          loss            win    gammon lose g.  trials\n", d.Score.info().words)
		}
		for n, p := range d.Plays {
			loss := ""
			if n > 0 {
				loss = fmt.Sprintf("%.4f ± %.4f", p.Loss, p.LossErr)
			}
			if short {
				fmt.Fprintf(&b, "%s  %-20s %+.4f ± %.4f  %s\n", d.Roll, p.Move, p.Equity, p.StdErr, p.method())
				break
			}
			if p.Trials == 0 {
				fmt.Fprintf(&b, "  %s\n", p.Move)
				continue
			}
			fmt.Fprintf(&b, "  %-22s %+.4f ± %.4f  %-15s %5.1f%%  %5.1f%% %5.1f%%  %s\n", p.Move, p.Equity, p.StdErr, loss, 100*p.Probs[0], 100*p.Probs[1], 100*p.Probs[3], p.method())
		}
	}
	return b.String()
}

// method says how a play was rolled out.
func (p *Play) method() string {
	text := fmt.Sprint(p.Trials)
	if p.Plies > 0 {
		text += fmt.Sprintf(" of %d plies", p.Plies)
	}
	return text
}
