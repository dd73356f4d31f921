import { formatFloat, isObject, type JsonObject, type JsonValue, sortedInSteps } from '../json/index.js';
import { escapeText, scalarStyle } from './scalar-style.js';
import { compareKeys } from './sort-keys.js';

/** A line longer than this breaks at its next space. */
const BEST_WIDTH = 80;
/** Longer keys, in bytes, are written with a `?`. */
const MAX_SIMPLE_KEY = 128;

/** The approximate size of a piece. */
const PIECE_CHARACTERS = 16 * 1024;

/**
 * Writes YAML byte for byte as upstream does: sorted keys, two spaces, lists not indented within maps, strings quoted
 * if YAML 1.1 would parse them as another type, several lines as a literal block. Upstream: sigs.k8s.io/yaml `Marshal`.
 */
export function stringifyYaml(value: JsonValue): string {
  return Array.from(yamlPieces(value)).join('');
}

/**
 * {@link stringifyYaml} for files that are read again. It quotes the key `<<`, which upstream writes plain, so that a
 * parser would merge the value into its map.
 */
export function stringifyYamlForFile(value: JsonValue): string {
  return Array.from(new YamlWriter({ quotesMergeKeys: true }).document(value)).join('');
}

/** {@link stringifyYaml} in pieces. A piece is empty where a step ends without output. */
export function* yamlPieces(value: JsonValue): Generator<string, void, undefined> {
  yield* new YamlWriter({ quotesMergeKeys: false }).document(value);
}

/** The text before and after the elements of a list field in a document. Each element is written as a list of one. */
export function yamlAround(fields: JsonObject, list: string): { before: string; after: string } {
  const names = Object.keys(fields).sort(compareKeys);
  const place = names.indexOf(list);
  const write = (some: readonly string[]): string =>
    some.map((name) => stringifyYaml({ [name]: fields[name] ?? null })).join('');
  return { before: `${write(names.slice(0, place))}${list}:\n`, after: write(names.slice(place + 1)) };
}

/** Generator methods yield the output whenever it is long enough for a piece. */
class YamlWriter {
  readonly #quotesMergeKeys: boolean;
  #text = '';
  /** The number of characters on the current line. */
  #column = 0;

  constructor({ quotesMergeKeys }: { readonly quotesMergeKeys: boolean }) {
    this.#quotesMergeKeys = quotesMergeKeys;
  }

  *document(value: JsonValue): Generator<string> {
    if (isFilledObject(value)) yield* this.#map(value, 0);
    else if (Array.isArray(value) && value.length > 0) yield* this.#list(value, 0);
    else yield* this.#scalar(value, 2, true);
    if (this.#column > 0) this.#newLine(0);
    yield this.#text;
  }

  /** Starts at the current position; later entries start on their own lines. */
  *#map(map: JsonObject, indent: number): Generator<string> {
    let first = true;
    for (const key of yield* sortedKeys(map)) {
      const value = map[key];
      if (value === undefined) continue;
      if (!first) this.#startLine(indent);
      first = false;
      if (isSimpleKey(key)) {
        if (key === '<<' && this.#quotesMergeKeys) this.#put('"<<"');
        else yield* this.#scalar(key, indent + 2, false);
        this.#put(':');
        yield* this.#mapValue(value, indent);
      } else {
        this.#put('? ');
        yield* this.#scalar(key, indent + 2, true);
        this.#startLine(indent);
        this.#put(': ');
        yield* this.#inline(value, indent);
      }
    }
  }

  *#mapValue(value: JsonValue, indent: number): Generator<string> {
    if (isFilledObject(value)) {
      this.#startLine(indent + 2);
      yield* this.#map(value, indent + 2);
    } else if (Array.isArray(value) && value.length > 0) {
      this.#startLine(indent);
      yield* this.#list(value, indent);
    } else {
      this.#put(' ');
      yield* this.#scalar(value, indent + 2, true);
    }
  }

