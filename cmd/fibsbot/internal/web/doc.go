// Package web is the program in a browser: one local site with rooms to set up
// positions, play, look through the archive and watch a running bot, over the API of
// package web/internal/api.
//
// The pages are templates filled by the server and small ES modules, all in this
// binary: nothing is built by users and nothing fetched from elsewhere. The modules
// are few and small enough to be served as they are written, so there is no bundler
// and no generated file that could be out of date.
//
// It lives below bot, beside ops, because its rooms show what bots do (ops), what the
// archive holds (archive/index) and matches against the engine (play); nothing below
// bot may know those.
//
// guard.go decides who may ask: by Host, Origin, token and content type, before any
// handler sees the request. pages.go shows rooms. server.go bounds connections.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package web
