package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"fibsbot/cmd/fibslab/internal/teacher"
	"fibsbot/cmd/fibslab/internal/train"
	"fibsbot/internal/atomicfile"
	"fibsbot/internal/filename"
)

// RoundSettings are numbers on which the nets of a round depend.
type RoundSettings struct {
	// Positions is how many positions a round makes, judged by the teacher at 0 plies, and
	// Share how far their labels move towards the judgement of the present nets.
	Positions int     `json:"positions"`
	Share     float64 `json:"share"`
	// Paths is how many positions of best play by the present nets are labelled with the
	// results of their games without luck (train.SelfPlay.NoLuck), or 0. The nets learn these
	// values first and then judge the rest.
	Paths int `json:"paths"`
	// Labels is how many of a round's positions, siblings together, a pruned search of the
	// present nets labels, Plies deep, and Deep their share of samples. One ply costs a tenth
	// of two and removes half of the loss (docs/records/nets-2026-11.md).
	Labels int     `json:"labels"`
	Plies  int     `json:"plies"`
	Deep   float64 `json:"deep"`
	// Millions of samples a net, and the highest learning rate.
	Millions float64 `json:"millions"`
	Rate     float64 `json:"rate"`
	// Held is how many decisions of each tag choose between nets, and HeldPlies the depth
	// of the search that rates them.
	Held      int    `json:"held"`
	HeldPlies int    `json:"held_plies"`
	Seed      uint64 `json:"seed"`
}

// settings is all on which a round's nets depend: settings.json in its folder keeps those
// with which it began, and it resumes with no others. Threads, farms, folders of programs
// and the number of rounds change nothing.
type settings struct {
	Base    string `json:"base"` // name and checksum of the nets with which the folder began
	Mix     string `json:"mix"`
	Teacher string `json:"teacher"`
	RoundSettings
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
	return settings{by.Weights, strings.Join(mix, ","), l.Teacher.Name, l.RoundSettings}, nil
}

// differences names the flags by which a round began otherwise than now asks for. A field is
// called in JSON as its flag is, with _ for -.
func (s *settings) differences(now *settings) string {
	var list []difference
	was, is := reflect.ValueOf(*s), reflect.ValueOf(*now)
	for _, f := range reflect.VisibleFields(was.Type()) {
		if !f.Anonymous {
			flag := strings.ReplaceAll(f.Tag.Get("json"), "_", "-")
			list = append(list, difference{flag, was.FieldByIndex(f.Index).Interface(), is.FieldByIndex(f.Index).Interface()})
		}
	}
	return differences(list...)
}

// settingsOf returns the path of the settings of a round.
func (l *Loop) settingsOf(round int) string { return l.at(roundName(round), "settings.json") }

func roundName(round int) string { return fmt.Sprintf("round-%d", round) }

// did reports whether a step of a round is done.
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

// keptSettings reads them; ok is false without a file.
func (l *Loop) keptSettings(round int) (s settings, ok bool, err error) {
	data, err := os.ReadFile(l.settingsOf(round))
	if errors.Is(err, fs.ErrNotExist) {
		return s, false, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return s, false, wrong("%s: settings of the round: %w", l.settingsOf(round), err)
	}
	return s, true, nil
}

// checkSettings refuses, before any work, other settings than those of the round under way,
// and other held decisions or first nets than those of the folder.
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
			return wrong("%s: begun with %s (all rounds of a folder have the same)", l.Folder, list)
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
		if l.Base == "" && then.Base != now.Base { // begun by a program with other nets
			same += " (--base " + l.at(roundName(1), "base.weights") + ")"
		}
		return wrong("%s: round %d was begun with %s (continue with %s, or in another folder)", l.Folder, round, list, same)
	}
	return nil
}

// tellDone prints how many rounds are done. If this run did none, it adds the settings of the
// last round that differ from the present ones.
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
	_, err = fmt.Fprintf(l.Out, "%s (--rounds %d continues)\n", text, done+1)
	return err
}

// roundsDone returns how many rounds of the folder are done.
func (l *Loop) roundsDone() (n int) {
	for l.did(n+1, "gate") {
		n++
	}
	return n
}

// sweep removes unfinished files of a killed loop. l has the lock, so no loop writes them.
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
	for _, name := range []string{"best.weights", "held.bin.gz"} { // the folder may hold other files too
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
