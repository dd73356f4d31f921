import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { type KindInfo, objectPath } from '../../model/index.js';
import type { Connection } from '../connection.js';

interface Name {
  readonly namespace: string;
  readonly name: string;
}

/** The object; with a version: as it was then. Undefined: there was none. Rejects when that is no longer known. */
export async function readObject(
  connection: Connection,
  kind: KindInfo,
  { namespace, name }: Name,
  version: string | undefined,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  if (version === undefined) {
    return objectIn(await connection.read(objectPath(kind, namespace, name), 'application/json', signal));
  }
  const query = new URLSearchParams({
    fieldSelector: `metadata.name=${name}`,
    resourceVersion: version,
    resourceVersionMatch: 'Exact',
  });
  const text = await connection.read(`${objectPath(kind, namespace)}?${query.toString()}`, 'application/json', signal);
  const items = objectIn(text)?.['items'];
  const [item] = Array.isArray(items) ? items : [];
  // Items leave out what the list says.
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  return isObject(item) ? { apiVersion, kind: kind.kind, ...item } : undefined;
}

/** The items of a list, or the list of a history. */
export async function readItems(
  connection: Connection,
  path: string,
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const items = objectIn(await connection.read(path, 'application/json', signal))?.['items'];
  return Array.isArray(items) ? items.filter(isObject) : [];
}

export function objectIn(text: string): JsonObject | undefined {
  const value = JSON.parse(text) as JsonValue;
  return isObject(value) ? value : undefined;
}
