// Package duel plays two players against each other in pairs of games or matches on the
// same dice, and measures which one is better and how certain that is.
//
// A [Player] makes the decisions of one side: a preset of this engine ([Preset]), another
// program that speaks the line protocol ([Program]) or gnubg's external-player protocol
// ([External]). [Run] plays the pairs,
// many at a time; the result of a pair depends on its number alone, never on how many
// jobs there are. [Summarise] gives the mean and its standard error, whose unit is the
// pair, since both of its games have the same dice. [Log] keeps a line for each pair,
// so that a stopped duel resumes where it was.
//
// Two things make the measurement sharper. Package luck subtracts luck from the results.
// Differences ([Valuer]) use only the decisions where the players do not agree: by the performance difference lemma (S. Kakade and J. Langford,
// "Approximately optimal approximate reinforcement learning", ICML 2002, lemma 6.1)
// the result that player A expects against B is the sum over A's decisions, in games
// between the two, of what A's choice is worth above the one B would have made there,
// valued as if B played both sides from then on. The same holds with the names
// exchanged, so every decision of a game can be used, at half weight. Rollouts by the
// engine at 0 plies replace the play of A or B from then on; where they misjudge a
// difference, the sum is wrong by that much. The dice of a rollout are fair, so its
// noise favours no side.
package duel
