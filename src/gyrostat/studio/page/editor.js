// The text of the model, with completion and marked faults.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, startCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
import {
  Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const QUIET = Annotation.define();
const TURN = 3000; // milliseconds between moves of one slider that are undone together
const KNOBS = StateEffect.define();
const NUMBER = Decoration.mark({ class: "cm-knob" });

/** The marks of numbers that have sliders. */
const NUMBERS = StateField.define({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    const given = transaction.effects.find((effect) => effect.is(KNOBS));
    return given ? given.value : marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.string, tags.content], color: "var(--code-text)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: "var(--faint)" },
]);
const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", backgroundColor: "var(--paper)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection) !important" },
  "&.cm-focused": { outline: "none" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "7px", boxShadow: "0 6px 24px #0003" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--paper)" },
  ".cm-completionDetail": { color: "var(--faint)", fontStyle: "normal" },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)" },
  ".cm-knob": { backgroundColor: "var(--knob)", borderRadius: "3px" },
});

export class Editor {
  constructor(parent, { onText, complete }) {
    this.onText = onText;
    this.complete = complete;
    this.places = [];
    const nonce = document.querySelector("meta[name=nonce]")?.content;
    this.extensions = [
      nonce ? EditorView.cspNonce.of(nonce) : [],
      lineNumbers(), foldGutter(), lintGutter(), highlightSpecialChars(), history(), drawSelection(), indentOnInput(),
      bracketMatching(), closeBrackets(), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(),
      search({ top: true }), yaml(), NUMBERS, indentUnit.of("  "), syntaxHighlighting(COLOURS), LOOK,
      autocompletion({ override: [(context) => this.options(context)], icons: true, maxRenderedOptions: 60 }),
      keymap.of([
        ...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap,
        ...lintKeymap, indentWithTab,
      ]),
      EditorView.contentAttributes.of({ "aria-label": "Text of the model" }),
      EditorView.updateListener.of((update) => this.changed(update)),
    ];
    this.view = new EditorView({ parent, state: EditorState.create({ extensions: this.extensions }) });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Put another file's text in; it cannot be undone. */
  open(text) {
    this.places = [];
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
  }

  /** Take the places of the numbers that have sliders. */
  setPlaces(knobs) {
    this.places = [...new Set(knobs.filter((knob) => !knob.home).flatMap((knob) => (knob.spans.length ? knob.spans : [knob])))];
    const { length } = this.view.state.doc;
    const numbers = this.places.filter(({ start, end, before, formula }) => !before && !formula && start < end && end <= length);
    const marks = numbers.map(({ start, end }) => NUMBER.range(start, end));
    this.view.dispatch({ effects: KNOBS.of(Decoration.set(marks, true)) });
  }

  changed(update) {
    if (!update.docChanged) return;
    for (const place of this.places) {
      const point = place.start === place.end;
      place.start = update.changes.mapPos(place.start, point ? 1 : -1);
      place.end = update.changes.mapPos(place.end, 1);
    }
    const quiet = update.transactions.some((transaction) => transaction.annotation(QUIET));
    this.onText(quiet);
  }

  /** Write the numbers of a knob at its places; successive ones can be undone at once. */
  write(knob, numbers) {
    const own = knob.spans.length ? knob.spans : [knob];
    if (own.some(({ end }) => end > this.view.state.doc.length)) return false;
    for (const { start, end } of own) {
      for (const other of this.places) {
        if (!own.includes(other) && other.start < Math.max(end, start + 1) && start < Math.max(other.end, other.start + 1)) other.stale = true;
      }
    }
    const annotations = [QUIET.of(true), Transaction.time.of(this.turnTime(`${knob.kind}:${knob.name}`))];
    const changes = own.map(({ start, end, before, after }, k) => ({ from: start, to: end, insert: `${before}${numbers[k]}${after}` }));
    const { start, before, after } = knob;
    this.view.dispatch({ changes, annotations });
    if (own.length > 1) { // several insertions move each other: the next text tells the new places
      if (own.some((span) => span.before || span.after)) for (const span of own) span.stale = true;
      return true;
    }
    const inner = start + before.length;
    Object.assign(knob, { start: inner, end: inner + numbers[0].length, before: "", after: "" });
    if (after === "*deg") Object.assign(knob, { end: knob.end + after.length, after });
    return true;
  }

  /** Return the time of a move for the history: moves of one slider soon after each other count as simultaneous. */
  turnTime(knob) {
    const now = Date.now();
    const goesOn = this.turn?.knob === knob && now - this.turn.last < TURN;
    this.turn = { knob, last: now, time: goesOn ? this.turn.time : now };
    return this.turn.time;
  }

  undo() { undo(this.view); this.view.focus(); }

  redo() { redo(this.view); this.view.focus(); }

  get depths() {
    return [undoDepth(this.view.state), redoDepth(this.view.state)];
  }

  /** Mark faults at their places. */
  mark(faults) {
    const { doc } = this.view.state;
    const diagnostics = faults.map(({ line, column, text }) => {
      const at = doc.line(Math.min(Math.max(1, line), doc.lines));
      const from = Math.min(at.to, at.from + Math.max(0, column - 1));
      const rest = at.text.slice(from - at.from);
      const word = /^("[^"]*"|'[^']*'|[^\s,{}[\]]+)/.exec(rest)?.[0].length ?? 0;
      const to = Math.min(at.to, from + Math.max(word, rest ? 1 : 0));
      return { from, to: Math.max(from, to), severity: "error", message: text };
    });
    diagnostics.sort((a, b) => a.from - b.from);
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  goTo(line, column) {
    const { doc } = this.view.state;
    const at = doc.line(Math.min(Math.max(1, line), doc.lines));
    this.view.dispatch({ selection: { anchor: Math.min(at.to, at.from + column - 1) }, scrollIntoView: true });
    this.view.focus();
  }

  nextFault() { nextDiagnostic(this.view); this.view.focus(); }

  suggest() { startCompletion(this.view); }

  async options(context) {
    const typed = context.matchBefore(/[\w.+\-*/]+$/);
    const opening = context.matchBefore(/[:{,[]\s*$/);
    if (!typed && !opening && !context.explicit) return null;
    const { length, options } = await this.complete(this.text, context.pos);
    return {
      from: context.pos - length,
      options: options.map(({ label, apply, detail, info, kind }) => ({ label, apply: apply ?? label, detail, info: info || undefined, type: kind })),
      validFor: /^[\w.\-]*$/,
    };
  }
}
