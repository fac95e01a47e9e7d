// Package families measures static evaluation in kinds of positions that are rare in play and hard
// for nets. They come from self-play that began at boards drawn for the family, and were rolled out to
// the end by static play, until the standard error was a fifth of what nets are off by or less. No
// net is trained on them: pipelines leave them out (Hide). The kinds, in the order of reports:
//
//   - snake: one side brings nine checkers or more around the board from its 13 point or farther,
//     against one to three caught behind them, the other's rest at home or off.
//   - latehit: one side has borne off five or more and has one or two caught, on its 11 point or
//     farther or on the bar; the other has all 15, at most two in the opponent's home.
//   - massivebackgame: one side has six checkers or more in the opponent's home or on the bar, two
//     anchors among them, and the opponent at most one in its home.
//   - mutualbackgame: both have four or more in the other's home, with two anchors.
//   - savebackgammon: without contact, one side has borne off nothing and needs as many rolls to
//     leave the opponent's home as the opponent to bear off, one more or one fewer.
//   - stackedrace: without contact, not all home, six or more checkers on one point, pip counts
//     within a quarter of each other.
package families

// All lists the names of the families in the order of reports.
var All = []string{"snake", "latehit", "massivebackgame", "mutualbackgame", "savebackgammon", "stackedrace"}
