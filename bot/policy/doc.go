// Package policy decides with whom the bot plays, how strong, how fast, and what
// it says. It is the operator's bot.yaml turned into rules.
//
// Everything here is a pure function of the configuration, a few facts and,
// where chance plays a part, a number drawn by the caller: no clock, no
// goroutine, no protocol, no engine. The account (package bot) gathers the
// facts, asks, and carries the answer out.
//
//	Consider    an invitation -> accept or not, which key decided, what to say
//	Choose      an opponent   -> the preset to play with, held for the match
//	Pace        a decision    -> how long to seem to think
//	NextInvite  the lobby     -> whom to invite next, to what
//	Answer      a tell        -> the reply, or silence
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package policy
