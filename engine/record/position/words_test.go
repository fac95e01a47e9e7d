package position

import (
	"fmt"
	"strings"
	"testing"
)

// Pages of eXtreme Gammon keep depth and analysis in each of its languages.
func TestRead_languagesOfXG(t *testing.T) {
	const play = "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10\n\nX:One   O:Two\n\n" +
		"    1. %[1]s      19/18 14/12                  %[2]s-0%[4]s491\n      %[3]s:     25%[4]s45%% (G:0%[4]s00%% B:0%[4]s00%%)\n      %[3]s: 74%[4]s55%% (G:31%[4]s09%% B:0%[4]s09%%)\n\n" +
		"    2. XG Roller++  19/18 3/1                    %[2]s-0%[4]s556 (-0%[4]s065)\n      %[3]s:     22%[4]s19%% (G:0%[4]s00%% B:0%[4]s00%%)\n      %[3]s: 77%[4]s81%% (G:35%[4]s24%% B:0%[4]s12%%)\n\n" +
		"eXtreme Gammon Version: 2.10, %[5]s: Kazaross XG2\n"
	const cube = "XGID=-aAaBaDaB---bD-b-A-cA-b-b-:0:0:1:00:2:4:0:9:10\n\nX:One   O:Two\n\n%s\n%[2]s:     61%[3]s00%% (G:25%[3]s10%% B:0%[3]s80%%)\n%[2]s: 39%[3]s00%% (G:13%[3]s30%% B:0%[3]s30%%)\n\n" +
		"  %[2]s:     +0%[3]s585 (-0%[3]s040)\n  %[2]s:     +0%[3]s625\n  %[2]s:     +1%[3]s000 (+0%[3]s375)\n"
	for _, c := range []struct{ ply, eq, word, point, table, analysed string }{
		{"4-ply", "eq:", "Player", ".", "MET", "Analyzed in XG Roller++"},
		{"4-ply", "Eq: ", "Spieler", ",", "MET", "Analysiert in XG Roller++"},
		{"4-plis", "éq:", "Joueur", ".", "TEM", "Analysé en XG Roller++"},
		{"4-plies", "ec:", "Jugador", ",", "TEM", "Analizado en XG Roller++"},
		{"4手", "eq：", "プレイヤー", ".", "MET", "XG Roller++ で解析"},
		{"4-хода", "экв:", "Игрок", ",", "MET", "Проанализировано в XG Roller++"},
	} {
		all, ws, err := Read(strings.NewReader(fmt.Sprintf(play, c.ply, c.eq, c.word, c.point, c.table)))
		if err != nil || len(ws) > 0 {
			t.Fatalf("%s: %v %v", c.word, err, ws)
		}
		m := all[0]
		a := m.Games[0].Actions[len(m.Games[0].Actions)-1].Analysis
		if a == nil || len(a.Candidates) != 2 {
			t.Errorf("%s: %+v", c.word, a)
			continue
		}
		if x, y := a.Candidates[0], a.Candidates[1]; x.Settings.Level != "4-ply" || x.Settings.Plies != 3 || x.Outcome.Cubeful != -0.491 || x.Outcome.Probs[0] != 0.2545 || y.Settings.Level != "XG Roller++" || m.Judge.Table != "Kazaross XG2" {
			t.Errorf("%s: %+v %+v, table %q", c.word, x, y, m.Judge.Table)
		}
		all, ws, err = Read(strings.NewReader(fmt.Sprintf(cube, c.analysed, c.word, c.point)))
		if err != nil || len(ws) > 0 {
			t.Fatalf("%s: %v %v", c.word, err, ws)
		}
		m = all[0]
		if a := m.Games[0].Actions[len(m.Games[0].Actions)-1].Analysis; a == nil || a.Cube == nil || a.Cube.Settings.Level != "XG Roller++" || *a.Cube.Equities != [3]float64{.585, .625, 1} {
			t.Errorf("%s: cube %+v", c.word, a)
		}
	}
}
