import { asJson, type KubernetesObject, type ManagedFieldsEntry } from '../meta/index.js';
import { deepEqual, type JsonValue } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { finish, type Steps, type WorkBudget } from '../work/index.js';
import { capManagers } from './cap-managers.js';
import { type Comparison, compareInSteps, compareObjects, isUnchanged } from './compare.js';
import { type FieldRules, ownableChanges } from './field-rules.js';
import { emptyFieldSet } from './field-set.js';
import { decodeManagers, encodeManagers, type Manager, managerKey, ManagedFieldsError } from './managers.js';
import { PathElementError } from './path-element.js';
import { writtenValue } from './presence.js';
import { unownedFields } from './strip-metadata.js';
import { reconcileManagers, takeFields } from './take-fields.js';
import { type Convert, inVersion, remembered, VersionError } from './versions.js';

export interface UpdateToTrack extends FieldRules {
  /** The object as it is stored, in the version of the request; undefined for a create. */
  readonly live: Readonly<KubernetesObject> | undefined;
  /** The object that the request leads to, defaulted, in the version of the request. Its managedFields are what the client sent. */
  readonly updated: Readonly<KubernetesObject>;
  readonly schema: StructSchema;
  /** `apiVersion` of the request. */
  readonly apiVersion: string;
  /** See `managerOf`. */
  readonly manager: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** RFC 3339. */
  readonly now: string;
  /** For entries of other versions, which are dropped when theirs is gone. Without it they are read as the request's. */
  readonly convert?: Convert | undefined;
  /** What the record may cost; absent for writes of the server's own. */
  readonly budget?: WorkBudget | undefined;
}

/**
 * The managedFields of an object after a create, an update or a patch that is not an apply; undefined when there are none. A create and
 * every object that has managedFields is tracked; an object without any stays without, and so does one that cannot be read in
 * the version of one of its managers. Entries that a client sent and that cannot be read are ignored. Throws for
 * what a client sent only the 413 of a budget that is spent.
 * Upstream: apimachinery `managedfields.FieldManager.Update`.
 */
export function trackUpdate(update: UpdateToTrack): ManagedFieldsEntry[] | undefined {
  return finish(trackUpdateInSteps(update));
}

/** {@link trackUpdate}, for objects that may be large. */
export function* trackUpdateInSteps(update: UpdateToTrack): Steps<ManagedFieldsEntry[] | undefined> {
  const { live, updated, apiVersion } = update;
  const isCreate = live === undefined || (live.metadata.uid ?? '') === '';
  const start = startingEntries(update);
  if (start.entries.length === 0 && !isCreate) return undefined;

  const empty: KubernetesObject = { apiVersion: updated.apiVersion, kind: updated.kind, metadata: {} };
  const before = live ?? empty;
  const comparison = ownableChanges(
    yield* compareInSteps(withoutManagers(before), withoutManagers(updated), update.schema, undefined, update.budget),
    update,
  );
  if (start.canonical && isUnchanged(comparison)) return live?.metadata.managedFields;

  const changesIn = remembered((version) =>
    version === apiVersion ? { comparison, schema: update.schema } : compareIn(version, before, update, comparison),
  );
  const managers = yield* startingManagers(start, live?.metadata.managedFields ?? []);
  if (managers.size === 0 && !isCreate) return undefined;
  try {
    const reconciled = reconcileManagers(managers, (version) => changesIn(version)?.schema);
    const owners = yield* takeFields(reconciled, {
      changesIn: (version) => changesIn(version)?.comparison,
      force: true,
    });
    addOwner(owners, comparison, update);
    yield;
    return yield* encodeManagers(capManagers(owners));
  } catch (error) {
    if (error instanceof VersionError) return undefined;
    throw error;
  }
}

/** What the request changed becomes its manager's, with a new time; what it only removed changes no time. */
function addOwner(owners: Map<string, Manager>, comparison: Comparison, update: UpdateToTrack): void {
  const fields = comparison.modified.union(comparison.added).difference(unownedFields);
  if (fields.isEmpty) return;
  const owner: Omit<Manager, 'fields' | 'time'> = {
    name: update.manager === '' ? 'unknown' : update.manager,
    operation: 'Update',
    apiVersion: update.apiVersion,
    subresource: update.subresource,
  };
  const key = managerKey(owner);
  const before = owners.get(key)?.fields ?? emptyFieldSet;
  owners.set(key, { ...owner, time: update.now, fields: fields.union(before) });
}

interface Start {
  readonly entries: readonly ManagedFieldsEntry[];
  /** The entries are the live object's own, as this module wrote them. */
  readonly canonical: boolean;
}

/**
 * The entries before the request: those that the client sent, for it may change them, or the live object's where it sent
 * none, or acts through a subresource.
 */
function startingEntries(update: UpdateToTrack): Start {
  const live = update.live?.metadata.managedFields ?? [];
  const sent = update.updated.metadata.managedFields;
  if (update.subresource !== '' || sent === undefined || sent === null) return { entries: live, canonical: true };
  if (isReset(sent)) return { entries: [], canonical: false };
  return sameEntries(sent, live) ? { entries: live, canonical: true } : { entries: sent, canonical: false };
}

/** The managers of the entries; of what a client sent and cannot be read, the live object's. */
function* startingManagers(start: Start, live: readonly ManagedFieldsEntry[]): Steps<ReadonlyMap<string, Manager>> {
  const managers = yield* readManagers(start.entries, start.canonical);
  if (start.canonical || start.entries.length === 0) return managers ?? new Map<string, Manager>();
  return managers ?? (yield* readManagers(live, true)) ?? new Map<string, Manager>();
}

function* readManagers(
  entries: readonly ManagedFieldsEntry[],
  canonical: boolean,
): Steps<Map<string, Manager> | undefined> {
  try {
    return yield* decodeManagers(entries, canonical);
  } catch (error) {
    if (error instanceof ManagedFieldsError || error instanceof PathElementError) return undefined;
    throw error;
  }
}

/** An empty list, or one empty entry, asks to forget who owned what. */
function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  if (entries.length > 1) return false;
  return Object.values(entries[0] ?? {}).every((value) => value === undefined || value === null || value === '');
}

function sameEntries(a: readonly ManagedFieldsEntry[], b: readonly ManagedFieldsEntry[]): boolean {
  return a === b || deepEqual(a as unknown as JsonValue, b as unknown as JsonValue);
}

/** managedFields themselves are not compared. */
function withoutManagers(object: Readonly<KubernetesObject>) {
  if (object.metadata.managedFields === undefined) return asJson(object);
  const { managedFields: _, ...metadata } = object.metadata;
  return asJson({ ...object, metadata });
}

function compareIn(
  apiVersion: string,
  before: Readonly<KubernetesObject>,
  update: UpdateToTrack,
  comparison: Comparison,
): { readonly comparison: Comparison; readonly schema: StructSchema } | undefined {
  const { apiVersion: own, schema, convert } = update;
  if (convert === undefined) return { comparison, schema };
  const left = inVersion({ apiVersion: own, document: withoutManagers(before), schema }, apiVersion, convert);
  const right = inVersion({ apiVersion: own, document: withoutManagers(update.updated), schema }, apiVersion, convert);
  if (left === undefined || right === undefined) return undefined;
  const changes = compareObjects(left.document, right.document, right.schema, writtenValue);
  return { comparison: ownableChanges(changes, update), schema: right.schema };
}
