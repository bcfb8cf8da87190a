// Messages to the reader: what is being done, and what went wrong.
const STAY = { info: 6000, error: 12000 };

/** Show a sentence in the corner for some seconds; a click takes it away. */
export function notice(text, level = "info") {
  const place = document.getElementById("notices");
  const box = Object.assign(document.createElement("button"), { className: `notice ${level}`, textContent: text, title: "Take away" });
  box.onclick = () => box.remove();
  place.append(box);
  while (place.children.length > 4) place.firstChild.remove();
  setTimeout(() => box.remove(), STAY[level]);
}

let later = 0;

/** Show what is being done; short work is not told. */
export function setStatus(text, fraction) {
  const place = document.getElementById("status");
  clearTimeout(later);
  const tell = () => {
    place.classList.toggle("busy", Boolean(text));
    document.getElementById("stop").hidden = !text;
    place.classList.toggle("unknown", Boolean(text) && fraction === null);
    place.style.setProperty("--done", fraction ?? 0);
    place.querySelector("span").textContent = text && fraction !== null ? `${text} ${Math.round(100 * fraction)} %` : text;
  };
  if (text && !place.classList.contains("busy")) later = setTimeout(tell, 120);
  else tell();
}
