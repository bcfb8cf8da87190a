// Files: opening, saving, exporting.
import { notice } from "./notices.js";

const $ = (id) => document.getElementById(id);
const EXPORTS = {
  animation: "Animation (HTML)", table: "Table of the motion (CSV)", trajectory: "Trajectory (NetCDF)", picture: "Picture (SVG)",
  equations: "Equations (LaTeX)", topology: "Topology (SVG)", report: "Report (HTML)",
};

/** Bind the menus and buttons of files. */
export function bindFiles(studio) {
  const files = { dirty: false, name: "", examples: [], list: [], saving: false, again: false };

  const item = (menu, label, act) => {
    const button = Object.assign(document.createElement("button"), { textContent: label });
    button.onclick = () => { menu.open = false; act(); };
    return button;
  };
  const heading = (text) => Object.assign(document.createElement("h4"), { textContent: text });
  const open = (what) => {
    if (files.dirty && !confirm("The text has changes that are not saved. Open another model nevertheless?")) return;
    studio.openModel(what);
  };

  const fill = () => {
    const menu = $("files");
    const list = menu.querySelector(".list");
    list.replaceChildren(
      item(menu, "New model", () => open({})),
      item(menu, "Save as …", () => files.saveAs()),
      ...(files.list.length ? [heading("In this folder"), ...files.list.map((file) => item(menu, file, () => open({ file })))] : []),
      ...(files.examples.length ? [heading("Examples"), ...files.examples.map((example) => item(menu, example.replaceAll("_", " "), () => open({ example })))] : []),
    );
  };

  files.offer = (hello) => {
    Object.assign(files, { list: hello.files, examples: hello.examples });
    $("files").title = hello.folder;
    fill();
    const menu = $("export");
    const found = hello.exports.map((kind) => item(menu, EXPORTS[kind] ?? kind, () => studio.send({ type: "export", kind })));
    menu.querySelector(".list").replaceChildren(...found);
  };
  files.opened = (name, list) => {
    Object.assign(files, { name, list, dirty: false, again: false });
    $("file-name").textContent = name || "Unsaved model";
    files.mark();
    fill();
  };
  files.mark = () => {
    $("dirty").hidden = !files.dirty;
    const [back, forth] = studio.editor.depths;
    $("undo").disabled = !back;
    $("redo").disabled = !forth;
  };
  files.changed = () => {
    files.dirty = true;
    files.again = false;
    files.mark();
  };
  files.saveAs = () => {
    const name = prompt("Name of the file in this folder", files.name || "model.yaml");
    if (name) files.save(name);
  };
  files.save = (name = files.name) => {
    if (!name) return files.saveAs();
    if (files.saving) return undefined;
    files.saving = true;
    studio.send({ type: "save", name, text: studio.editor.text, replace: files.again });
    return undefined;
  };
  /** Take note of a refusal that the reader has seen: saving again replaces the file. */
  files.refused = () => {
    files.again ||= files.saving;
    files.saving = false;
  };
  files.saved = (name, list) => {
    files.saving = false;
    files.opened(name, list);
    notice(`Saved: ${name}`, "info");
  };
  files.download = (name, data) => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([data])), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  $("save").onclick = () => files.save();
  addEventListener("pointerdown", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
  return files;
}
