import {
  copyMembersInSteps,
  deepEqualInSteps,
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
  keysInSteps,
  setOwn,
} from '../../json/index.js';
import type { FieldSchema, ListSchema, StructSchema } from '../../schema/index.js';
import { Pace, type Steps } from '../../work/index.js';
import { mergeOrder } from './merge-order.js';
import type { PathElement } from '../fieldsets/path-element.js';
import { writtenValue } from './presence.js';
import { granular, indexItemsInSteps, listElement, type OwnedSchema } from './structure.js';

/** Less than a millisecond of work. */
const MEMBERS_PER_STEP = 1000;

/**
 * Merges a configuration into the live object. Removes nothing. Both are documents as clients write them: a field that they
 * leave out is absent. The result shares unchanged parts with the live object, up to the whole. Upstream: structured-merge-diff `TypedValue.Merge`.
 */
export function mergeConfiguration(
  live: JsonObject,
  configuration: JsonObject,
  schema: StructSchema,
  pace = new Pace(MEMBERS_PER_STEP),
): Steps<JsonObject> {
  const memberOf = (name: string): Member => {
    const field = schema.byName.get(name);
    return field === undefined ? { schema: 'unknown' } : { schema: field.value, field };
  };
  return mergeMaps(live, configuration, memberOf, pace);
}

/** The schema of a member, and its struct field if it has one. */
interface Member {
  readonly schema: OwnedSchema;
  readonly field?: FieldSchema;
}

function* mergeMaps(
  live: JsonObject,
  configuration: JsonObject,
  memberOf: (name: string) => Member,
  pace: Pace,
): Steps<JsonObject> {
  let merged: JsonObject | undefined;
  for (const name of yield* keysInSteps(configuration)) {
    if (pace.endsStep()) yield;
    const value = configuration[name];
    if (value === undefined) continue;
    const before = getOwn(live, name);
    const after = before === undefined ? value : yield* mergeValues(memberOf(name), before, value, pace);
    if (after === before) continue;
    merged ??= yield* copyMembersInSteps(live, pace);
    setOwn(merged, name, after);
  }
  return merged ?? live;
}

function* mergeValues(
  { schema, field }: Member,
  live: JsonValue | undefined,
  configured: JsonValue,
  pace: Pace,
): Steps<JsonValue> {
  if (live === undefined || live === null) return configured;
  // Null matches any structure and takes the live value's.
  const structure = granular(schema, configured ?? live, field);
  if (structure === undefined) return (yield* deepEqualInSteps(live, configured)) ? live : configured;
  if (structure.kind === 'list') {
    if (!Array.isArray(live) || live.length === 0) return configured;
    return Array.isArray(configured) && configured.length > 0
      ? yield* mergeLists(structure.list, live, configured, pace)
      : live;
  }
  if (!isObject(live) || isEmptyObject(live)) return configured;
  if (!isObject(configured)) return live;
  yield;
  switch (structure.kind) {
    case 'struct':
      return yield* mergeConfiguration(live, configured, structure.struct.type, pace);
    case 'map':
      return yield* mergeMaps(live, configured, () => ({ schema: structure.values }), pace);
    default:
      return yield* mergeMaps(live, configured, () => ({ schema: 'unknown' }), pace);
  }
}

function isEmptyObject(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

/** If the configuration has an item that the live list has twice, it replaces both. */
function* mergeLists(list: ListSchema, live: JsonValue[], configured: JsonValue[], pace: Pace): Steps<JsonValue[]> {
  const elements: (PathElement | undefined)[] = [];
  const liveItems = new Map<PathElement | undefined, JsonValue | undefined>();
  for (const item of live) {
    if (pace.endsStep()) yield;
    const element = listElement(list, item, writtenValue);
    elements.push(element);
    liveItems.set(element, liveItems.has(element) ? undefined : item);
  }
  const configuredItems = yield* indexItemsInSteps(list, configured, writtenValue);
  const merged: JsonValue[] = [];
  for (const step of yield* mergeOrder(elements, [...configuredItems.keys()], pace)) {
    if (pace.endsStep()) yield;
    if (step.from === 'live') {
      merged.push(live[step.index] ?? null);
      continue;
    }
    const [item = null] = configuredItems.get(step.element) ?? [];
    merged.push(yield* mergeValues({ schema: list.items }, liveItems.get(step.element), item, pace));
  }
  const same = merged.length === live.length && merged.every((item, index) => item === live[index]);
  return same ? live : merged;
}
