import { isObject, type JsonValue } from '@binnacle/apimachinery/json';
import { parseYaml } from '@binnacle/apimachinery/yaml';

/** The lines `from` up to `to`, which is not one of them. */
interface Range {
  readonly from: number;
  readonly to: number;
}

interface Item extends Range {
  readonly name: string | undefined;
}

/** A list at the top level, as `kubectl config` writes it. */
interface ListLines extends Range {
  /** Spaces before the dashes. */
  readonly indent: string;
  readonly items: readonly Item[];
}

/** A line at the top level that starts a field, a document or the end of one. */
const STARTS_FIELD = /^(?:[A-Za-z"'-][^:]*:(?:\s|$)|---|\.\.\.)/;
/** The value of a list without entries. */
const EMPTY = /^(?:\[\]|null|~|)$/;

/**
 * Puts an entry into a list of a YAML text, in place of the one with its name, or last. `entry`: a list that has only this entry, in YAML.
 * Undefined if the list is not in block style.
 */
export function putEntry(text: string, list: string, name: string | undefined, entry: string): string | undefined {
  const lines = linesOf(text);
  const found = findList(lines, list);
  if (found === 'absent') return joined([...lines, `${list}:`, ...linesOf(entry)]);
  if (found === undefined) return undefined;
  const item = found.items.find((each) => each.name === name);
  const { from, to } = item ?? endOf(found);
  const header = found.items.length === 0 ? [...lines.slice(0, found.from), `${list}:`] : lines.slice(0, from);
  return joined([...header, ...linesOf(entry).map((line) => found.indent + line), ...lines.slice(to)]);
}

/** Removes the entries of a name from a list. Undefined if the list is not in block style. */
export function removeEntries(text: string, list: string, name: string): string | undefined {
  const lines = linesOf(text);
  const found = findList(lines, list);
  if (found === 'absent' || found === undefined) return undefined;
  const removed = found.items.filter((each) => each.name === name);
  const kept = lines.filter((_, index) => !removed.some(({ from, to }) => index >= from && index < to));
  if (removed.length === found.items.length) kept[found.from] = `${list}: []`;
  return joined(kept);
}

/** Sets a field of the top level to a value that fits on its line. */
export function putScalar(text: string, field: string, value: JsonValue): string {
  const lines = linesOf(text);
  const line = `${field}: ${isPlain(value) ? value : JSON.stringify(value)}`;
  const at = lines.findIndex((each) => each.startsWith(`${field}:`));
  return joined(at < 0 ? [...lines, line] : lines.with(at, line));
}

/** A name that YAML reads as a string, without quotes. */
const isPlain = (value: JsonValue): value is string =>
  typeof value === 'string' && /^binnacle-[a-z0-9.-]+$/.test(value);

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');
const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** Where a new last entry belongs. */
function endOf({ from, items }: ListLines): Range {
  const at = items.at(-1)?.to ?? from + 1;
  return { from: at, to: at };
}

function findList(lines: readonly string[], list: string): ListLines | 'absent' | undefined {
  const from = lines.findIndex((line) => line.startsWith(`${list}:`));
  const header = lines[from];
  if (header === undefined) return 'absent';
  const next = lines.findIndex((line, index) => index > from && STARTS_FIELD.test(line) && !line.startsWith('- '));
  const to = next < 0 ? lines.length : next;
  const rest = header.slice(list.length + 1).replace(/(?:^|\s+)#.*$/, '');
  if (!EMPTY.test(rest.trim())) return undefined;
  const first = lines.slice(from + 1, to).find((line) => /^ *-(?: |$)/.test(line));
  const indent = /^ */.exec(first ?? '')?.[0] ?? '';
  return { from, to, indent, items: itemsOf(lines, { from: from + 1, to }, indent) };
}

function itemsOf(lines: readonly string[], { from, to }: Range, indent: string): Item[] {
  const starts: number[] = [];
  for (let index = from; index < to; index++) {
    const line = lines[index] ?? '';
    if (line.startsWith(`${indent}- `) || line === `${indent}-`) starts.push(index);
  }
  return starts.map((start, index) => {
    let end = starts[index + 1] ?? to;
    // A comment or an empty line at the end is about what follows.
    while (end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] ?? '')) end -= 1;
    return { from: start, to: end, name: nameOf(lines.slice(start, end)) };
  });
}

function nameOf(lines: readonly string[]): string | undefined {
  try {
    const { value } = parseYaml(joined(lines));
    const entry = Array.isArray(value) ? value[0] : undefined;
    const name = isObject(entry) ? entry['name'] : undefined;
    return typeof name === 'string' ? name : undefined;
  } catch {
    // It may have an alias of what another entry defines.
    return undefined;
  }
}
