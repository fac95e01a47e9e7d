// Package race holds the counts by which players judge a race at the table: the
// formulas of Kleinman, Thorp, Keith, Ward and Reichert (Isight). They need pips and checkers only, no
// nets and no databases.
package race
