//go:build !js

package web

import (
	"path"
	"slices"
)

// Static are the rooms as files, for a site that is not served by this program.
type Static struct {
	// Pages are the rooms by their names; "match" is that of a match, with MatchID for its ID.
	Pages map[string][]byte
	// Assets are the files that pages load, by their paths, which contain Tag.
	Assets map[string][]byte
	Tag    string
}

// MatchID stands for the ID of a match in Static.
const MatchID = "MATCH-ID"

// storageRoom is the room of a site without a server.
var storageRoom = room{"/storage", "Storage", "What this browser stores", "storage.html"}

// Rooms returns the rooms as files. Instead of the bots, which need a server, there is a room
// for what the browser stores.
func Rooms(version string) (*Static, error) {
	out := &Static{Pages: map[string][]byte{}, Assets: map[string][]byte{}}
	list := append(slices.DeleteFunc(slices.Clone(rooms), func(r room) bool { return r == botsRoom }), storageRoom)
	for _, r := range append(list[:len(list):len(list)], matchRoom) {
		v, name := view{Room: r, Rooms: list, Version: version, Archive: true}, r.Path[1:]
		if r == matchRoom {
			v.ID, name = MatchID, "match"
		}
		html, err := page(v)
		if err != nil {
			return nil, err
		}
		out.Pages[name] = html
	}
	var all map[string]asset
	all, out.Tag = assets()
	for name, a := range all {
		out.Assets[path.Join("assets", out.Tag, name)] = a.body
	}
	return out, nil
}
