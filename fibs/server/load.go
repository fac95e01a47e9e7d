package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"fibsbot/internal/pwhash"
)

// load reads everything at start. A damaged account is an error, since starting without it would
// lose a password. A damaged match is put aside.
func (s *Server) load(ctx context.Context) error {
	err := s.loadAccounts(ctx)
	if err == nil {
		err = s.loadMatches(ctx)
	}
	if err != nil {
		return fmt.Errorf("server data: %s: %w", filepath.Join(s.store.dir, DatabaseFile), err)
	}
	return nil
}

func (s *Server) loadAccounts(ctx context.Context) error {
	rows, err := s.store.db.QueryContext(ctx, `SELECT name, password, rating, experience, last_login, last_logout, last_host, email, settings, lists FROM accounts`)
	if err != nil {
		return err
	}
	defer rows.Close()
	same := map[string]string{} // most accounts have the same few words in their settings
	word := func(s string) string {
		if w, ok := same[s]; ok {
			return w
		}
		same[s] = s
		return s
	}
	for rows.Next() {
		a := new(account)
		var password, set, rest string
		var in, out int64
		if err := rows.Scan(&a.Name, &password, &a.Rating, &a.Experience, &in, &out, &a.LastHost, &a.Email, &set, &rest); err != nil {
			return err
		}
		if !goodName(a.Name) {
			return fmt.Errorf("account %q: not a name", a.Name)
		}
		if a.secret, err = pwhash.Read(password); err != nil {
			return fmt.Errorf("account %s: %w", a.Name, err)
		}
		if a.Settings, err = readSettings([]byte(set)); err != nil {
			return fmt.Errorf("account %s: settings: %w", a.Name, err)
		}
		if rest != "" {
			if err := json.Unmarshal([]byte(rest), &a.lists); err != nil {
				return fmt.Errorf("account %s: lists: %w", a.Name, err)
			}
		}
		if _, known := same[a.Settings.Timezone]; !known {
			zones.load(a.Settings.Timezone) // in an unknown zone times are in UTC
		}
		a.Settings.SortWho, a.Settings.Timezone = word(a.Settings.SortWho), word(a.Settings.Timezone)
		a.LastHost = word(a.LastHost)
		a.LastLogin, a.LastLogout = unstamp(in), unstamp(out)
		s.accounts[key(a.Name)] = a
		s.mailed += mailSize(a.Mail)
		if a.Experience > experienceMark {
			s.ranking = append(s.ranking, a)
		}
	}
	slices.SortFunc(s.ranking, func(a, b *account) int {
		if ahead(a, b) {
			return -1
		}
		return 1
	})
	return rows.Err()
}

func (s *Server) loadMatches(ctx context.Context) error {
	type damage struct {
		p      pair
		reason error
	}
	var aside []damage
	list, err := s.readMatches(ctx, func(p pair, reason error) { aside = append(aside, damage{p, reason}) })
	if err != nil {
		return err
	}
	for _, m := range list {
		if err := s.readGames(ctx, m); err != nil {
			aside = append(aside, damage{m.pair(), err})
			continue
		}
		s.addMatch(m)
		s.begun = max(s.begun, m.Record.Number)
	}
	for _, d := range aside {
		s.opts.Log.WithField("players", d.p.a+" "+d.p.b).WithError(d.reason).Warn("saved match put aside")
		if _, err := s.store.db.ExecContext(ctx, `INSERT INTO put_aside SELECT a, b, state, ? FROM matches WHERE a = ? AND b = ?`, d.reason.Error(), d.p.a, d.p.b); err != nil {
			return err
		}
		if _, err := s.store.db.ExecContext(ctx, `DELETE FROM matches WHERE a = ? AND b = ?`, d.p.a, d.p.b); err != nil {
			return err
		}
	}
	return nil
}

// readMatches reads the states of all matches.
func (s *Server) readMatches(ctx context.Context, damaged func(pair, error)) ([]*match, error) {
	rows, err := s.store.db.QueryContext(ctx, `SELECT a, b, state FROM matches ORDER BY a, b`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []*match
	for rows.Next() {
		var p pair
		var state string
		if err := rows.Scan(&p.a, &p.b, &state); err != nil {
			return nil, err
		}
		m := &match{home: s}
		if err := json.Unmarshal([]byte(state), m); err != nil {
			damaged(p, err)
			continue
		}
		if m.pair() != p {
			damaged(p, errors.New("the names in its state are not those of its row"))
			continue
		}
		list = append(list, m)
	}
	return list, rows.Err()
}

// readGames reads the games of a match and returns an error if it cannot be resumed.
func (s *Server) readGames(ctx context.Context, m *match) error {
	p := m.pair()
	query := `SELECT number, record FROM games WHERE a = ? AND b = ? ORDER BY number`
	if s.recorded > maxRecorded {
		query = `SELECT number, record FROM games WHERE a = ? AND b = ? ORDER BY number DESC LIMIT 1`
	}
	rows, err := s.store.db.QueryContext(ctx, query, p.a, p.b)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var number int
		var record string
		if err := rows.Scan(&number, &record); err != nil {
			return err
		}
		var g GameRecord
		if err := json.Unmarshal([]byte(record), &g); err != nil {
			return err
		}
		if len(m.Record.Games) == 0 {
			m.Record.Earlier = number
		}
		m.Record.Games = append(m.Record.Games, g)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if s.accounts[p.a] == nil || s.accounts[p.b] == nil {
		return errors.New("a player has no account")
	}
	m.written = m.Record.Earlier + max(0, len(m.Record.Games)-1)
	return m.playable()
}

// playable returns why a match that was read cannot be resumed, or nil.
func (m *match) playable() error {
	for _, f := range []struct {
		name             string
		value, low, high int
	}{
		{"length", m.Length, 0, longestMatch}, {"cube", m.Cube, 1, 1 << 21}, {"side of O", m.SideO, 0, 1},
		{"turn", int(m.Turn), -1, 1}, {"first die", m.Roll[0], 0, 6}, {"second die", m.Roll[1], 0, 6},
		{"owner of the cube", int(m.Owner), -1, 1}, {"doubling side", int(m.Doubling), -1, 1}, {"first doubling side", int(m.FirstDbl), -1, 1},
		{"resigning side", int(m.Resigning), -1, 1}, {"resigned games", m.ResignFor, 0, 3},
	} {
		if f.value < f.low || f.value > f.high {
			return fmt.Errorf("%s is %d, not %d to %d", f.name, f.value, f.low, f.high)
		}
	}
	switch {
	case !goodName(m.name(0)) || !goodName(m.name(1)) || key(m.name(0)) == key(m.name(1)):
		return fmt.Errorf("the players are %q and %q", m.name(0), m.name(1))
	case !m.Layout.sound():
		return errors.New("the position is impossible")
	case m.Turn == 0 && !m.Between:
		return errors.New("no one is on turn")
	case (m.Roll[0] == 0) != (m.Roll[1] == 0):
		return errors.New("half a roll")
	case m.Doubling != 0 && (m.FirstDbl == 0 || m.Offered < 2):
		return errors.New("a double without an offer")
	case len(m.Record.Games) == 0:
		return errors.New("no game is recorded")
	}
	return nil
}
