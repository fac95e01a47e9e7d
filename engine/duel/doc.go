// Package duel lets two players play games or matches against each other in pairs on
// the same dice, and says who is the better one and how sure that is.
//
// A [Player] makes the decisions of one side: a preset of this engine ([Preset]) or
// another program that speaks the line protocol ([Program]). [Run] plays the pairs,
// many at a time; the result of a pair depends on its number alone, never on how many
// jobs there are. [Summarise] gives the mean and its standard error, whose unit is the
// pair, since both of its games have the same dice. [Log] keeps a line for each pair,
// so that a duel that was stopped goes on where it was.
//
// Two things make the measurement sharper. Luck is taken off the results by package
// luck. Differences ([Valuer]) look only at the decisions where the players do not
// agree: by the performance difference lemma (S. Kakade and J. Langford,
// "Approximately optimal approximate reinforcement learning", ICML 2002, lemma 6.1)
// the result that player A expects against B is the sum over A's decisions, in games
// between the two, of what A's choice is worth above the one B would have made there,
// valued as if B played both sides from then on. The same holds with the names
// exchanged, so every decision of a game can be used, at half weight. Rollouts by the
// engine at 0 plies stand for the play of A or B from then on; where they misjudge a
// difference, the sum is wrong by that much. The dice of a rollout are fair, so its
// noise favours nobody.
package duel
