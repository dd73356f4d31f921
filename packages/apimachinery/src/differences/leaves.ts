import { isObject, type JsonValue } from '../json/index.js';

/**
 * The path of a value in an object, by the names of fields. An element of a list is a text of its own: `[name=app]` where
 * the elements have unique names, else `[0]`.
 */
export type Path = readonly string[];

/** A value without fields or elements of its own, and its path. */
export interface Leaf {
  readonly path: Path;
  readonly value: JsonValue;
}

/** By the text of the path, which is unique. In the order of the document. */
export type Leaves = ReadonlyMap<string, Leaf>;

/** The fields by which the elements of a list are told apart, the first that fits. */
const KEYS = ['name', 'type', 'key', 'containerPort', 'port', 'ip', 'uid'];
const PLAIN_FIELD = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** The server sets these at every write. */
const NOISE: readonly string[] = ['.metadata.managedFields', '.metadata.resourceVersion'];

/** All leaves of an object, except for its version and its managed fields. */
export function leavesOf(object: JsonValue | undefined): Leaves {
  const leaves = new Map<string, Leaf>();
  if (object !== undefined) collect(object, [], '', leaves);
  return leaves;
}

/** `.spec.containers[name=app].image`, `.metadata.labels["example.com/team"]`. */
export function pathText(path: Path): string {
  return path.map(segmentText).join('');
}

function collect(value: JsonValue, path: Path, text: string, leaves: Map<string, Leaf>): void {
  if (NOISE.includes(text)) return;
  const members = membersOf(value);
  if (members.length === 0) leaves.set(text, { path, value });
  for (const [segment, member] of members) collect(member, [...path, segment], text + segmentText(segment), leaves);
}

function membersOf(value: JsonValue): (readonly [string, JsonValue])[] {
  if (Array.isArray(value)) {
    const key = elementKey(value);
    return value.map((element, index) => [elementSegment(element, index, key), element] as const);
  }
  return isObject(value)
    ? Object.entries(value).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)
    : [];
}

/** The segment of an element of a list with this key. */
export function elementSegment(element: JsonValue, index: number, key: string | undefined): string {
  const own = key === undefined || !isObject(element) ? undefined : element[key];
  return typeof own === 'string' || typeof own === 'number' ? `[${key}=${own}]` : `[${index}]`;
}

/** The field that tells the elements apart; undefined if their places do. */
export function elementKey(list: readonly JsonValue[]): string | undefined {
  return KEYS.find((key) => {
    const values = list.map((element) => (isObject(element) ? element[key] : undefined));
    const isText = values.every((value) => typeof value === 'string' || typeof value === 'number');
    return isText && new Set(values).size === list.length;
  });
}

function segmentText(segment: string): string {
  if (segment.startsWith('[')) return segment;
  return PLAIN_FIELD.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
}
