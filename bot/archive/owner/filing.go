package owner

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"fibsbot/bot/archive/index"
	"fibsbot/engine/record"
	"fibsbot/engine/record/sgf"
)

// Filing imports matches and decides which player is the account of each.
type Filing struct {
	DB *index.DB
	// Account are the names given for this import, which also correct known imported
	// matches. Me are the user's names, Known the accounts of the configuration.
	Account, Me, Known Names
	// Ask, if set, chooses one of the names, the most frequent first, for undecided matches;
	// "" leaves the choice to Settle.
	Ask func([]Count) (string, error)

	// Sum counts what was imported, Corrected known matches with a corrected account.
	Sum       Tally
	Corrected int
	// New are the IDs of the new matches, Perhaps those pairs of matches, new ones
	// first, that may be one.
	New     []string
	Perhaps [][2]string
	// Undated counts the new matches whose day nothing states.
	Undated int
	// Files are the files that Into named, with what became of each.
	Files []*Filed
	// Guessed are the names that Settle chose without asking.
	Guessed []Count

	accounts map[string]int // of the archive before the import
	day      string         // of the match taken last
	order    int            // of that match among those of its day
	days     record.Days    // what the set proves
	vague    []string       // IDs of its matches whose day and month may change places
	open     []undecided
	// kept holds the undecided matches: the archive gets them with their account.
	kept *os.File
	size int64
	seen map[string]bool // Identities of open
}

// Tally counts what became of the matches of an import or of one of its files.
type Tally struct {
	New    int `json:"new"`
	Joined int `json:"joined"` // with a part that was known
	Merged int `json:"merged"` // known and completed
	Known  int `json:"known"`
}

// add counts a match.
func (t *Tally) add(became index.Outcome) {
	*[...]*int{index.WasKnown: &t.Known, index.WasMerged: &t.Merged, index.WasJoined: &t.Joined, index.WasAdded: &t.New}[became]++
}

// Filed is a file of an import and what became of its matches. Collection has its positions.
type Filed struct {
	Name string `json:"name"`
	Tally
	Matches    []string `json:"matches"`
	Positions  int      `json:"positions,omitempty"`
	Collection string   `json:"collection,omitempty"`
	Problem    string   `json:"problem,omitempty"` // why it could not be read
}

// Into makes what is taken next belong to a file.
func (f *Filing) Into(name string) *Filed {
	f.Files = append(f.Files, &Filed{Name: name, Matches: []string{}})
	return f.Files[len(f.Files)-1]
}

// Count is a name and the number of its matches.
type Count struct {
	Name    string `json:"name"`
	Matches int    `json:"matches"`
}

// undecided is a new match whose account is not chosen yet.
type undecided struct {
	at, size int64 // in Filing.kept
	players  [2]string
	again    bool // a copy of an earlier one
	file     *Filed
}

// Take imports a match of a file, or keeps it for Settle.
func (f *Filing) Take(ctx context.Context, file *Filed, m *record.Match) error {
	if f.accounts == nil {
		known, err := f.DB.Accounts(ctx)
		if err != nil {
			return err
		}
		f.accounts = folded(known)
	}
	f.days.Add(m.Days)
	players := [2]string{m.Players[0].Name, m.Players[1].Name}
	account, given := f.choose(players)
	if account == "" {
		if _, err := f.DB.Find(ctx, m); err == nil || !errors.Is(err, index.ErrNotFound) {
			return errors.Join(err, f.take(ctx, file, m, "", false))
		}
		return f.keep(file, m, players)
	}
	return f.take(ctx, file, m, account, given)
}

// keep keeps a match for Settle.
func (f *Filing) keep(file *Filed, m *record.Match, players [2]string) (err error) {
	if f.kept == nil {
		if f.kept, err = os.CreateTemp(f.DB.Dir(), ".tmp-import-*"); err != nil {
			return err
		}
		_ = os.Remove(f.kept.Name()) // the open file stays; Windows removes it in Settle
		f.seen = map[string]bool{}
	}
	var b bytes.Buffer
	if err := sgf.Write(&b, m); err != nil {
		return err
	}
	if _, err := f.kept.WriteAt(b.Bytes(), f.size); err != nil {
		return err
	}
	id, turned := index.Identity(m), index.Identity(m.Swapped())
	f.open = append(f.open, undecided{f.size, int64(b.Len()), players, f.seen[id] || f.seen[turned], file})
	f.size += int64(b.Len())
	f.seen[id] = true
	return nil
}

