import { deepEqual, getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';
import type { RemoteV2 } from './remote.js';

/**
 * Adds the parts of other servers to a document. Its own paths take precedence. A definition or parameter that differs
 * from the one with that name gets another name.
 * Upstream: kube-openapi `MergeSpecsIgnorePathConflictRenamingDefinitionsAndParameters`.
 */
export function* mergeV2(document: JsonObject, parts: readonly RemoteV2[]): Steps<JsonObject> {
  const paths = new Map(Object.entries(objectIn(document, 'paths')));
  const definitions = new Map(Object.entries(objectIn(document, 'definitions')));
  const parameters = new Map(Object.entries(objectIn(document, 'parameters')));
  for (const part of parts) {
    if (Object.keys(part.paths).every((path) => paths.has(path))) continue;
    const renamed = new Map([
      ...(yield* renames('#/definitions/', definitions, part.definitions)),
      ...(yield* renames('#/parameters/', parameters, part.parameters)),
    ]);
    for (const [path, item] of Object.entries(part.paths)) {
      if (item !== undefined && !paths.has(path)) paths.set(path, withReferences(item, renamed));
      yield;
    }
    yield* addAll('#/definitions/', definitions, part.definitions, renamed);
    yield* addAll('#/parameters/', parameters, part.parameters, renamed);
  }
  return {
    ...document,
    paths: sorted(paths),
    definitions: sorted(definitions),
    parameters: sorted(parameters),
  };
}

type Members = Map<string, JsonValue | undefined>;

/** New references for the members that conflict, by their old ones. */
function* renames(prefix: string, present: Members, added: JsonObject): Steps<Map<string, string>> {
  const renamed = new Map<string, string>();
  for (const [name, value] of Object.entries(added)) {
    let free = name;
    for (let count = 2; isTaken(free, value); count++) free = `${name}_v${String(count)}`;
    if (free !== name) renamed.set(prefix + name, prefix + free);
    yield;
  }
  return renamed;

  function isTaken(name: string, value: JsonValue | undefined): boolean {
    const others = [present.get(name), getOwn(added, name)];
    return others.some((other) => other !== undefined && !deepEqual(other, value));
  }
}

function* addAll(
  prefix: string,
  present: Members,
  added: JsonObject,
  renamed: ReadonlyMap<string, string>,
): Steps<void> {
  for (const [name, value] of Object.entries(added)) {
    const target = renamed.get(prefix + name)?.slice(prefix.length) ?? name;
    if (value !== undefined && !present.has(target)) present.set(target, withReferences(value, renamed));
    yield;
  }
}

/** A copy in which references have their new names. */
function withReferences(value: JsonValue, renamed: ReadonlyMap<string, string>): JsonValue {
  if (renamed.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withReferences(item, renamed));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key === '$ref' && typeof item === 'string') return [key, renamed.get(item) ?? item];
      return [key, item === undefined ? item : withReferences(item, renamed)];
    }),
  );
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = getOwn(object, key);
  return isObject(value) ? value : {};
}

function sorted(members: Members): JsonObject {
  return Object.fromEntries([...members].sort(([a], [b]) => (a < b ? -1 : 1)));
}
