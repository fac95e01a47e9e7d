package table

import (
	"fibsbot/engine/board"
	"fibsbot/fibs/clip"
)

// moveCommand writes a play as the server wants it: board numbers, entries
// first, bear-offs last. down tells that we play from 24 to 1.
func moveCommand(p board.Play, down bool) clip.Command {
	point := func(i int8) uint8 {
		switch {
		case i == board.Bar:
			return clip.Bar
		case i < 0:
			return clip.Off
		case down:
			return uint8(i + 1)
		}
		return uint8(24 - i)
	}
	var m clip.Move
	for _, s := range orderSteps(p) {
		m.Steps = append(m.Steps, clip.Step{From: point(s.From), To: point(s.To)})
	}
	return m
}

// inviteCommand invites to length points, 0 for unlimited.
func inviteCommand(name string, length int) clip.Command {
	if length == 0 {
		length = clip.Unlimited
	}
	return clip.Invite{Name: name, Length: length}
}