// take imports a match under an account.
func (f *Filing) take(ctx context.Context, file *Filed, m *record.Match, account string, given bool) error {
	if f.order++; m.Date != f.day {
		f.day, f.order = m.Date, 0
	}
	became, err := f.DB.Import(ctx, m, index.Meta{Account: account, Order: f.order})
	if err != nil {
		return err
	}
	row, err := f.DB.Find(ctx, m)
	if err != nil {
		return err
	}
	file.Matches = append(file.Matches, row.ID)
	if record.Ambiguous(m.Date) {
		f.vague = append(f.vague, row.ID)
	}
	f.Sum.add(became)
	file.add(became)
	if became == index.WasAdded {
		f.New = append(f.New, row.ID)
		return nil
	}
	if !given || index.Played(row) || row.Pruned || strings.EqualFold(row.Account, account) {
		return nil
	}
	_, err = f.DB.SetAccount(ctx, row, account)
	if err == nil {
		f.Corrected++
	}
	return err
}

// choose returns the account of a match, or "" if undecided. given reports whether
// Filing.Account names it.
func (f *Filing) choose(players [2]string) (account string, given bool) {
	if name, ok := f.Account.of(players); ok {
		return name, true
	}
	for _, list := range []Names{f.Me, f.Known} {
		if name, ok := list.of(players); ok {
			return name, false
		}
	}
	a, b := f.accounts[strings.ToLower(players[0])], f.accounts[strings.ToLower(players[1])]
	switch {
	case a > b:
		return players[0], false
	case b > a:
		return players[1], false
	}
	return "", false
}

// Settle imports the undecided matches under the name that Ask returns, else under the name
// that occurs most in them and in the archive. It then looks for what may be one match.
func (f *Filing) Settle(ctx context.Context) error {
	if err := cmp.Or(f.decide(ctx), f.date(ctx)); err != nil {
		return err
	}
	all := f.New
	f.New = nil
	for _, id := range all {
		row, err := f.DB.Show(ctx, id)
		if errors.Is(err, index.ErrNotFound) {
			f.gone(id)
			continue
		}
		if err != nil {
			return err
		}
		f.New = append(f.New, id)
		if row.Started.IsZero() {
			f.Undated++
		}
		others, err := f.DB.Perhaps(ctx, row)
		if err != nil {
			return err
		}
		for _, other := range others {
			if !slices.Contains(f.Perhaps, [2]string{other.ID, id}) && len(f.Perhaps) < maxPerhaps {
				f.Perhaps = append(f.Perhaps, [2]string{id, other.ID})
			}
		}
	}
	return nil
}

// daysFile has what the files of the archive prove about the order of day and month.
const daysFile = "state/days.json"

// date reads days that were kept as their files write them, where the files of the set prove the
// order of day and month, or else those that the archive has had; also days of earlier imports.
func (f *Filing) date(ctx context.Context) error {
	var known record.Days
	if err := load(f.DB.Dir(), daysFile, &known); err != nil {
		return err
	}
	all := known
	all.Add(f.days)
	set := f.days
	if !set.Decided() {
		set = all
	}
	orders := map[string]record.Days{}
	if all != known {
		if err := save(f.DB.Dir(), daysFile, all); err != nil {
			return err
		}
		if all.Decided() {
			if err := f.DB.List(ctx, index.Filter{}, func(m *index.Match) error {
				if m.Started.IsZero() && !m.Pruned {
					orders[m.ID] = all
				}
				return nil
			}); err != nil {
				return err
			}
		}
	}
	for _, id := range f.vague {
		orders[id] = set
	}
	f.vague = nil
	for id, order := range orders {
		row, err := f.DB.Show(ctx, id)
		if errors.Is(err, index.ErrNotFound) {
			continue // joined with another
		}
		if err != nil {
			return err
		}
		e, err := f.DB.Edit(row)
		if err != nil || !record.Ambiguous(e.Match.Date) {
			continue // verify reports an unreadable file
		}
		if day := order.Day(e.Match.Date); day != "" {
			if _, err := f.DB.Change(ctx, row, index.Change{Date: &day}); err != nil {
				return err
			}
		}
	}
	return nil
}

