package verify

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fibsbot/engine/analyse"
	"fibsbot/engine/record"
	"fibsbot/engine/record/detect"
)

// What files and their names state about a match, in any format of text.
var (
	saysName   = regexp.MustCompile(`(?m)^[;#] *\[Player [12] "(.*?)"\]|\bP[WB]\[((?:[^\]\\]|\\.)*)\]|^The score \(after \d+ games?\) is: (.+) \d+, (.+) \d+(?: \(match|$)`)
	saysLength = regexp.MustCompile(`(?mi)^\s*(\d{1,4}) points? match\s*$|\[length:(\d+)\]|\(match to (\d+) points?\)|in an? (\d+) point match\.`)
	saysDay    = regexp.MustCompile(`(?m)^[;#] *\[(?:Event)?Date "([^"]+)"\]|\bDT\[([^\]]+)\]|^Date: (\S+)\s*$`)
	nameDay    = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)\d\d)[-_.](\d\d)[-_.](\d\d)(?:[^0-9]|$)`)
	nameLength = regexp.MustCompile(`[ _](\d{1,2})(?:pt|-point| points?)\b`)
	nameNames  = regexp.MustCompile(`^(\S+) - (\S+) \d+pt\b`)
	theMatch   = regexp.MustCompile(`(?i)wins \d+ points? and the match`)
	saysWinner = regexp.MustCompile(`(?m)^(\S.*) wins (\d{1,4}) points?\.?\s*$`)
)

// maxEvidence bounds the text of a file that is searched for statements.
const maxEvidence = 16 << 20

// Evidence reads the match file at path and compares names, lengths, days, scores, results and
// stated errors with every statement that the file and its name make. It returns a line for
// each that contradicts what is read. An error is that of detect.ReadFile.
func Evidence(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxEvidence))
	if err != nil {
		return nil, err
	}
	all, _, _, err := detect.ReadFile(path, strings.NewReader(string(text)))
	if err != nil {
		return nil, err
	}
	w := witness{all: all}
	w.file(string(text), filepath.Base(path))
	for _, m := range all {
		w.match(m)
	}
	return w.out, nil
}

// witness compares statements with the matches that were read.
type witness struct {
	all []*record.Match
	out []string
}

// want notes a contradiction unless ok.
func (w *witness) want(ok bool, format string, args ...any) {
	if ok {
		return
	}
	if text := fmt.Sprintf(format, args...); !slices.Contains(w.out, text) && len(w.out) < 100 {
		w.out = append(w.out, text)
	}
}

// any reports whether a match fits.
func (w *witness) any(fits func(*record.Match) bool) bool { return slices.ContainsFunc(w.all, fits) }

// groups are the values that a statement has in a text, each once.
func groups(form *regexp.Regexp, text string) (out []string) {
	for _, m := range form.FindAllStringSubmatch(text, -1) {
		for _, v := range m[1:] {
			if v = strings.TrimSpace(v); v != "" && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// file compares what the text and the name of the file state.
func (w *witness) file(text, name string) {
	plain := func(s string) string {
		return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(` \_:.,`, r) }), " ")
	}
	names := groups(saysName, text)
	for _, who := range append(names, groups(nameNames, name)...) {
		known := w.any(func(m *record.Match) bool {
			return plain(m.Players[0].Name) == plain(who) || plain(m.Players[1].Name) == plain(who)
		})
		w.want(known, "the file names the player %q, who is not in the match", who)
	}
	lengths := append(groups(saysLength, text), groups(nameLength, name)...)
	for _, v := range lengths {
		n, _ := strconv.Atoi(v)
		same := w.any(func(m *record.Match) bool { return m.Length == n || m.Length == 0 && m.MoneyOf() == n })
		w.want(same, "the file states a match of %d points, read is one of %d", n, w.all[0].Length)
	}
	for _, day := range groups(saysDay, text) {
		day = strings.NewReplacer(".", "-", "/", "-").Replace(day)
		same := w.any(func(m *record.Match) bool { return sameDay(day, m.Date) })
		w.want(same, "the file states the day %s, read is %s", day, orUnknown(w.all[0].Date))
	}
	if d := nameDay.FindStringSubmatch(name); d != nil {
		day := d[1] + "-" + d[2] + "-" + d[3]
		same := w.any(func(m *record.Match) bool { return m.Date == day })
		w.want(same, "the file's name has the day %s, read is %s", day, orUnknown(w.all[0].Date))
	}
	won := w.any(func(m *record.Match) bool { return m.Length == 0 || m.Winner() != record.NoPlayer })
	w.want(won || !theMatch.MatchString(text), "the file states that the match was won, read is an unfinished one")
	for _, v := range saysWinner.FindAllStringSubmatch(text, -1) {
		points, _ := strconv.Atoi(v[2])
		seen := w.any(func(m *record.Match) bool { return wins(m, strings.TrimSpace(v[1]), points) })
		w.want(seen, "the file states that %s wins %d, no game read ends so", v[1], points)
	}
}

func orUnknown(day string) string {
	if day == "" {
		return "unknown"
	}
	return day
}

// sameDay reports whether a day in figures is the one read, in one order or the other.
func sameDay(said, read string) bool {
	sorted := func(s string) string {
		f := strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
		for i := range f {
			if n, err := strconv.Atoi(f[i]); err == nil {
				f[i] = fmt.Sprintf("%02d", n%100)
			}
		}
		slices.Sort(f)
		return strings.Join(f, " ")
	}
	return sorted(said) == sorted(read)
}

// wins reports whether a player wins a game with points, or points capped at the match's need.
func wins(m *record.Match, name string, points int) bool {
	return slices.ContainsFunc(m.Games, func(g record.Game) bool {
		if !g.Result.Finished() || m.Players[g.Result.Winner&1].Name != name {
			return false
		}
		return g.Result.Points == points || m.Length > 0 && g.Score[g.Result.Winner&1]+g.Result.Points >= m.Length
	})
}

// match compares the games of a match with each other and the errors that its file states with
// those that are printed.
func (w *witness) match(m *record.Match) {
	for i := range m.Games {
		g := &m.Games[i]
		w.want(g.Disputed == "", "%s", g.Disputed)
		after := g.Score
		if g.Result.Finished() {
			after[g.Result.Winner&1] += g.Result.Points
		}
		if i+1 < len(m.Games) && m.Length > 0 {
			next := m.Games[i+1].Score
			w.want(next == after, "game %d ends at %d-%d, the next one begins at %d-%d", g.Number+1, after[0], after[1], next[0], next[1])
		}
	}
	s := analyse.Summarise(m, nil, analyse.DefaultLimits)
	for i := range s.Games {
		for k := range s.Games[i].Decisions {
			w.figures(&s.Games[i].Decisions[k], m.Games[i].Number+1)
		}
	}
}

// maxOff is how far a printed error may be from the stated one: files round both.
const maxOff = 0.0015

// figures compares the errors that another program stated about a decision with ours.
func (w *witness) figures(j *analyse.Judged, game int) {
	a := j.Turn.Action
	if a.Analysis == nil || a.Analysis.Stated == nil || a.Illegal {
		return
	}
	said := a.Analysis.Stated
	check := func(what string, stated *float64, ours float64) {
		if stated != nil {
			w.want(math.Abs(math.Abs(*stated)-ours) <= maxOff, "game %d, action %d: the file states that the %s lost %.3f, printed is %.3f", game, j.Turn.Index+1, what, math.Abs(*stated), ours)
		}
	}
	switch a.Kind {
	case record.Move:
		check("play", said.Play, j.Loss)
		check("cube decision", said.Double, j.CubeLoss)
	case record.Double:
		check("double", said.Double, j.Loss)
	case record.Take, record.Drop:
		check("answer", said.Answer, j.Loss)
	}
}
