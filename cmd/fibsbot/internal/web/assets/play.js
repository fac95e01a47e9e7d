// The page Play: the lobby, or the match that the address names.

import { ask, toast } from "./site.js";
import { setUpLobby, showLobby } from "./lobby.js";
import { open } from "./table.js";

async function route() {
  const id = new URLSearchParams(location.search).get("m");
  if (!id) return showLobby();
  try {
    open(await ask("GET", "/games/" + encodeURIComponent(id)));
  } catch (err) {
    toast(err.message);
    showLobby();
  }
}
addEventListener("popstate", route);
setUpLobby(open).catch((err) => toast(err.message));
route();
