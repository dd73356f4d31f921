import { formatFloat, isObject, type JsonObject, type JsonValue } from '../json/index.js';
import { escapeCharacter, scalarStyle } from './scalar-style.js';
import { compareKeys } from './sort-keys.js';

/** Beyond this column a line is broken at its next space. */
const BEST_WIDTH = 80;
/** Longer keys, in bytes, are written with a `?`. */
const MAX_SIMPLE_KEY = 128;

/**
 * A value as YAML, byte for byte as upstream writes it: sorted keys, two spaces, lists not indented within maps, strings quoted
 * where a reader of YAML 1.1 would take them for something else, several lines as a literal block.
 * Upstream: sigs.k8s.io/yaml `Marshal`.
 */
export function stringifyYaml(value: JsonValue): string {
  const writer = new YamlWriter();
  writer.document(value);
  return writer.text;
}

class YamlWriter {
  text = '';
  /** Characters on the current line. */
  #column = 0;

  document(value: JsonValue): void {
    if (isFilledObject(value)) this.#map(value, 0);
    else if (Array.isArray(value) && value.length > 0) this.#list(value, 0);
    else this.#scalar(value, 2, true);
    if (this.#column > 0) this.#newLine(0);
  }

  /** Begins where the writer stands; further entries begin on lines of their own. */
  #map(map: JsonObject, indent: number): void {
    let first = true;
    for (const key of Object.keys(map).sort(compareKeys)) {
      const value = map[key];
      if (value === undefined) continue;
      if (!first) this.#startLine(indent);
      first = false;
      if (isSimpleKey(key)) {
        this.#scalar(key, indent + 2, false);
        this.#put(':');
        this.#mapValue(value, indent);
      } else {
        this.#put('? ');
        this.#scalar(key, indent + 2, true);
        this.#startLine(indent);
        this.#put(': ');
        this.#inline(value, indent);
      }
    }
  }

  #mapValue(value: JsonValue, indent: number): void {
    if (isFilledObject(value)) {
      this.#startLine(indent + 2);
      this.#map(value, indent + 2);
    } else if (Array.isArray(value) && value.length > 0) {
      this.#startLine(indent);
      this.#list(value, indent);
    } else {
      this.#put(' ');
      this.#scalar(value, indent + 2, true);
    }
  }

  #list(list: readonly JsonValue[], indent: number): void {
    for (let index = 0; index < list.length; index++) {
      if (index > 0) this.#startLine(indent);
      this.#put('- ');
      this.#inline(list[index] ?? null, indent);
    }
  }

  /** A value that begins on the line of its indicator. */
  #inline(value: JsonValue, indent: number): void {
    if (isFilledObject(value)) this.#map(value, indent + 2);
    else if (Array.isArray(value) && value.length > 0) this.#list(value, indent + 2);
    else this.#scalar(value, indent + 2, true);
  }

  #scalar(value: JsonValue, indent: number, folds: boolean): void {
    if (typeof value === 'string') this.#string(value, indent, folds);
    else if (typeof value === 'number') this.#put(formatNumber(value));
    else if (value === null || typeof value !== 'object') this.#put(String(value));
    else this.#put(Array.isArray(value) ? '[]' : '{}');
  }

  #string(text: string, indent: number, folds: boolean): void {
    switch (scalarStyle(text)) {
      case 'literal':
        this.#literal(text, indent);
        return;
      case 'single':
        this.#quoted(text, "'", indent, folds);
        return;
      case 'double':
        this.#quoted(text, '"', indent, folds);
        return;
      default:
        this.#plain(text, indent, folds);
    }
  }

  #plain(text: string, indent: number, folds: boolean): void {
    if (!folds || this.#column + text.length <= BEST_WIDTH) {
      this.#put(text);
      return;
    }
    let afterSpace = false;
    const characters = Array.from(text);
    for (const [index, character] of characters.entries()) {
      if (character === ' ' && !afterSpace && this.#column > BEST_WIDTH && characters[index + 1] !== ' ')
        this.#newLine(indent);
      else this.#put(character);
      afterSpace = character === ' ';
    }
  }

  #quoted(text: string, quote: "'" | '"', indent: number, folds: boolean): void {
    const characters = Array.from(text);
    let afterSpace = false;
    this.#put(quote);
    for (const [index, character] of characters.entries()) {
      const inside = index > 0 && index < characters.length - 1;
      if (character === ' ' && folds && !afterSpace && inside && this.#column > BEST_WIDTH) {
        const beforeSpace = characters[index + 1] === ' ';
        if (quote === '"') {
          this.#newLine(indent);
          if (beforeSpace) this.#put('\\');
        } else if (beforeSpace) {
          this.#put(' ');
        } else {
          this.#newLine(indent);
        }
      } else if (quote === '"') {
        this.#put(escapeCharacter(character));
      } else {
        this.#put(character === "'" ? "''" : character);
      }
      afterSpace = character === ' ';
    }
    this.#put(quote);
  }

  #literal(text: string, indent: number): void {
    const hint = text.startsWith(' ') || text.startsWith('\n') ? '2' : '';
    const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
    this.#put(`|${hint}${chomp}`);
    const lines = text.split('\n');
    const complete = lines[lines.length - 1] === '';
    if (complete) lines.pop();
    const margin = ' '.repeat(indent);
    this.text += '\n';
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.text += '\n';
      if (line !== '') this.text += margin + line;
    }
    if (complete) this.text += '\n';
    this.#column = complete ? 0 : indent + 1;
  }

  /** Goes to the start of an indented line, which the end of a block may have reached already. */
  #startLine(indent: number): void {
    if (this.#column > 0) this.#newLine(indent);
    else {
      this.text += ' '.repeat(indent);
      this.#column = indent;
    }
  }

  #newLine(indent: number): void {
    this.text += `\n${' '.repeat(indent)}`;
    this.#column = indent;
  }

  #put(text: string): void {
    this.text += text;
    this.#column += text.length;
  }
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

/** Whole numbers are written as integers, as they are in JSON. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63
    ? String(value)
    : value >= 2 ** 63 && value < 2 ** 64
      ? String(value)
      : formatFloat(value);
}
