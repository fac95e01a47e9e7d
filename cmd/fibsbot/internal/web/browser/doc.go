// Package browser writes the browser edition: a folder of static files with the rooms of
// package web, whose requests are answered in the browser by the same handlers. The program
// engine, built for GOOS=js GOARCH=wasm, runs in a worker; site holds the scripts around it.
package browser
