// Package watch follows matches between other players: it records a match, analyses every
// decision, and may comment on them.
//
//	server line -> observer -> news -> judgeQueue (Judge) -> commentator -> whisper, kibitz
//	                              |          |
//	who lines   -> chooser        |          +-> Report: printed, archived
//	                              +-> record.Match
//
// Each part is a set of rules that takes the time as an argument and sends nothing:
//
//	observer     rebuilds the matches of one player from boards and lines in the
//	             third person, also from the middle of a match; gaps are marked and
//	             the position is set up again
//	Judge        analyses one decision (ranking, loss, luck) with package analyse, so
//	             that a later analysis of the file gives the same figures
//	commentator  which judgements are said, in which words, and to whom never
//	chooser      whom to watch: names, patterns, best, any; who does not want us
//	Watcher      these four and the archive
//
// The judge works in the only goroutine of the package, after a bounded queue. When the
// engine falls behind, the oldest decision is dropped, and a note reports how many.
//
// # For accounts that also play
//
// Run is for a connection that only watches (fibsbot watch). An account that also plays
// makes one Watcher for each connection, with New after the login and Close when the
// connection is gone:
//
//	cmds := w.Event(ev, now)   // for each line of the server while idle; send cmds
//	cmds := w.Step(now)        // after Options.Ready, and at w.Wake(now)
//	cmds := w.Pause(now)       // a match of our own begins, or a player invites us
//	w.Resume(now)              // we are idle again
//	w.Configure(cfg.Watch)     // bot.yaml has changed
//	w.SetJudge(judge)          // watch.preset has changed
//
// A paused Watcher may still receive events: it keeps the who lines, analyses what was
// seen, and chooses no one. Commands go through the client's queue, after plays and within
// its limits.
//
// This package handles requests to stop (stop, stop kibitz, stop watching); package policy
// handles all other talk.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package watch
