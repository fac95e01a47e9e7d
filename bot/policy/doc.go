// Package policy decides whom the bot plays, how strong, how fast, and what it says. It
// applies the rules of bot.yaml.
//
// Everything here is a pure function of the configuration, some facts and random numbers
// drawn by the caller: no clock, no goroutine, no protocol, no engine. The account
// (package bot) gathers the facts, calls these functions and acts on the answers.
//
//	Consider    an invitation -> accept or not, the key that decided, the reply
//	Choose      an opponent   -> the preset for the match
//	Pace        a decision    -> how long to seem to think
//	NextInvite  the lobby     -> whom to invite next, and the match length
//	Answer      a tell        -> the reply, or silence
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package policy
