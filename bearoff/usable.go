package bearoff

// Unusable names in one line each what a Source cannot use of the folder dir.
func Unusable(dir string) (lines []string, err error) {
	s := NewSource(Options{Dir: dir, NoCache: true, Warn: func(text string) { lines = append(lines, text) }})
	return lines, s.Close()
}
