import {
  type Change,
  changesBetween,
  elementKey,
  elementSegment,
  leavesOf,
  type Path,
} from '@binnacle/apimachinery/differences';
import { deepCopy, deepEqual, isObject, type JsonObject, type JsonValue, setOwn } from '@binnacle/apimachinery/json';

/** What to write so that an event is undone. */
export type RevertPlan =
  | { readonly type: 'update'; readonly object: JsonObject }
  | { readonly type: 'create'; readonly object: JsonObject }
  | { readonly type: 'delete' }
  /** The object is as it was before the event. */
  | { readonly type: 'nothing' }
  /** A later write has changed these fields too. */
  | { readonly type: 'conflict'; readonly fields: readonly string[] };

/** What to write so that several events of an object are undone; `event`: the one that conflicts. */
export type RevertsPlan<Event> = Exclude<RevertPlan, { readonly type: 'conflict' }> | Conflict<Event>;

interface Conflict<Event> {
  readonly type: 'conflict';
  readonly fields: readonly string[];
  readonly event: Event;
}

export interface Undone {
  /** Undefined: the event created the object. */
  readonly previous: JsonObject | undefined;
  /** Undefined: the event deleted the object. */
  readonly object: JsonObject | undefined;
}

/** What only the server sets. */
const OWN_FIELDS = ['.metadata.generation', '.metadata.uid', '.metadata.creationTimestamp', '.status'];

/**
 * Undoes the changes of one event in the live object, and keeps what others have changed since. `force`: overwrite the
 * fields that later writes have changed too.
 */
export function planRevert({ previous, object }: Undone, live: JsonObject | undefined, force: boolean): RevertPlan {
  if (previous === undefined) {
    if (live === undefined) return { type: 'nothing' };
    const changed = changesBetween(object, live).filter(isSetByUsers);
    return changed.length === 0 || force ? { type: 'delete' } : conflict(changed);
  }
  if (live === undefined) return { type: 'create', object: asNew(previous) };
  if (object === undefined) {
    const different = changesBetween(previous, live).filter(isSetByUsers);
    return different.length === 0 ? { type: 'nothing' } : conflict(different);
  }
  const now = leavesOf(live);
  const undone = changesBetween(previous, object).filter(isSetByUsers);
  const open = undone.filter(({ text, before }) => !deepEqual(now.get(text)?.value ?? null, before ?? null));
  if (open.length === 0) return { type: 'nothing' };
  const lost = open.filter(({ text, after }) => !deepEqual(now.get(text)?.value ?? null, after ?? null));
  if (lost.length > 0 && !force) return conflict(lost);
  const result = deepCopy(live);
  if (!isObject(result)) return { type: 'nothing' };
  for (const { path, before } of open) place(result, path, before, previous);
  return { type: 'update', object: result };
}

/** Undoes events of one object by one write. `events`: newest first; each is undone on the result of the one before. */
export function planReverts<Event extends Undone>(
  events: readonly Event[],
  live: JsonObject | undefined,
  force: boolean,
): RevertsPlan<Event> {
  let state = live;
  for (const event of events) {
    const plan = planRevert(event, state, force);
    if (plan.type === 'conflict') return { ...plan, event };
    if (plan.type !== 'nothing') state = plan.type === 'delete' ? undefined : plan.object;
  }
  if (state === live) return { type: 'nothing' };
  if (state === undefined) return { type: 'delete' };
  return live === undefined ? { type: 'create', object: state } : { type: 'update', object: asNext(state, live) };
}

/** The object with the uid and the resourceVersion of the live one. */
function asNext(object: JsonObject, live: JsonObject): JsonObject {
  const { metadata } = live;
  const { uid, resourceVersion } = isObject(metadata) ? metadata : {};
  if (uid === undefined || resourceVersion === undefined) return object;
  const own = isObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: { ...own, uid, resourceVersion } };
}

function conflict(changes: readonly Change[]): RevertPlan {
  return { type: 'conflict', fields: changes.map(({ text }) => text) };
}

const isSetByUsers = ({ text }: Change): boolean =>
  !OWN_FIELDS.some((own) => text === own || text.startsWith(`${own}.`));

/** Without what the server sets at a create. */
function asNew(object: JsonObject): JsonObject {
  const copy = deepCopy(object);
  const result = isObject(copy) ? copy : {};
  const { metadata } = result;
  if (isObject(metadata)) {
    for (const field of ['resourceVersion', 'uid', 'creationTimestamp', 'generation', 'managedFields']) {
      delete metadata[field];
    }
  }
  return result;
}

/** Gives a path the value that it has in `model`; undefined: none. A list whose elements have no names is restored whole. */
function place(target: JsonValue, path: Path, value: JsonValue | undefined, model: JsonValue): void {
  const [segment, ...rest] = path;
  if (segment === undefined) return;
  const shape = memberOf(model, segment);
  const member = memberOf(target, segment);
  if (shape === undefined) setMember(target, segment, undefined);
  else if (rest.length === 0) setMember(target, segment, value);
  else if (member === undefined || isUnnamedList(member) || isUnnamedList(shape)) {
    setMember(target, segment, deepCopy(shape));
  } else place(member, rest, value, shape);
}

function isUnnamedList(value: JsonValue): boolean {
  return Array.isArray(value) && elementKey(value) === undefined;
}

function memberOf(container: JsonValue, segment: string): JsonValue | undefined {
  if (Array.isArray(container)) return container[indexOf(container, segment)];
  return isObject(container) && Object.hasOwn(container, segment) ? container[segment] : undefined;
}

function setMember(container: JsonValue, segment: string, value: JsonValue | undefined): void {
  if (Array.isArray(container)) {
    const index = indexOf(container, segment);
    if (value === undefined) {
      if (index >= 0) container.splice(index, 1);
    } else if (index >= 0) container[index] = value;
    else container.push(value);
  } else if (isObject(container)) {
    if (value === undefined) delete container[segment];
    else setOwn(container, segment, value);
  }
}

function indexOf(list: readonly JsonValue[], segment: string): number {
  const key = elementKey(list);
  return list.findIndex((element, index) => elementSegment(element, index, key) === segment);
}
