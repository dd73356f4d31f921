import { isObject, type JsonObject, keysInSteps, setOwn, shareJson } from '../../json/index.js';
import { finish, Pace, type Steps } from '../../work/index.js';
import { emptyFieldSet, type FieldNode, type FieldSet } from './field-set.js';
import { PathElementError, readPathElement, sortElements, sortElementsInSteps } from './path-element.js';
import { emptyLevel } from './set-levels.js';

/** About a millisecond of work. */
const ELEMENTS_PER_STEP = 1000;

/**
 * Encodes a set as JSON, with keys in upstream's order, which encoders must keep. `.` marks a parent that is itself a
 * member. Upstream: structured-merge-diff `fieldpath.Set.ToJSON`.
 */
export function encodeFieldSet(set: FieldSet): JsonObject {
  return finish(encodeFieldSetInSteps(set));
}

/** {@link encodeFieldSet} in steps. No one may change the result: shared sets share it, and so do their parts. */
export function* encodeFieldSetInSteps(set: FieldSet): Steps<JsonObject> {
  const node = set.node(false);
  const found = known.get(node);
  if (found !== undefined) return found;
  // A generator for each node would take longer than the node.
  if (set.size > ELEMENTS_PER_STEP) return yield* writeNodesInSteps(set, {}, new Pace(ELEMENTS_PER_STEP));
  const object = writeNode(node);
  if (set.isShared) shareJson(object);
  return object;
}

/** The encoded nodes of shared sets. */
const known = new WeakMap<FieldNode, JsonObject>();

function writeNode(node: FieldNode): JsonObject {
  if (!node.children.isShared) return newNode(node);
  let object = known.get(node);
  if (object === undefined) known.set(node, (object = newNode(node)));
  return object;
}

function newNode({ member, children }: FieldNode): JsonObject {
  const object: JsonObject = member && !children.isEmpty ? { '.': {} } : {};
  for (const element of sortElements(children.nodes.keys())) {
    setOwn(object, element, writeNode(children.nodes.get(element) ?? leaf));
  }
  return object;
}

function* writeNodesInSteps({ nodes }: FieldSet, object: JsonObject, pace: Pace): Steps<JsonObject> {
  const elements = nodes.keys();
  const ordered = nodes.size > ELEMENTS_PER_STEP ? yield* sortElementsInSteps(elements) : sortElements(elements);
  for (const element of ordered) {
    const { member, children } = nodes.get(element) ?? leaf;
    const below = children.isEmpty ? {} : yield* writeNodesInSteps(children, member ? { '.': {} } : {}, pace);
    setOwn(object, element, below);
    if (pace.endsStep()) yield;
  }
  return object;
}

/**
 * Decodes a set. Drops unknown kinds of path elements with everything below them. Throws a {@link PathElementError}.
 * Upstream: structured-merge-diff `fieldpath.Set.FromJSON`.
 */
export function decodeFieldSet(fields: unknown): FieldSet {
  return finish(decodeFieldSetInSteps(fields));
}

/** {@link decodeFieldSet} in steps. */
export function* decodeFieldSetInSteps(fields: unknown): Steps<FieldSet> {
  return (yield* readNodes(fields ?? {}, new Pace(ELEMENTS_PER_STEP))).children;
}

function* readNodes(fields: unknown, pace: Pace): Steps<FieldNode> {
  if (!isObject(fields)) throw new PathElementError('expected an object');
  let level = emptyLevel();
  let member = false;
  for (const key of yield* keysInSteps(fields)) {
    if (key === '.') {
      member = true;
      continue;
    }
    const element = readPathElement(key);
    if (element === undefined) continue;
    const below = fields[key] ?? {};
    level = level.and(element, isEmptyObject(below) ? leaf : yield* readNodes(below, pace));
    if (pace.endsStep()) yield;
  }
  const children = level.set();
  return children.isEmpty ? leaf : children.node(member);
}

const leaf: FieldNode = emptyFieldSet.node(true);

/** Unlike `Object.keys`, this allocates nothing. */
function isEmptyObject(value: unknown): boolean {
  if (!isObject(value)) return false;
  for (const _ in value) return false;
  return true;
}
