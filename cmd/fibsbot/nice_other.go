//go:build !linux

package main

// beNice lets other programs go first where that is known to work.
func beNice() {}
