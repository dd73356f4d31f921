import { asJson, type KubernetesObject, type ManagedFieldsEntry } from '../meta/index.js';
import { deepEqual } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { finish, type Steps, type WorkBudget } from '../work/index.js';
import { capManagers } from './cap-managers.js';
import { type Comparison, compareInSteps, isUnchanged } from './merge/compare.js';
import { addedFieldsInSteps } from './fieldsets/added-fields.js';
import { type FieldRules, ownableChanges } from './fieldsets/field-rules.js';
import { emptyFieldSet } from './fieldsets/field-set.js';
import {
  decodeManagers,
  encodeManagers,
  type Manager,
  managerKey,
  type Managers,
  ManagedFieldsError,
} from './managers.js';
import { PathElementError } from './fieldsets/path-element.js';
import { writtenValue } from './merge/presence.js';
import { withoutUnownedFields } from './fieldsets/unowned-fields.js';
import { reconcileManagers, takeFields } from './take-fields.js';
import { type Convert, inVersion, cachedByVersion, VersionError } from './versions.js';

export interface UpdateToTrack extends FieldRules {
  /** The stored object in the request's version; undefined for a create. */
  readonly live: Readonly<KubernetesObject> | undefined;
  /** The object after the request, defaulted, in the request's version. Its managedFields are those the client sent. */
  readonly updated: Readonly<KubernetesObject>;
  readonly schema: StructSchema;
  /** The `apiVersion` of the request. */
  readonly apiVersion: string;
  /** See `managerOf`. */
  readonly manager: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** RFC 3339. */
  readonly now: string;
  /**
   * Converts for entries of other versions, which are dropped if their version no longer exists. Without it they are
   * read in the request's version.
   */
  readonly convert?: Convert | undefined;
  /** The work that tracking may cost; absent for the server's own writes. */
  readonly budget?: WorkBudget | undefined;
}

/**
 * The managedFields of an object after a create, an update or a patch other than apply; undefined if there are none.
 * Tracks creates and objects that have managedFields. An object that cannot be read in the version of a manager is not
 * tracked. Ignores invalid entries that a client sent. For client input it throws only 413, when the budget is spent.
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
  const comparison = ownableChanges(yield* changesOf(live, before, update), update);
  if (start.canonical && isUnchanged(comparison)) return live?.metadata.managedFields;

  const changesIn = cachedByVersion(function* (version): Steps<VersionChanges | undefined> {
    if (version === apiVersion) return { comparison, schema: update.schema };
    return yield* compareIn(version, before, update, comparison);
  });
  const managers = yield* startingManagers(start, live?.metadata.managedFields ?? []);
  if (managers.size === 0 && !isCreate) return undefined;
  try {
    const reconciled = yield* reconcileManagers(managers, function* (version) {
      return (yield* changesIn(version))?.schema;
    });
    const owners = yield* takeFields(reconciled, {
      *changesIn(version) {
        return (yield* changesIn(version))?.comparison;
      },
      force: true,
    });
    yield* addOwner(owners, reconciled, comparison, update);
    yield;
    return yield* encodeManagers(capManagers(owners));
  } catch (error) {
    if (error instanceof VersionError) return undefined;
    throw error;
  }
}

function* changesOf(
  live: UpdateToTrack['live'],
  before: Readonly<KubernetesObject>,
  { updated, schema, budget }: UpdateToTrack,
): Steps<Comparison> {
  const [old, object] = [withoutManagers(before), withoutManagers(updated)];
  if (live !== undefined) return yield* compareInSteps(old, object, schema, undefined, budget);
  const added = yield* addedFieldsInSteps(old, object, schema, budget);
  return { added, modified: emptyFieldSet, removed: emptyFieldSet };
}

/**
 * Assigns changed fields to the request's manager, with a new time. Removing fields changes no time. A manager that writes
 * its own fields again keeps their set, with its encoded form.
 */
function* addOwner(
  owners: Map<string, Manager>,
  before: Managers,
  comparison: Comparison,
  update: UpdateToTrack,
): Steps<void> {
  const changed = yield* comparison.modified.unionInSteps(comparison.added);
  const written = yield* withoutUnownedFields(changed);
  if (written.isEmpty) return;
  const owner: Omit<Manager, 'fields' | 'time'> = {
    name: update.manager === '' ? 'unknown' : update.manager,
    operation: 'Update',
    apiVersion: update.apiVersion,
    subresource: update.subresource,
  };
  const key = managerKey(owner);
  const fields = yield* written.unionInSteps(owners.get(key)?.fields ?? emptyFieldSet);
  const known = before.get(key);
  const kept = known?.fields.equals(fields) === true ? known : { fields, encoded: undefined };
  owners.set(key, { time: update.now, fields: kept.fields, encoded: kept.encoded, ...owner });
}

interface Start {
  readonly entries: readonly ManagedFieldsEntry[];
  /** The entries are the live object's, as this module wrote them. */
  readonly canonical: boolean;
}

/**
 * The entries before the request: those that the client sent, because it may change them; the live object's if it sent
 * none or writes to a subresource.
 */
function startingEntries(update: UpdateToTrack): Start {
  const live = update.live?.metadata.managedFields ?? [];
  const sent = update.updated.metadata.managedFields;
  if (update.subresource !== '' || sent === undefined || sent === null) return { entries: live, canonical: true };
  if (isReset(sent)) return { entries: [], canonical: false };
  return sameEntries(sent, live) ? { entries: live, canonical: true } : { entries: sent, canonical: false };
}

/** The managers of the entries; if the client's are invalid, the live object's. */
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

/** An empty list, or one empty entry, asks to drop all ownership. */
function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  if (entries.length > 1) return false;
  return Object.values(entries[0] ?? {}).every((value) => value === undefined || value === null || value === '');
}

function sameEntries(a: readonly ManagedFieldsEntry[], b: readonly ManagedFieldsEntry[]): boolean {
  return a === b || deepEqual(asJson(a), asJson(b));
}

/** managedFields themselves are not compared. */
function withoutManagers(object: Readonly<KubernetesObject>) {
  if (object.metadata.managedFields === undefined) return asJson(object);
  const { managedFields: _, ...metadata } = object.metadata;
  return asJson({ ...object, metadata });
}

/** The changes of the update in a version. */
interface VersionChanges {
  readonly comparison: Comparison;
  readonly schema: StructSchema;
}

function* compareIn(
  apiVersion: string,
  before: Readonly<KubernetesObject>,
  update: UpdateToTrack,
  comparison: Comparison,
): Steps<VersionChanges | undefined> {
  const { apiVersion: own, schema, convert } = update;
  if (convert === undefined) return { comparison, schema };
  const [old, updated] = [withoutManagers(before), withoutManagers(update.updated)];
  const left = yield* inVersion({ apiVersion: own, document: old, schema }, apiVersion, convert);
  const right = yield* inVersion({ apiVersion: own, document: updated, schema }, apiVersion, convert);
  if (left === undefined || right === undefined) return undefined;
  const changes = yield* compareInSteps(left.document, right.document, right.schema, writtenValue);
  return { comparison: ownableChanges(changes, update), schema: right.schema };
}
