// The addresses of the pages: the site may be in any folder of a host.

/** base is the folder of the site. */
export const base = new URL("../../", import.meta.url);

/** below is a page in the folder of the site: the first one if path leads out of it. */
function below(path) {
  const u = new URL("./" + path, base);
  return u.href.startsWith(base.href) ? u.href : new URL("play/", base).href;
}

/** address is where the page for a path of the server is. The path may come from a link of another site. */
export function address(path) {
  const u = new URL("http://server/" + path.replace(/^[/\\]+/, ""));
  const match = /^\/matches\/([^/]+)$/.exec(u.pathname);
  if (match) {
    const q = new URLSearchParams(u.search);
    // Decodes what is no valid text too.
    q.set("id", new URLSearchParams("id=" + match[1].replaceAll("+", "%2B")).get("id"));
    return below("match/?" + q + u.hash);
  }
  return below((u.pathname === "/" ? "play" : u.pathname.slice(1)) + "/" + u.search + u.hash);
}

/** route is the path of the server for an address of a page. */
export function route(href) {
  const u = new URL(href);
  const name = u.pathname.slice(base.pathname.length).replace(/\/(index\.html)?$/, "");
  if (name !== "match") return "/" + name + u.search + u.hash;
  const q = new URLSearchParams(u.search);
  const id = q.get("id") ?? "";
  q.delete("id");
  return "/matches/" + encodeURIComponent(id) + (q.size ? "?" + q : "") + u.hash;
}
