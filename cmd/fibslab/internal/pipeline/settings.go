package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/filename"
)

// settings are what a round's nets depend on: settings.json in its folder has those that it
// began with, and it goes on with no others. Threads, farms and folders of programs change
// nothing, and neither does the number of rounds.
type settings struct {
	Base      string  `json:"base"` // name and checksum of the nets that the folder began with
	Positions int     `json:"positions"`
	Mix       string  `json:"mix"`
	Teacher   string  `json:"teacher"`
	Share     float64 `json:"share"`
	Paths     int     `json:"paths"`
	Labels    int     `json:"labels"`
	Plies     int     `json:"plies"`
	Deep      float64 `json:"deep"`
	Millions  float64 `json:"millions"`
	Rate      float64 `json:"rate"`
	Held      int     `json:"held"`
	HeldPlies int     `json:"held_plies"`
	Seed      uint64  `json:"seed"`
}

// settings are those of the rounds that l would begin.
func (l *Loop) settings() (settings, error) {
	by, err := ByOf(teacher.Options{Name: "own", Weights: l.Base}, 0)
	if err != nil {
		return settings{}, fmt.Errorf("--base: %w", err)
	}
	var mix []string
	for i, w := range l.Mix {
		if w != 0 {
			mix = append(mix, fmt.Sprintf("%s=%v", train.PlanNames[i], w))
		}
	}
	return settings{by.Weights, l.Positions, strings.Join(mix, ","), l.Teacher.Name, l.Share, l.Paths, l.Labels, l.Plies,
		l.Deep, l.Millions, l.Rate, l.Held, l.HeldPlies, l.Seed}, nil
}

// differences names what a round did otherwise than now is asked for.
func (s *settings) differences(now *settings) string {
	return differences(difference{"base", s.Base, now.Base}, difference{"positions", s.Positions, now.Positions}, difference{"mix", s.Mix, now.Mix},
		difference{"teacher", s.Teacher, now.Teacher}, difference{"share", s.Share, now.Share}, difference{"paths", s.Paths, now.Paths},
		difference{"labels", s.Labels, now.Labels}, difference{"plies", s.Plies, now.Plies}, difference{"deep", s.Deep, now.Deep},
		difference{"millions", s.Millions, now.Millions}, difference{"rate", s.Rate, now.Rate}, difference{"held", s.Held, now.Held},
		difference{"held-plies", s.HeldPlies, now.HeldPlies}, difference{"seed", s.Seed, now.Seed})
}

// path of the settings of a round.
func (l *Loop) settingsOf(round int) string { return l.at(roundName(round), "settings.json") }

func roundName(round int) string { return fmt.Sprintf("round-%d", round) }

// did tells whether a step of a round is done.
func (l *Loop) did(round int, step string) bool { return has(l.at(roundName(round), step+marker)) }

// keepSettings writes the settings that a round begins with.
func (l *Loop) keepSettings(round int) error {
	s, err := l.settings()
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(l.settingsOf(round), 0o644, append(data, '\n'))
}

// keptSettings reads them; there are none in a folder made before they were kept.
func (l *Loop) keptSettings(round int) (s settings, ok bool, err error) {
	data, err := os.ReadFile(l.settingsOf(round))
	if errors.Is(err, fs.ErrNotExist) {
		return s, false, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return s, false, wrong("%s: what the round began with: %w", l.settingsOf(round), err)
	}
	return s, true, nil
}

// checkSettings refuses what could only be heard of too late: other settings than those of the
// round that is under way, and other held decisions or first nets than those of the folder.
func (l *Loop) checkSettings() error {
	now, err := l.settings()
	if err != nil {
		return err
	}
	first, ok, err := l.keptSettings(1)
	if err != nil {
		return err
	}
	if ok && l.did(1, "begin") {
		list := differences(difference{"held", first.Held, now.Held}, difference{"held-plies", first.HeldPlies, now.HeldPlies})
		if list == "" && l.Base != "" {
			list = differences(difference{"base", first.Base, now.Base})
		}
		if list != "" {
			return wrong("%s: it was begun with %s: the same for all its rounds", l.Folder, list)
		}
	}
	round := l.roundsDone() + 1
	if !l.did(round, "begin") || round > l.Rounds {
		return nil
	}
	then, ok, err := l.keptSettings(round)
	if err != nil {
		return err
	}
	if round > 1 {
		then.Base = now.Base // the best nets of the round before, whatever --base says
	}
	if list := then.differences(&now); ok && list != "" {
		same := "the same"
		if l.Base == "" && then.Base != now.Base { // begun by a program with other nets, which nobody named
			same += " (--base " + l.at(roundName(1), "base.weights") + ")"
		}
		return wrong("%s: round %d was begun with %s: it goes on with %s, or in another folder", l.Folder, round, list, same)
	}
	return nil
}

// tellDone says how many rounds are done, with what the last one did otherwise than now asked
// for where none was done now.
func (l *Loop) tellDone(before int) error {
	done := l.roundsDone()
	text := fmt.Sprintf("%d rounds are done", done)
	if done == 1 {
		text = "1 round is done"
	}
	then, ok, err := l.keptSettings(done)
	if err != nil {
		return err
	}
	if ok && done == before {
		now, err := l.settings()
		if err != nil {
			return err
		}
		if l.Base == "" {
			now.Base = then.Base
		}
		if list := then.differences(&now); list != "" {
			text += ", the last with " + list
		}
	}
	_, err = fmt.Fprintf(l.Out, "%s; --rounds %d goes on\n", text, done+1)
	return err
}

// roundsDone is how many rounds of the folder are done.
func (l *Loop) roundsDone() (n int) {
	for l.did(n+1, "gate") {
		n++
	}
	return n
}

// sweep removes what a killed loop was writing. Nobody else writes there: l has the lock.
func (l *Loop) sweep() error {
	dirs := []string{l.at(roundName(1))}
	for round := 2; has(dirs[len(dirs)-1]); round++ {
		dirs = append(dirs, l.at(roundName(round)))
	}
	var stale []string
	for _, dir := range dirs {
		for _, d := range []string{dir, filepath.Join(dir, "classes"), filepath.Join(dir, "paths")} {
			list, err := filename.Match(d, ".tmp-*")
			if err != nil {
				return err
			}
			stale = append(stale, list...)
		}
	}
	for _, name := range []string{"best.weights", "held.bin.gz"} { // the folder may be one of other things too
		list, err := filename.Match(l.Folder, ".tmp-"+name+"-*")
		if err != nil {
			return err
		}
		stale = append(stale, list...)
	}
	for _, path := range stale {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
