// The page Play: the lobby, or the match that the address names.

import { _, ask, below, toast } from "./site.js";
import { setUpLobby, showLobby } from "./lobby.js";
import { open } from "./table.js";

async function route() {
  const id = new URLSearchParams(location.search).get("m");
  if (!id) return showLobby();
  try {
    open(await ask("GET", "/games/" + encodeURIComponent(id)));
  } catch (err) {
    history.replaceState({}, "", below("/play"));
    showLobby(
      err.status === 404
        ? _`This match was finished or deleted. Finished matches are in the room Matches.`
        : err.message,
    );
  }
}
addEventListener("popstate", route);
setUpLobby(open).catch((err) => toast(err.message));
route();
