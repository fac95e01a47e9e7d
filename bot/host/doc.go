// Package host runs the accounts of a bot.yaml in one process, each on its own,
// and gives them their manners: whom they play and how strong, what they say,
// how long they wait, when they leave.
//
// A Host has one seat for each enabled account. A seat is the bot.Conduct of its
// account: it judges invitations with package policy, chooses a preset when a
// match begins and holds it until the match ends, greets, answers, asks an idle
// opponent, invites. What it knows lies in types that know neither host nor table, each
// with tests of its own:
//
//	history     the matches with each opponent: those of the archive, and since
//	inviter     invitations in both directions
//	talker      how much it says
//	sitter      the match at the board and those just ended
//	spectator   watching while there is nothing else to do
//	stay        is it paused or leaving, how many matches has it played
//	alarm       when it wants a step though nothing happens
//	memory      people, kept over restarts in a file
//	presence    what others see: state, connection, last error; the only one that is shared
//
// All but presence and memory belong to the account's goroutine; other goroutines hand in
// orders, which also wake it. The seats share the engine, whose processors are given
// out in turn, and the archive, whose index and analyses are written by a goroutine in
// the background.
//
//	config ----> Host --+-- seat anna: account <-> server     (preset, chat, timers)
//	engine ------->     +-- seat bert: account <-> server
//	signals ----->      +-- filing: meta, index, analysis
//
// The failure of one account, a wrong password for example, ends that account
// alone. What must survive a restart beside the matches themselves (who was
// greeted today, who wants no comments, with which preset a saved match is
// played) lies in a small file for each account in the archive's folder.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package host
