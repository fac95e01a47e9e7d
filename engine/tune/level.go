package tune

import "fibsbot/engine/preset"

// Level is an opponent below expert: it has the name of a preset and errs as people of its
// rating do.
type Level struct {
	Name    string  `json:"name"`
	Rating  float64 `json:"rating"`
	Summary string  `json:"summary"`
}

// Levels lists the levels, weakest first.
func Levels() []Level {
	return []Level{
		{"beginner", 1280, "overlooks whole plays, leaves shots for nothing, rarely doubles"},
		{"casual", 1380, "blunders now and then, doubles when the market is long lost, takes too much"},
		{"intermediate", 1500, "finds the usual plays, misses the quiet ones, doubles too late"},
		{"advanced", 1700, "errs in crowded positions, doubles a little late"},
	}
}

// LevelOf returns the human level of a preset. It is false for the presets from expert on and
// for those of bot.yaml, which have none.
func LevelOf(p *preset.Preset) (Level, bool) {
	for _, l := range Levels() {
		if l.Name != p.Name {
			continue
		}
		builtIn, err := preset.ByName(p.Name)
		return l, err == nil && builtIn.Fingerprint() == p.Fingerprint()
	}
	return Level{}, false
}
