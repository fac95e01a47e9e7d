// Package external lets other programs play with this engine, and this program with
// other engines. It has both ends of two protocols.
//
// The line protocol is one request a line, one answer a line (see [Requests]): [Server]
// answers it, [Client] starts a program that speaks it and asks.
//
// gnubg's external-player protocol sends a board line and wants a play, roll, double, take,
// drop or resignation: [Player] answers a gnubg that plays against this engine, [Remote]
// asks a gnubg (or a Player) that serves it. Player also answers what gnubg's own command
// external answers: version, evaluation fibsboard BOARD plies 2 cubeful, boards with options.
package external

// Requests describes the line protocol for help texts.
const Requests = `  hello 1                ok NAME cube
  pos ID D1 D2           the Position ID after the best cubeless money play
  move ID D1 D2 CTX      the same with the cube and match context
  cube ID CTX            double or roll
  take ID CTX            take or drop; ID and CTX are the doubler's
  eval ID                win wg wbg lg lbg equity
  cubeinfo ID CTX        ACTION no_double double_take double_pass
  set KEY VALUE          ok; keys preset, plies, noise, filter (as --filter),
                         cubeful, threads, seed
  quit
CTX is CUBE OWNER LENGTH MYSCORE OPPSCORE CRAWFORD JACOBY of the player on roll, OWNER
-1 centred, 0 own, 1 the opponent's. A request that is not understood is answered
"error REASON" and changes nothing.`

// maxRequest bounds a request line; real ones have under 256 bytes.
const maxRequest = 4096
