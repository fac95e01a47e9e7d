// Package bgblitz reads the binary matches of BGBlitz (.bgf): a line of JSON, then a
// document in JSON or SMILE, its binary form, packed or not.
//
// Green becomes player 0, Red player 1, as in BGBlitz's own text of positions. The
// plays, cube actions, scores, rules and comments are read, and its own analysis:
// candidates, cube decisions and luck. Field meanings come from published readers; no
// file of the program was available.
package bgblitz
