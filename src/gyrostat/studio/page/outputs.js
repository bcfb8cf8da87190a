// The choice of outputs that are plotted.

/** Offer outputs with boxes to tick; `choose` gets the names that are. */
export function offerOutputs(menu, names, plotted, choose) {
  const chosen = new Set(plotted);
  const filter = Object.assign(document.createElement("input"), { className: "filter", placeholder: "Find an output" });
  const rows = names.map((name) => {
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: chosen.has(name) });
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(name);
      else chosen.delete(name);
      choose(names.filter((each) => chosen.has(each)));
    });
    const label = document.createElement("label");
    label.append(box, name);
    return { name, label };
  });
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const { name, label } of rows) label.hidden = !name.toLowerCase().includes(wanted);
  });
  menu.querySelector(".list").replaceChildren(filter, ...rows.map(({ label }) => label));
  menu.hidden = !names.length;
  menu.addEventListener("toggle", () => {
    const list = menu.querySelector(".list");
    const box = menu.getBoundingClientRect();
    list.style.right = `${innerWidth - box.right}px`;
    list.style.bottom = `${innerHeight - box.top + 2}px`;
  });
}
