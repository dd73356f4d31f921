import { withoutEnding } from '../json/index.js';

/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Bounds the insertion sort, which takes quadratic time. Upstream limits only the size of headers. */
const MAX_CLAUSES = 64;

/**
 * Whether an Accept header names one of the media types or the range of all types. Upstream's router supports no
 * other range. An absent or empty header accepts everything. Upstream: go-restful `Route.matchesAccept`.
 */
export function acceptsExactly(header: string | undefined, mediaTypes: readonly string[]): boolean {
  if (header === undefined || header === '') return true;
  return header.split(',').some((clause) => {
    const wanted = trimSpaces(clause.split(';', 1)[0] ?? '');
    return wanted === '*/*' || mediaTypes.includes(wanted);
  });
}

/** The clauses of an Accept header, most preferred first. Skips malformed ones. */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',', MAX_CLAUSES)) {
    const clause = parseClause(trimSpaces(part));
    if (clause !== undefined) clauses.push(clause);
  }
  return sortByPreference(clauses);
}

function parseClause(text: string): AcceptClause | undefined {
  const [range = '', ...rest] = text.split(';');
  const slash = range.indexOf('/');
  const type = trimSpaces(slash < 0 ? range : range.slice(0, slash));
  let subtype = slash < 0 ? '' : range.slice(slash + 1);
  if (subtype === '') {
    if (type !== '*') return undefined;
    subtype = '*';
  } else if (/\/./.test(subtype)) {
    return undefined;
  } else {
    subtype = trimSpaces(subtype.endsWith('/') ? subtype.slice(0, -1) : subtype);
  }
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const parameter of rest) {
    const match = /^([^=]*)=([^=]+)=?$/.exec(parameter);
    if (match === null) continue;
    const name = trimSpaces(match[1] ?? '');
    const value = match[2] ?? '';
    if (name === 'q') quality = parseQuality(value);
    else parameters.set(name, trimSpaces(value));
  }
  return { type, subtype, quality, parameters };
}

function parseQuality(text: string): number {
  return /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text) ? Number(text) : 0;
}

/**
 * Sorts by quality, then by fewer wildcards. Upstream's order is not total (a specific clause precedes a wildcard of
 * higher quality), so its algorithm, an insertion sort, is part of the behavior.
 */
function sortByPreference(clauses: AcceptClause[]): AcceptClause[] {
  for (let index = 1; index < clauses.length; index++) {
    for (let at = index; at > 0; at--) {
      const before = clauses[at - 1];
      const clause = clauses[at];
      if (before === undefined || clause === undefined || !isPreferred(clause, before)) break;
      clauses[at - 1] = clause;
      clauses[at] = before;
    }
  }
  return clauses;
}

function isPreferred(a: AcceptClause, b: AcceptClause): boolean {
  if (a.quality > b.quality) return true;
  if (a.type !== '*' && b.type === '*') return true;
  return a.subtype !== '*' && b.subtype === '*';
}

function trimSpaces(text: string): string {
  return withoutEnding(text.replace(/^ +/, ''), ' ');
}
