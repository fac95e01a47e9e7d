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
		s.keep(m)
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

// playable returns an error if a match that was read cannot be resumed.
func (m *match) playable() error {
	ok := goodName(m.name(0)) && goodName(m.name(1)) && key(m.name(0)) != key(m.name(1)) &&
		m.Length >= 0 && m.Length <= longestMatch && m.Layout.sound() &&
		m.SideO >= 0 && m.SideO <= 1 && m.Turn >= X && m.Turn <= O && (m.Turn != 0 || m.Between) &&
		m.Cube >= 1 && m.Cube <= 1<<21 && m.Owner >= X && m.Owner <= O &&
		m.Doubling >= X && m.Doubling <= O && m.FirstDbl >= X && m.FirstDbl <= O &&
		(m.Doubling == 0 || (m.FirstDbl != 0 && m.Offered >= 2)) &&
		m.Resigning >= X && m.Resigning <= O && m.ResignFor >= 0 && m.ResignFor <= 3 &&
		goodRoll(m.Roll) && len(m.Record.Games) > 0
	if !ok {
		return errors.New("the match cannot be resumed")
	}
	return nil
}

func goodRoll(r [2]int) bool {
	return r == [2]int{} || (r[0] >= 1 && r[0] <= 6 && r[1] >= 1 && r[1] <= 6)
}
