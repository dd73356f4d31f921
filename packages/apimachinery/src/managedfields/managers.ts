import { compareUtf8, deepEqualInSteps, type JsonObject } from '../json/index.js';
import { asJson, type ManagedFieldsEntry } from '../meta/index.js';
import type { Steps } from '../work/index.js';
import type { FieldSet } from './fieldsets/field-set.js';
import { decodeFieldSetInSteps, encodeFieldSetInSteps } from './fieldsets/fields-v1.js';

/** The fields of one manager: a decoded managedFields entry. Immutable. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
  /** The encoded form of `fields`, if available. */
  readonly encoded?: JsonObject | undefined;
}

/** Managers by identity: see {@link managerKey}. */
export type Managers = ReadonlyMap<string, Manager>;

/** An invalid managedFields entry. */
export class ManagedFieldsError extends Error {
  override readonly name = 'ManagedFieldsError';
}

/**
 * The identity of an entry: manager, operation, subresource and, except for Apply, version. Conflicts are sorted by
 * this key, so it equals upstream's: JSON without empty values. Upstream: apimachinery
 * `managedfields.BuildManagerIdentifier`.
 */
export function managerKey({
  name,
  operation,
  apiVersion,
  subresource,
}: Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>): string {
  const version = operation === 'Apply' ? '' : apiVersion;
  return JSON.stringify({
    manager: name || undefined,
    operation,
    apiVersion: version || undefined,
    subresource: subresource || undefined,
  });
}

/**
 * Throws for the first invalid entry. `canonical`: {@link encodeManagers} wrote the entries, so unchanged sets keep
 * their encoded form. Upstream: apimachinery `managedfields.DecodeManagedFields`.
 */
export function* decodeManagers(
  entries: readonly ManagedFieldsEntry[] | null | undefined,
  canonical = false,
): Steps<Map<string, Manager>> {
  const managers = new Map<string, Manager>();
  for (const [index, entry] of (entries ?? []).entries()) {
    const manager = yield* decodeManager(entry, index, canonical);
    managers.set(managerKey(manager), manager);
    yield;
  }
  return managers;
}

function* decodeManager(entry: ManagedFieldsEntry, index: number, canonical: boolean): Steps<Manager> {
  const { operation, apiVersion = '', fieldsType = '' } = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  }
  if (apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty');
  if (fieldsType === '') throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1') {
    throw new ManagedFieldsError(`invalid fieldsType "${fieldsType}" in managed fields entry ${index}`);
  }
  const fields = yield* decodeFieldSetInSteps(entry.fieldsV1);
  return {
    name: entry.manager ?? '',
    operation,
    apiVersion,
    subresource: entry.subresource ?? '',
    time: entry.time,
    fields,
    // A shared set has an encoding that is shared too.
    encoded: canonical && !fields.isShared ? entry.fieldsV1 : undefined,
  };
}

/** Sorts as upstream does: by operation, time, manager, version, subresource. Undefined if there are no managers. */
export function* encodeManagers(managers: Managers): Steps<ManagedFieldsEntry[] | undefined> {
  if (managers.size === 0) return undefined;
  const entries: ManagedFieldsEntry[] = [];
  for (const manager of [...managers.values()].sort(compareManagers)) {
    entries.push(yield* encodeManager(manager));
    yield;
  }
  return entries;
}

/** Whether entries differ, and only in their times. */
export function* differInTimeAlone(
  before: readonly ManagedFieldsEntry[],
  after: readonly ManagedFieldsEntry[] | undefined,
): Steps<boolean> {
  if (after === undefined || before.length !== after.length) return false;
  let differ = false;
  for (const [index, entry] of before.entries()) {
    const other = after[index] ?? {};
    if (entry.time !== other.time) differ = true;
    if (!(yield* deepEqualInSteps(asJson({ ...entry, time: '' }), asJson({ ...other, time: '' })))) return false;
    yield;
  }
  return differ;
}

function* encodeManager(manager: Manager): Steps<ManagedFieldsEntry> {
  const { name, operation, apiVersion, subresource, time } = manager;
  const entry: ManagedFieldsEntry = {};
  if (name !== '') entry.manager = name;
  entry.operation = operation;
  entry.apiVersion = apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = manager.encoded ?? (yield* encodeFieldSetInSteps(manager.fields));
  if (subresource !== '') entry.subresource = subresource;
  return entry;
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareUtf8(a.operation, b.operation) ||
    unixSeconds(a.time) - unixSeconds(b.time) ||
    compareUtf8(a.name, b.name) ||
    compareUtf8(a.apiVersion, b.apiVersion) ||
    compareUtf8(a.subresource, b.subresource)
  );
}

/** Whole seconds since the epoch; 0 without a time. */
export function unixSeconds(time: string | undefined): number {
  const milliseconds = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}
