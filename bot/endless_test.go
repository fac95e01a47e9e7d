package bot

import (
	"testing"

	"fibsbot/bot/archive/archivetest"
	"fibsbot/fibs/server"
)

// apart returns each finished game as a match of its own, as games of unlimited matches are
// filed.
func apart(m archivetest.Match) (list []archivetest.Match) {
	for _, g := range m.Games {
		if g.Winner >= 0 {
			g.Score = [2]int{}
			list = append(list, archivetest.Match{Players: m.Players, Games: []archivetest.Game{g}})
		}
	}
	return list
}

// finished returns a server's record without the running game.
func finished(r server.MatchRecord) server.MatchRecord {
	if n := len(r.Games); n > 0 && r.Games[n-1].Winner < 0 {
		r.Games = r.Games[:n-1]
	}
	return r
}

// TestSelfPlay_unlimited: each game of an unlimited match is filed as the server has it, also
// with broken connections. FIBSBOT_SOAK sets the number of games.
func TestSelfPlay_unlimited(t *testing.T) {
	for name, f := range map[string]faults{"undisturbed": {}, "cut": {dropEvery: 25}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv, dirs := selfPlay(t, soakCount(6), 0, f)
			for i, me := range []string{"anna", "bert"} {
				var want []archivetest.Match
				for _, r := range srv.Matches() {
					want = append(want, apart(archivetest.FromServer(finished(r), me))...)
				}
				filed, short := 0, 0
				for _, file := range sgfFiles(t, dirs[i]) {
					m, err := archivetest.FromArchive(file)
					if err != nil {
						t.Error(err)
					}
					for _, g := range apart(m) {
						filed++
						at := -1
						for k := range want {
							if n, ok := archivetest.Same(want[k], g); ok {
								at, short = k, short+n
								break
							}
						}
						if at < 0 {
							t.Errorf("%s: the server has no such game: %+v", file, g)
							continue
						}
						want = append(want[:at], want[at+1:]...)
					}
				}
				// The last game of each account may have ended without it.
				if filed < soakCount(6) || len(want) > 1 {
					t.Errorf("%s has filed %d games, %d of the server are missing: %+v", me, filed, len(want), want)
				}
				t.Logf("%s: %d games, %d incomplete", me, filed, short)
			}
		})
	}
}
