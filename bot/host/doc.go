// Package host runs the accounts of a bot.yaml in one process, independently of each other,
// and decides how they behave: whom they play and how strong, what they say, how long they
// wait, when they leave.
//
// A Host has one seat for each enabled account. A seat is the bot.Conduct of its account: it
// judges invitations with package policy, chooses a preset for each match, greets, answers,
// asks an idle opponent, and invites. It keeps its knowledge in types that depend neither on
// host nor on table, each with its own tests:
//
//	history     the matches with each opponent, from the archive and since
//	received    invitations that wait for facts
//	inviter     our own invitations, and when to look for an opponent
//	lastMinute  what was said to players; lately: what was done. Both limit talk and log
//	sitter      the match at the board and those just ended
//	spectator   watching other matches while idle
//	stay        whether it is paused or leaving, and how many matches it has played
//	alarm       when it needs a step if nothing happens
//	memory      people, kept over restarts in a file
//	presence    what others see: state, connection, last error
//
// All but presence and memory belong to the account's goroutine. Other goroutines send
// orders, which also wake it. The seats share the engine, whose processors they use in turn,
// and the archive, whose index and analyses a background goroutine writes.
//
//	config ----> Host --+-- seat anna: account <-> server     (preset, chat, timers)
//	engine ------->     +-- seat bert: account <-> server
//	signals ----->      +-- filing: meta, index, analysis
//
// The failure of one account, a wrong password for example, ends only that account. Small
// files in the archive's folder keep what must survive a restart apart from the matches: who
// was greeted today, who wants to be left alone, the preset of a saved match.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package host
