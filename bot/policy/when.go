package policy

import "fibsbot/config"

// fits reports whether all conditions of w hold for a match with o. A condition on a rating
// or an experience does not hold while that is unknown (see Facts.Known). Of f, it reads only
// Now and Me.
func fits(w *config.When, o Opponent, f Facts) bool {
	if w.Name != "" && !config.MatchName(w.Name, o.Name) {
		return false
	}
	lo, hi, limited := ratingLimits(w.Rating, f.Me.Rating)
	if limited && (!o.Known || o.Rating <= 0 || o.Rating < lo || o.Rating > hi) {
		return false
	}
	if w.Experience != (config.IntRange{}) && (!o.Known || o.Experience < 0 || !within(w.Experience, o.Experience)) {
		return false
	}
	hours, err := config.ParseHours(w.Hours)
	return err == nil && hours.Open(f.Now) && within(w.Length, o.Length) && within(w.Won, o.Won)
}

func within(r config.IntRange, n int) bool { return n >= r.Min && (r.Max == 0 || n <= r.Max) }
