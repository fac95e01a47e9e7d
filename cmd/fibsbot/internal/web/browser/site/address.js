// The addresses of the pages: the site may be in any folder of a host.

/** base is the folder of the site. */
export const base = new URL("../../", import.meta.url);

/** address is where the page for a path of the server is. */
export function address(path) {
  const u = new URL(path, "http://server");
  const match = /^\/matches\/([^/]+)$/.exec(u.pathname);
  if (match) {
    const q = new URLSearchParams(u.search);
    q.set("id", decodeURIComponent(match[1]));
    return new URL("match/?" + q + u.hash, base).href;
  }
  return new URL((u.pathname === "/" ? "play" : u.pathname.slice(1)) + "/" + u.search + u.hash, base).href;
}

/** route is the path of the server for an address of a page. */
export function route(href) {
  const u = new URL(href), name = u.pathname.slice(base.pathname.length).replace(/\/(index\.html)?$/, "");
  if (name !== "match") return "/" + name + u.search + u.hash;
  const q = new URLSearchParams(u.search), id = q.get("id") ?? "";
  q.delete("id");
  return "/matches/" + encodeURIComponent(id) + (q.size ? "?" + q : "") + u.hash;
}
