// Package web is the program in a browser: a local site with pages to play, set up
// positions, search the archive and watch a running bot, over the API of package
// web/internal/api.
//
// The pages are server-side templates with small ES modules. All files are in the binary
// and are served as written: there is no bundler and no generated file.
//
// guard.go checks Host, Origin, token and content type before any handler. server.go renders
// pages and bounds connections.
//
// Part of the program, not of the library: docs/library.md lists what others may import.
package web