// gone counts a match that was new as part of another, with which a later file joined it.
func (f *Filing) gone(id string) {
	f.Sum.New, f.Sum.Joined = f.Sum.New-1, f.Sum.Joined+1
	first := true
	for _, file := range f.Files {
		if n := len(file.Matches); slices.Contains(file.Matches, id) {
			if first && file.New > 0 {
				file.New, file.Joined, first = file.New-1, file.Joined+1, false
			}
			file.Matches = slices.DeleteFunc(file.Matches[:n:n], func(m string) bool { return m == id })
		}
	}
}

// maxPerhaps bounds Filing.Perhaps.
const maxPerhaps = 20

// decide imports the undecided matches.
func (f *Filing) decide(ctx context.Context) error {
	if f.kept == nil {
		return nil
	}
	defer func() {
		_ = f.kept.Close() // its content is in the archive, or was not imported
		_ = os.Remove(f.kept.Name())
		f.kept, f.size = nil, 0
	}()
	asked := f.Ask != nil
	for len(f.open) > 0 {
		names, err := f.count(ctx)
		if err != nil {
			return err
		}
		name := ""
		if asked {
			if name, err = f.Ask(names); err != nil {
				return err
			}
			asked = name != ""
		}
		guessed := name == ""
		if guessed {
			name = names[0].Name
		}
		n := 0
		rest := f.open[:0:0]
		for _, u := range f.open {
			account, ok := Names{name}.literal(u.players)
			if !ok {
				rest = append(rest, u)
				continue
			}
			m, _, err := sgf.Read(io.NewSectionReader(f.kept, u.at, u.size))
			if err == nil {
				err = f.take(ctx, u.file, m, account, false)
			}
			if err != nil {
				return err
			}
			if !u.again {
				n++
			}
		}
		if guessed {
			f.Guessed = append(f.Guessed, Count{name, n})
		}
		if len(rest) == len(f.open) {
			asked = false // the answer is not a player of these matches
		}
		f.open = rest
	}
	return nil
}

// literal returns the player with the name n[0], player 1 if both have it.
func (n Names) literal(players [2]string) (string, bool) {
	for _, p := range []string{players[1], players[0]} {
		if strings.EqualFold(p, n[0]) {
			return p, true
		}
	}
	return "", false
}

// count returns the players of the undecided matches, those with the most matches in the
// archive first; among equals, who is player 1 more often, as gnubg's user is.
func (f *Filing) count(ctx context.Context) ([]Count, error) {
	type tally struct{ shown, all, first int }
	here := map[string]*tally{}
	spelled := map[string]string{}
	for _, u := range f.open {
		if u.again {
			continue
		}
		for i, p := range u.players {
			key := strings.ToLower(p)
			if here[key] == nil {
				here[key], spelled[key] = &tally{}, p
			}
			here[key].shown++
			here[key].first += i
		}
	}
	total, err := f.DB.Names(ctx)
	if err != nil {
		return nil, err
	}
	total = folded(total)
	for key, t := range here {
		t.all = t.shown + total[key]
	}
	keys := slices.SortedFunc(maps.Keys(here), func(a, b string) int {
		x, y := here[a], here[b]
		return cmp.Or(cmp.Compare(y.all, x.all), cmp.Compare(y.first, x.first), cmp.Compare(a, b))
	})
	var out []Count
	for _, key := range keys {
		out = append(out, Count{spelled[key], here[key].shown})
	}
	return out, nil
}

// folded sums counts by the name in lower case.
func folded(counts map[string]int) map[string]int {
	out := make(map[string]int, len(counts))
	for name, n := range counts {
		out[strings.ToLower(name)] += n
	}
	return out
}
