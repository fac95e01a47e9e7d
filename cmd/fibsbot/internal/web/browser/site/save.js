/** save asks the engine for path and gives the answer to the reader as a file, called name unless the engine
    names it. */
export async function save(engine, path, name) {
  const response = await engine.fetch(path);
  if (!response.ok) {
    const { error } = await response.json().catch(() => ({ error: `status ${response.status}` }));
    throw new Error(error);
  }
  const named = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = named || name || path.split("/")[2] + ".html";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
