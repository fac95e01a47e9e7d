// Puts a fresh page in place of the old one; without scripts the page reloads itself.
setInterval(async () => {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.querySelector("main").replaceWith(fresh.querySelector("main"));
    document.title = fresh.title;
  } catch (e) {
    document.title = "fibsbot (no answer)";
  }
}, 3000);
