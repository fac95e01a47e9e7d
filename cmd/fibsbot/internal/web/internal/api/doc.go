// Package api is the program's HTTP interface, /api/v1: evaluation, plays, the cube,
// rollouts and analyses as jobs, conversion, the archive, and matches against the
// engine. The pages of package web use nothing else, and scripts in any language find
// here what others do in gnubg's Python.
//
// routes.go is the table of everything there is: method, path, what goes in, what
// comes out. The handlers and the OpenAPI description, served at openapi.json, are
// both made from it, so that they cannot differ; the schemas come from the Go types.
//
// Requests are JSON or, for match files, application/octet-stream. Errors have the
// body {"error", "field"} and status 400 for what the caller got wrong, 404, 409 when
// the state has moved on, 413 for too much, 503 when the engine is busy. Nothing is
// changed by GET. Everything is bounded: bodies, jobs, streams, and how many requests
// think at a time; see limits.go.
//
// Who may ask is not decided here: package web puts its guard in front.
package api
