package level

import "testing"

// The words of any language name the ways that the numbers do.
func TestAnalysed(t *testing.T) {
	for line, want := range map[string]string{
		"Analyzed in XG Roller++":             "XG Roller++",
		"Analyzed in 4-ply":                   "4-ply",
		"Analyzed in Rollout":                 "Rollout",
		"Analysiert in XG Roller++":           "XG Roller++",
		"Analysiert in 3-ply":                 "3-ply",
		"Analysé avec XG Roller+":             "XG Roller+",
		"Analysé en 4-plis":                   "4-ply",
		"Analizado en XG Roller":              "XG Roller",
		"Analizado con 3-capas":               "3-ply",
		"Проанализировано в XG Roller++":      "XG Roller++",
		"Анализ: 4-ply":                       "",
		"Проанализировано на 4-хода":          "4-ply",
		"XG Roller++で解析":                      "XG Roller++",
		"4-ply で分析":                           "4-ply",
		"Analysis by the club":                "",
		"Player Winning Chances: 54.10%":      "",
		"The cube was analysed after 3 games": "",
	} {
		s, ok := Analysed(line)
		if ok != (want != "") || s.Level != want && want != "" {
			t.Errorf("%q is %q, %v, want %q", line, s.Level, ok, want)
		}
	}
}

func TestByWords(t *testing.T) {
	for words, number := range map[string]int{
		"4-ply": 3, "4-plis": 3, "3 Züge": 2, "4手": 3, "1-ply": 0, "3-ply red": 12, "3-plis rouge": 12, "XG Roller++": 1002, "XG Roller": 1000, "Rollout¹": 100, "Book": 998, "Livre²": 998, "Buch": 998,
	} {
		if s, ok := ByWords(words); !ok || s != ByNumber(number) {
			t.Errorf("%q is %+v, want %+v", words, s, ByNumber(number))
		}
	}
	if s, ok := ByWords("someone's guess"); ok || s.Level != "someone's guess" {
		t.Errorf("%+v %v", s, ok)
	}
}
