import { deepEqual, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { stringifyYaml } from '@binnacle/apimachinery/yaml';
import { objectAt, objectsAt, textAt } from './reading.js';

/** An entry of managedFields: who owns fields, and since when. */
export interface Owner {
  readonly manager: string;
  readonly operation: string;
  readonly subresource: string;
  /** RFC 3339; empty: unknown. */
  readonly time: string;
}

/** A line of an object's YAML. */
export interface FieldLine {
  readonly text: string;
  /** Indexes of owners of the field; several, if they apply it together. */
  readonly owners: readonly number[];
}

/** The members of one owner below a field; `all`: the owner has the field as a whole. */
type Cursor = { readonly owner: number; readonly fields: JsonObject | 'all' };

export interface OwnedFields {
  readonly owners: readonly Owner[];
  readonly lines: readonly FieldLine[];
}

/** The YAML of an object without its managedFields, and for each line who owns its field. Together the lines are the document. */
export function ownedFields(object: JsonObject): OwnedFields {
  const metadata = objectAt(object, 'metadata');
  const entries = objectsAt(metadata, 'managedFields');
  const owners = entries.map((entry) => ({
    manager: textAt(entry, 'manager'),
    operation: textAt(entry, 'operation'),
    subresource: textAt(entry, 'subresource'),
    time: textAt(entry, 'time'),
  }));
  const cursors = entries.map((entry, owner): Cursor => ({ owner, fields: objectAt(entry, 'fieldsV1') }));
  const { managedFields: _, ...shown } = metadata;
  const lines: FieldLine[] = [];
  writeMap({ ...object, metadata: shown }, '', '', cursors, lines);
  return { owners, lines };
}

/** `first` begins the first line, `indent` the others. */
function writeMap(
  map: JsonObject,
  first: string,
  indent: string,
  cursors: readonly Cursor[],
  lines: FieldLine[],
): void {
  let start = first;
  for (const [key, value] of Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (value === undefined) continue;
    writeMember(key, value, start, indent, narrowed(cursors, `f:${key}`), lines);
    start = indent;
  }
}

function writeMember(
  key: string,
  value: JsonValue,
  start: string,
  indent: string,
  cursors: readonly Cursor[],
  lines: FieldLine[],
): void {
  const owners = ownersOf(cursors);
  if (!isFilled(value)) {
    for (const [index, text] of textLines({ [key]: value }).entries()) {
      lines.push({ text: (index === 0 ? start : indent) + text, owners });
    }
    return;
  }
  const [head = `${key}:`] = textLines({ [key]: null });
  lines.push({ text: start + head.replace(/ null$/, ''), owners });
  if (isObject(value)) writeMap(value, `${indent}  `, `${indent}  `, cursors, lines);
  else writeList(value, indent, cursors, lines);
}

function writeList(list: readonly JsonValue[], indent: string, cursors: readonly Cursor[], lines: FieldLine[]): void {
  for (const [index, item] of list.entries()) {
    const own = cursors.flatMap((cursor) => itemCursor(cursor, item, index));
    if (isObject(item) && Object.keys(item).length > 0) {
      writeMap(item, `${indent}- `, `${indent}  `, own, lines);
    } else {
      for (const text of textLines([item])) {
        lines.push({ text: indent + text, owners: ownersOf(own) });
      }
    }
  }
}

function isFilled(value: JsonValue): value is JsonObject | JsonValue[] {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) && Object.keys(value).length > 0;
}

function textLines(value: JsonValue): string[] {
  return stringifyYaml(value).replace(/\n$/, '').split('\n');
}

function narrowed(cursors: readonly Cursor[], member: string): Cursor[] {
  return cursors.flatMap(({ owner, fields }) => {
    if (fields === 'all') return [{ owner, fields }];
    const below = fields[member];
    return isObject(below) ? [{ owner, fields: wholeIfLeaf(below) }] : [];
  });
}

/** An empty set of members below: the owner has the field as a whole. */
const wholeIfLeaf = (below: JsonObject): JsonObject | 'all' => (Object.keys(below).length === 0 ? 'all' : below);

/** Upstream: structured-merge-diff `fieldpath.PathElement`: items by key, by value or by index. */
function itemCursor({ owner, fields }: Cursor, item: JsonValue, index: number): Cursor[] {
  if (fields === 'all') return [{ owner, fields }];
  for (const [member, below] of Object.entries(fields)) {
    if (isObject(below) && namesItem(member, item, index)) return [{ owner, fields: wholeIfLeaf(below) }];
  }
  return [];
}

function namesItem(member: string, item: JsonValue, index: number): boolean {
  if (member === `i:${index}`) return true;
  const [type, text] = [member.slice(0, 2), member.slice(2)];
  if (type !== 'k:' && type !== 'v:') return false;
  const wanted = parsed(text);
  if (wanted === undefined) return false;
  if (type === 'v:') return deepEqual(wanted, item);
  if (!isObject(wanted) || !isObject(item)) return false;
  return Object.entries(wanted).every(
    ([key, value]) => value !== undefined && deepEqual(item[key] ?? DEFAULTS[key] ?? null, value),
  );
}

/** Keys of list items that the server fills in. */
const DEFAULTS: Readonly<Record<string, JsonValue>> = { protocol: 'TCP' };

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Those that have the field itself: as a whole, or as a member (`.`) with others below. */
function ownersOf(cursors: readonly Cursor[]): number[] {
  return cursors.filter(({ fields }) => fields === 'all' || fields['.'] !== undefined).map(({ owner }) => owner);
}
