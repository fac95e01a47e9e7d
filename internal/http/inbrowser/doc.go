// Package inbrowser has those parts of net/http that handlers need in a browser, where requests come
// from the pages of the same program. They do what their namesakes in net/http do, which a test
// compares.
package inbrowser
