import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';
import type { RemoteV2 } from './remote.js';

const DEFINITIONS = '#/definitions/';
const PARAMETERS = '#/parameters/';

/**
 * The part of a v2 document below a path, with what it refers to; undefined if the value is no such document. Everything
 * else is left out, so that no server can describe the paths of others.
 * Upstream: kube-openapi `FilterSpecByPaths`.
 */
export function* readRemoteV2(document: JsonValue, prefix: string): Steps<RemoteV2 | undefined> {
  if (!isObject(document) || getOwn(document, 'swagger') !== '2.0') return undefined;
  const paths: JsonObject = {};
  for (const [path, item] of Object.entries(objectIn(document, 'paths'))) {
    if (path.startsWith(prefix) && isObject(item)) paths[path] = item;
    yield;
  }
  const own = { definitions: objectIn(document, 'definitions'), parameters: objectIn(document, 'parameters') };
  const part = { info: infoOf(document), paths, definitions: {}, parameters: {} };
  const open: JsonValue[] = Object.values(paths).filter((item) => item !== undefined);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const reference of referencesIn(next)) open.push(...take(reference, own, part));
    yield;
  }
  return part;
}

function infoOf(document: JsonObject): RemoteV2['info'] {
  const info = objectIn(document, 'info');
  return { title: textIn(info, 'title'), version: textIn(info, 'version') };
}

/** Copies what a reference names, once, and returns it. */
function take(
  reference: string,
  from: { readonly definitions: JsonObject; readonly parameters: JsonObject },
  to: { readonly definitions: JsonObject; readonly parameters: JsonObject },
): JsonObject[] {
  const kind = kindOf(reference);
  if (kind === undefined) return [];
  const name = reference.slice(kind.prefix.length);
  const found = getOwn(from[kind.field], name);
  if (!isObject(found) || getOwn(to[kind.field], name) !== undefined) return [];
  Object.defineProperty(to[kind.field], name, { value: found, enumerable: true, configurable: true, writable: true });
  return [found];
}

function kindOf(reference: string) {
  if (reference.startsWith(DEFINITIONS)) return { prefix: DEFINITIONS, field: 'definitions' } as const;
  return reference.startsWith(PARAMETERS) ? ({ prefix: PARAMETERS, field: 'parameters' } as const) : undefined;
}

function* referencesIn(root: JsonValue): Generator<string> {
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) for (const item of value) open.push(item);
    if (!isObject(value)) continue;
    for (const [key, item] of Object.entries(value)) {
      if (key === '$ref' && typeof item === 'string') yield item;
      else if (item !== undefined) open.push(item);
    }
  }
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = getOwn(object, key);
  return isObject(value) ? value : {};
}

function textIn(object: JsonObject, key: string): string {
  const value = getOwn(object, key);
  return typeof value === 'string' ? value : '';
}
