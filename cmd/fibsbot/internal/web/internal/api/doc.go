// Package api is the program's HTTP interface, /api/v1: evaluation, plays, the cube,
// match equities, rollouts and analyses as jobs, conversion, the archive, and matches
// against the engine. The pages of package web use only this API.
//
// routes.go is the table of all operations: method, path, types of request and answer. The
// handlers and the OpenAPI description, served at openapi.json, both follow from it.
//
// Requests are JSON or, for match files, application/octet-stream; an import of several is
// a form. Errors have the body {"error", "field"} and status 400 for a wrong request, 404, 409 if the state has changed,
// 413 for a long body, 503 if the engine is busy. GET changes nothing. Bodies, jobs,
// streams and concurrent requests are bounded, see api.go.
//
// Package web controls access.
package api
