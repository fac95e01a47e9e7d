// Package diagram draws a backgammon position as SVG: for reports, web pages and
// picture files.
//
// A [Diagram] says what to draw; [Diagram.SVG] draws it. The drawing needs no other
// file, script or style sheet. Every part has a class whose name begins with "bg-"
// (bg-felt, bg-frame, bg-bar, bg-tray, bg-point-a, bg-point-b, bg-light, bg-dark,
// bg-cube, bg-die, bg-pip, bg-number, bg-text, bg-arrow), so that a page can give it
// other colours by CSS; without such rules it has those of its [Theme]. Checkers also
// have the class bg-me or bg-opp.
//
// The player on roll sits below: his home is at the lower right, or at the lower left
// with HomeLeft. Turned lets him sit above.
package diagram
