import { isObject, type JsonObject, type JsonValue } from '../json/index.js';
import { asObject, type KubernetesObject } from '../meta/index.js';
import { StatusError } from '../status/index.js';
import { type Application, type Applied, applyConfiguration, type Convert } from './index.js';
import { thingSchema } from './schema.testing.js';

/** Helpers for apply tests, around an example kind. */
export const NOW = '2026-01-02T00:00:00Z';
export const LATER = '2026-01-02T01:00:00Z';
const kind = { group: '', version: 'v1', kind: 'Thing' };
export const sameSchema: Convert = (object, apiVersion) =>
  apiVersion === 'gone' ? undefined : { object: { ...object, apiVersion }, schema: thingSchema };

export function configuration(fields: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Thing', ...fields };
}

export function apply(
  live: KubernetesObject | undefined,
  manager: string,
  fields: JsonObject,
  facts: Partial<Application> = {},
): Applied {
  return applyConfiguration({
    live,
    configuration: configuration(fields),
    kind,
    schema: thingSchema,
    manager,
    subresource: '',
    force: false,
    now: NOW,
    convert: sameSchema,
    ...facts,
  });
}

/** The stored object after an apply: decoding drops null and empty values. */
export function stored(applied: Applied, before?: KubernetesObject): KubernetesObject {
  const { document } = applied;
  const unchanged = before ?? { apiVersion: 'v1', kind: 'Thing', metadata: {} };
  const object = document === undefined ? unchanged : asObject(compact(document) as JsonObject);
  const metadata = { uid: 'u', ...object.metadata };
  delete metadata.managedFields;
  return {
    ...object,
    metadata: applied.managedFields === undefined ? metadata : { ...metadata, managedFields: applied.managedFields },
  };
}

function compact(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(compact);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined || isEmpty(item) ? [] : [[key, compact(item)]])),
  );
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Applies configurations one after another, with force. */
export function applyAll(...steps: readonly (readonly [string, JsonObject])[]): KubernetesObject {
  let object: KubernetesObject | undefined;
  for (const [manager, fields] of steps) object = stored(apply(object, manager, fields, { force: true }), object);
  if (object === undefined) throw new Error('nothing was applied');
  return object;
}

/** The fields of each manager. */
export function ownedFields(object: KubernetesObject | Applied): Record<string, unknown> {
  const entries = 'metadata' in object ? object.metadata.managedFields : object.managedFields;
  const fields: Record<string, unknown> = {};
  for (const each of entries ?? []) fields[each.manager ?? ''] = each.fieldsV1;
  return fields;
}

/** The Status that is thrown. */
export function thrownStatus(run: () => unknown): { code: number; message: string; causes: unknown } {
  try {
    run();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { code: error.code, message: error.message, causes: error.status.details?.causes };
  }
  throw new Error('nothing was thrown');
}

export const spec = (...containers: JsonObject[]): JsonObject => ({ spec: { containers } });
