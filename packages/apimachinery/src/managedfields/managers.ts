import { compareUtf8, deepEqual, type JsonObject } from '../json/index.js';
import type { ManagedFieldsEntry } from '../meta/index.js';
import type { Steps } from '../work/index.js';
import type { FieldSet } from './field-set.js';
import { decodeFieldSet, encodeFieldSet } from './fields-v1.js';

/** What one manager owns: the decoded form of an entry of managedFields. Immutable. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
  /** The encoded form of `fields`, where it is at hand. */
  readonly encoded?: JsonObject | undefined;
}

/** Managers by identity: see {@link managerKey}. */
export type Managers = ReadonlyMap<string, Manager>;

/** An entry of managedFields cannot be read. */
export class ManagedFieldsError extends Error {
  override readonly name = 'ManagedFieldsError';
}

/**
 * One manager has one entry for each operation, subresource and, except when it applies, version. The order of keys is that
 * in which conflicts are told, so they are what upstream's are: JSON, without what is empty.
 * Upstream: apimachinery `managedfields.BuildManagerIdentifier`.
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
 * Throws on the first entry that cannot be read. `canonical`: the entries are as {@link encodeManagers} wrote them, and sets that
 * do not change keep their encoded form.
 * Upstream: apimachinery `managedfields.DecodeManagedFields`.
 */
export function* decodeManagers(
  entries: readonly ManagedFieldsEntry[] | null | undefined,
  canonical = false,
): Steps<Map<string, Manager>> {
  const managers = new Map<string, Manager>();
  for (const [index, entry] of (entries ?? []).entries()) {
    const manager = decodeManager(entry, index, canonical);
    managers.set(managerKey(manager), manager);
    yield;
  }
  return managers;
}

function decodeManager(entry: ManagedFieldsEntry, index: number, canonical: boolean): Manager {
  const { operation, apiVersion = '', fieldsType = '' } = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  }
  if (apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty');
  if (fieldsType === '') throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1') {
    throw new ManagedFieldsError(`invalid fieldsType "${fieldsType}" in managed fields entry ${index}`);
  }
  return {
    name: entry.manager ?? '',
    operation,
    apiVersion,
    subresource: entry.subresource ?? '',
    time: entry.time,
    fields: decodeFieldSet(entry.fieldsV1),
    encoded: canonical ? entry.fieldsV1 : undefined,
  };
}

/** Sorted as upstream sorts: by operation, time, manager, version, subresource. Undefined when no one owns anything. */
export function* encodeManagers(managers: Managers): Steps<ManagedFieldsEntry[] | undefined> {
  if (managers.size === 0) return undefined;
  const entries: ManagedFieldsEntry[] = [];
  for (const manager of [...managers.values()].sort(compareManagers)) {
    entries.push(encodeManager(manager));
    yield;
  }
  return entries;
}

/** Whether entries say the same of the same managers in the same order, but for when. Equal entries do not differ. */
export function differInTimeAlone(
  before: readonly ManagedFieldsEntry[],
  after: readonly ManagedFieldsEntry[] | undefined,
): boolean {
  if (after === undefined || before.length !== after.length) return false;
  let differ = false;
  for (const [index, entry] of before.entries()) {
    const other = after[index] ?? {};
    if (entry.time !== other.time) differ = true;
    if (!deepEqual({ ...entry, time: '' }, { ...other, time: '' })) return false;
  }
  return differ;
}

function encodeManager(manager: Manager): ManagedFieldsEntry {
  return {
    ...(manager.name === '' ? {} : { manager: manager.name }),
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(manager.time === undefined ? {} : { time: manager.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: manager.encoded ?? encodeFieldSet(manager.fields),
    ...(manager.subresource === '' ? {} : { subresource: manager.subresource }),
  };
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

/** Whole seconds since 1970; 0 when there is no time. */
export function unixSeconds(time: string | undefined): number {
  const milliseconds = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}
