// Package rollout plays a position out many times and averages: what happens
// when both sides go on as the engine plays.
//
// A Job has one or more arms that share their dice: a position, chosen plays of
// a roll, or the two sides of a cube decision. Each trial plays every arm to the
// end, to a position of the bearoff databases, or to a number of plies. The dice
// of the first three rolls run through all throws in balanced cycles. Variance
// reduction subtracts from each trial the luck of its dice, which is the value
// of the roll thrown less the mean over all 36 throws, both by static
// evaluation: that changes no mean, and the standard error falls to a fraction.
//
// Trials are numbered; the dice of trial n depend on the seed and n alone, and
// sums are made in the order of the trials. So results do not depend on the
// number of threads, and a rollout can be extended later as if it had never
// stopped.
//
// Standard errors allow for the first roll, which every 36 trials hold once
// each. The balance of the second and third makes the true error a
// little smaller still, most where a game hangs on them. An interval of 1.96 standard
// errors holds the truth 95 times in a hundred or more; below some hundred trials
// the normal distribution promises too much where a few games at a high cube
// decide.
package rollout
