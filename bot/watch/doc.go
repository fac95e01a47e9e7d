// Package watch sits beside other people's boards: it follows a match that two
// others play, keeps a record of it, judges every decision, and may say what it
// thinks of them.
//
//	server line -> observer -> news -> judgeQueue (Judge) -> commentator -> whisper, kibitz
//	                              |          |
//	who lines   -> chooser        |          +-> Report: printed, archived
//	                              +-> record.Match
//
// Each part is a set of rules of its own that is told the time and sends nothing:
//
//	observer     rebuilds the matches of one player from boards and lines in the
//	             third person, also when it joins in the middle; what was missed is
//	             marked and the position set up again
//	Judge        one decision: ranking, loss, luck, through package analyse, so
//	             that the figures are those of an analysis of the file later
//	commentator  which judgements are said aloud, in which words, and to whom never
//	chooser      whom to watch: names, patterns, best, any; who does not want us
//	Watcher      the four together with the archive
//
// The judge works in the only goroutine of the package. A queue of bounded length
// lies before it: when the engine falls behind, the oldest decision is given up
// and a note tells how many.
//
// # For accounts that also play
//
// Run is for a connection that does nothing but watch (fibsbot watch). An account
// keeps one Watcher for each connection instead, made with New when the login is
// done and ended with Close when the connection is gone:
//
//	cmds := w.Event(ev, now)   // for each line of the server while idle; send cmds
//	cmds := w.Step(now)        // when w.Ready() is poked, and at w.Wake(now)
//	cmds := w.Pause(now)       // a match of our own begins, or somebody invites
//	w.Resume(now)              // we are idle again
//	w.Configure(cfg.Watch)     // bot.yaml has changed,
//	w.Appoint(judge)           // watch.preset with it
//
// A paused Watcher may still be fed; it keeps the who lines, judges what was seen
// and chooses nobody. Commands go through the client's queue, behind plays and
// within its limits.
//
// The texts players tell us to stop by (stop, stop kibitz, stop watching) are
// handled here; all other talk is left to package policy.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package watch