  *#list(list: readonly JsonValue[], indent: number): Generator<string> {
    for (let index = 0; index < list.length; index++) {
      if (index > 0) this.#startLine(indent);
      this.#put('- ');
      yield* this.#inline(list[index] ?? null, indent);
    }
  }

  /** A value that starts on the line of its indicator. */
  *#inline(value: JsonValue, indent: number): Generator<string> {
    if (isFilledObject(value)) yield* this.#map(value, indent + 2);
    else if (Array.isArray(value) && value.length > 0) yield* this.#list(value, indent + 2);
    else yield* this.#scalar(value, indent + 2, true);
  }

  *#scalar(value: JsonValue, indent: number, folds: boolean): Generator<string> {
    if (typeof value === 'string') yield* this.#string(value, indent, folds);
    else if (typeof value === 'number') this.#put(formatNumber(value));
    else if (value === null || typeof value !== 'object') this.#put(String(value));
    else this.#put(Array.isArray(value) ? '[]' : '{}');
    if (this.#text.length >= PIECE_CHARACTERS) yield this.#take();
  }

  *#string(text: string, indent: number, folds: boolean): Generator<string> {
    switch (scalarStyle(text)) {
      case 'literal':
        yield* this.#literal(text, indent);
        return;
      case 'single':
        yield* this.#quoted(text, "'", indent, folds);
        return;
      case 'double':
        yield* this.#quoted(text, '"', indent, folds);
        return;
      default:
        yield* this.#plain(text, indent, folds);
    }
  }

  *#plain(text: string, indent: number, folds: boolean): Generator<string> {
    if (!folds || this.#column + text.length <= BEST_WIDTH) {
      this.#put(text);
      return;
    }
    for (const run of runsOf(text)) {
      if (run.text === ' ' && !run.afterSpace && !run.beforeSpace && this.#column > BEST_WIDTH) this.#newLine(indent);
      else this.#put(run.text);
      if (this.#text.length >= PIECE_CHARACTERS) yield this.#take();
    }
  }

  *#quoted(text: string, quote: "'" | '"', indent: number, folds: boolean): Generator<string> {
    this.#put(quote);
    for (const run of runsOf(text)) {
      const breaks = run.text === ' ' && run.isInside && !run.afterSpace && folds && this.#column > BEST_WIDTH;
      // A parser reads a line break as one space, and drops a second space between single quotes.
      if (breaks && !(quote === "'" && run.beforeSpace)) {
        this.#newLine(indent);
        if (run.beforeSpace) this.#put('\\');
      } else {
        this.#put(quote === '"' ? escapeText(run.text) : run.text.replaceAll("'", "''"));
      }
      if (this.#text.length >= PIECE_CHARACTERS) yield this.#take();
    }
    this.#put(quote);
  }

  *#literal(text: string, indent: number): Generator<string> {
    const hint = text.startsWith(' ') || text.startsWith('\n') ? '2' : '';
    const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
    this.#put(`|${hint}${chomp}`);
    const margin = ' '.repeat(indent);
    for (let from = 0; from < text.length; ) {
      const found = text.indexOf('\n', from);
      const end = found < 0 ? text.length : found;
      this.#text += end > from ? `\n${margin}${text.slice(from, end)}` : '\n';
      from = end + 1;
      if (this.#text.length >= PIECE_CHARACTERS) yield this.#take();
    }
    const complete = text.endsWith('\n');
    if (complete) this.#text += '\n';
    this.#column = complete ? 0 : indent + 1;
  }

  /** Moves to the start of an indented line, unless the end of a block is already there. */
  #startLine(indent: number): void {
    if (this.#column > 0) this.#newLine(indent);
    else {
      this.#text += ' '.repeat(indent);
      this.#column = indent;
    }
  }

  #newLine(indent: number): void {
    this.#text += `\n${' '.repeat(indent)}`;
    this.#column = indent;
  }

  #put(text: string): void {
    this.#text += text;
    this.#column += text.length;
  }

  #take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

/** Yields empty pieces between the steps of sorting many keys. */
function* sortedKeys(map: JsonObject): Generator<string, readonly string[]> {
  const sorting = sortedInSteps(Object.keys(map), compareKeys);
  for (;;) {
    const step = sorting.next();
    if (step.done === true) return step.value;
    yield '';
  }
}

/** A part of a string: a space, or characters without spaces. */
interface Run {
  readonly text: string;
  readonly afterSpace: boolean;
  readonly beforeSpace: boolean;
  /** Neither at the start nor at the end of the string. */
  readonly isInside: boolean;
}

function* runsOf(text: string): Generator<Run> {
  for (let from = 0; from < text.length; ) {
    const end = text[from] === ' ' ? from + 1 : endOfRun(text, from);
    yield {
      text: text.slice(from, end),
      afterSpace: text[from - 1] === ' ',
      beforeSpace: text[end] === ' ',
      isInside: from > 0 && end < text.length,
    };
    from = end;
  }
}

/** Splits a long run, but not within a surrogate pair. */
function endOfRun(text: string, from: number): number {
  const space = text.indexOf(' ', from);
  const end = Math.min(space < 0 ? text.length : space, from + PIECE_CHARACTERS);
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 && end < text.length && end === from + PIECE_CHARACTERS ? end + 1 : end;
}

function isFilledObject(value: JsonValue): value is JsonObject {
  if (!isObject(value)) return false;
  for (const key in value) if (value[key] !== undefined) return true;
  return false;
}

const lineBreak = /[\n\r\u0085\u2028\u2029]/;

function isSimpleKey(key: string): boolean {
  return !lineBreak.test(key) && (key.length <= MAX_SIMPLE_KEY / 3 || Buffer.byteLength(key) <= MAX_SIMPLE_KEY);
}

/** Writes whole numbers as integers, as in JSON. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63
    ? String(value)
    : value >= 2 ** 63 && value < 2 ** 64
      ? String(value)
      : formatFloat(value);
}
