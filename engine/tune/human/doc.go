// Package human makes the mistakes of a weaker player: small and frequent in
// positions that are hard to see through, rare in easy ones, never absurd.
//
// Plain noise (engine/search) blurs the evaluation by the same amount in every position. It
// therefore errs in a bearoff as readily as in a back game, and now and then it loses half a point
// as no beginner would. People differ from that in three ways, which a Style imitates:
//
//   - how much they misjudge depends on the plan of the game: racing is easy,
//     holding is ordinary, priming, back games and containing are hard (Plan);
//   - a play that stands out is found; doubt begins where several plays look
//     nearly alike (Difficulty);
//   - they notice a large loss: a play further behind the best one than the style's limit is not
//     considered at all (Style.Limit).
//
// Cube decisions have an amount of their own and are biased as people's are: late doubles and early
// passes.
//
// The package chooses among given evaluations; it evaluates nothing.
package human
