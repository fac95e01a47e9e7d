// Package host runs the accounts of a bot.yaml in one process, each on its own,
// and gives them their manners: whom they play and how strong, what they say,
// how long they wait, when they leave.
//
// A Host has one seat for each enabled account. A seat is the bot.Conduct of its
// account: it judges invitations with package policy, chooses a preset when a
// match begins and holds it until the match ends, greets, answers, asks an idle
// opponent, invites. What it remembers for that lies in four types that know
// neither host nor table: inviter (invitations in both directions), talker (how
// much it says), sitter (the match at the board and those just ended), spectator
// (watching while there is nothing else to do). All of that happens in the
// account's goroutine; other goroutines hand in orders, which also wake it. The seats share the
// engine, whose processors are given out in turn, and the archive, whose index
// and analyses are written by a goroutine in the background.
//
//	config ----> Host --+-- seat anna: account <-> server     (preset, chat, timers)
//	engine ------->     +-- seat bert: account <-> server
//	signals ----->      +-- filing: meta, index, analysis
//
// The failure of one account, a wrong password for example, ends that account
// alone. What must survive a restart beside the matches themselves (who was
// greeted today, who wants no comments, with which preset a saved match is
// played) lies in a small file for each account in the archive's folder.
package host
