import type { JsonValue } from '../json/index.js';

/** A JSONPath as table columns use it: `.status.conditions[?(@.type=="Ready")].status`. */
export type JsonPath = readonly JsonPathStep[];

export type JsonPathStep =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'all' }
  | { readonly type: 'everywhere' }
  | { readonly type: 'slice'; readonly from?: number; readonly to?: number; readonly every: number }
  | { readonly type: 'index'; readonly index: number }
  | FilterStep;

/** Selects items of a list. */
export type FilterStep =
  | {
      readonly type: 'filter';
      readonly left: FilterSide;
      readonly operator: FilterOperator;
      readonly right: FilterSide;
    }
  | { readonly type: 'has'; readonly path: JsonPath };

export type FilterOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';
export type FilterSide = { readonly path: JsonPath } | { readonly value: JsonValue };

/** An invalid path. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/** Filters may contain paths with filters, up to this depth. */
const MAXIMUM_DEPTH = 8;

/** Parses a path. Throws JsonPathError. Upstream: client-go `util/jsonpath`, without template ranges and unions. */
export function parseJsonPath(text: string): JsonPath {
  return new Parser(text, 0).path();
}

const operators: readonly FilterOperator[] = ['==', '!=', '<=', '>=', '<', '>'];

class Parser {
  readonly #text: string;
  readonly #depth: number;
  #at = 0;

  constructor(text: string, depth: number) {
    if (depth > MAXIMUM_DEPTH) throw new JsonPathError('filters are nested too deeply');
    this.#text = text;
    this.#depth = depth;
  }

  path(): JsonPath {
    const steps: JsonPathStep[] = [];
    if (this.#text[this.#at] === '$' || this.#text[this.#at] === '@') this.#at++;
    while (this.#at < this.#text.length) this.#step(steps);
    return steps;
  }

  #step(steps: JsonPathStep[]): void {
    const character = this.#text[this.#at];
    if (character === '[') {
      steps.push(this.#bracket());
    } else if (character === '.') {
      this.#at++;
      if (this.#text[this.#at] === '.') {
        this.#at++;
        steps.push({ type: 'everywhere' });
      }
      const name = this.#name();
      if (name === '*') steps.push({ type: 'all' });
      else if (name !== '') steps.push({ type: 'field', name });
    } else {
      throw new JsonPathError(`unrecognized character in action: ${JSON.stringify(character)}`);
    }
  }

  /** Reads up to the next delimiter; a backslash escapes the character after it. */
  #name(): string {
    let name = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] ?? '';
      if (character === '.' || character === '[') break;
      if (character === '\\') this.#at++;
      name += this.#text[this.#at] ?? '';
    }
    return name;
  }

  #bracket(): JsonPathStep {
    const inner = this.#upToClosing();
    const quoted = /^(['"])(.*)\1$/s.exec(inner);
    if (quoted !== null) return { type: 'field', name: (quoted[2] ?? '').replace(/\\(.)/gs, '$1') };
    if (inner === '*') return { type: 'all' };
    const filter = /^\?\((.*)\)$/s.exec(inner)?.[1];
    if (filter !== undefined) return this.#filter(filter.trim());
    if (/^-?\d+$/.test(inner)) return { type: 'index', index: Number(inner) };
    const [, from, to, every] = /^(-?\d*):(-?\d*)(?::(\d+))?$/.exec(inner) ?? [];
    if (from === undefined || to === undefined) throw new JsonPathError(`invalid array index ${inner}`);
    return {
      type: 'slice',
      ...(from === '' ? {} : { from: Number(from) }),
      ...(to === '' ? {} : { to: Number(to) }),
      every: Math.max(1, Number(every ?? 1)),
    };
  }

  /** Reads up to the matching closing bracket. */
  #upToClosing(): string {
    const start = ++this.#at;
    let depth = 1;
    let quote = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] ?? '';
      if (character === '\\') this.#at++;
      else if (quote !== '') quote = character === quote ? '' : quote;
      else if (character === '"' || character === "'") quote = character;
      else if (character === '[') depth++;
      else if (character === ']' && --depth === 0) return this.#text.slice(start, this.#at++);
    }
    throw new JsonPathError('unterminated array');
  }

  #filter(text: string): JsonPathStep {
    const found = findOperator(text);
    if (found === undefined) return { type: 'has', path: this.#inner(text) };
    const { at, operator } = found;
    return {
      type: 'filter',
      left: this.#side(text.slice(0, at).trim()),
      operator,
      right: this.#side(text.slice(at + operator.length).trim()),
    };
  }

  #side(text: string): FilterSide {
    const quoted = /^(['"])(.*)\1$/s.exec(text);
    if (quoted !== null) return { value: quoted[2] ?? '' };
    if (text === 'true' || text === 'false') return { value: text === 'true' };
    if (/^-?\d+(\.\d+)?$/.test(text)) return { value: Number(text) };
    return { path: this.#inner(text) };
  }

  #inner(text: string): JsonPath {
    if (!text.startsWith('@') && !text.startsWith('.') && !text.startsWith('$')) {
      throw new JsonPathError(`unrecognized filter ${text}`);
    }
    return new Parser(text, this.#depth + 1).path();
  }
}

/** The first operator outside of quotes and brackets. */
function findOperator(text: string): { at: number; operator: FilterOperator } | undefined {
  let quote = '';
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '[') depth++;
    else if (character === ']') depth--;
    else if (depth === 0) {
      const operator = operators.find((each) => text.startsWith(each, at));
      if (operator !== undefined) return { at, operator };
    }
  }
  return undefined;
}
