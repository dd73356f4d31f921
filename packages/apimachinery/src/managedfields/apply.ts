import { getOwn, isObject, type JsonObject } from '../json/index.js';
import { asJson, formatGroupVersion, type GroupVersionKind } from '../meta/index.js';
import type { KubernetesObject, ManagedFieldsEntry } from '../meta/index.js';
import type { StructSchema } from '../schema/index.js';
import { applyConflict, badRequest, unclassified } from '../status/index.js';
import { checkKind, describeDocument } from './applied-kind.js';
import { type Comparison, compareInSteps } from './merge/compare.js';
import { ConflictError, describeConflicts } from './conflicts.js';
import { type FieldRules, ownableChanges, ownableFields } from './fieldsets/field-rules.js';
import { fieldSetOfInSteps } from './fieldsets/field-set-of.js';
import { CLIENT_SIDE_APPLIER, clientSideFields, withLastApplied } from './last-applied.js';
import {
  decodeManagers,
  encodeManagers,
  type Manager,
  ManagedFieldsError,
  managerKey,
  type Managers,
} from './managers.js';
import { finish, type Steps, type WorkBudget } from '../work/index.js';
import { WORK_OF_FIELD } from './fieldsets/field-set.js';
import { mergeConfiguration } from './merge/merge-configuration.js';
import { PathElementError } from './fieldsets/path-element.js';
import { writtenObject, writtenValue } from './merge/presence.js';
import { prune } from './merge/prune.js';
import { withoutUnownedFields } from './fieldsets/unowned-fields.js';
import { reconcileManagers, takeFields } from './take-fields.js';
import { trackUpdate } from './track-update.js';
import { configurationProblem } from './validate-configuration.js';
import {
  type Convert,
  inVersion,
  cachedByVersion,
  sameDocument,
  VersionError,
  type WrittenObject,
} from './versions.js';

const BEFORE_FIRST_APPLY = 'before-first-apply';

export interface Application extends FieldRules {
  /** The stored object in the request's version; undefined if it does not exist. */
  readonly live: Readonly<KubernetesObject> | undefined;
  /** The client's document, parsed but not decoded: fields that it omits are not applied. */
  readonly configuration: JsonObject;
  /** The kind of the request. */
  readonly kind: GroupVersionKind;
  readonly schema: StructSchema;
  readonly manager: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** Take ownership of fields that others own. */
  readonly force: boolean;
  /** RFC 3339. */
  readonly now: string;
  readonly convert: Convert;
  /** The work that the apply may cost. Throws 413 when it is spent. */
  readonly budget?: WorkBudget | undefined;
}

export interface Applied {
  /**
   * The live object after applying the configuration, in the request's version, neither decoded nor defaulted, without
   * managedFields; undefined if nothing changes.
   */
  readonly document: JsonObject | undefined;
  readonly managedFields: ManagedFieldsEntry[] | undefined;
}

/**
 * Server-side apply. Throws a StatusError: 400 for a configuration of another kind or with managedFields, and 409 with
 * one cause for each conflict. As upstream, it is 500 for a configuration that does not match the schema. Upstream:
 * apimachinery `managedfields.FieldManager.Apply`, structured-merge-diff `Updater.Apply`.
 */
export function applyConfiguration(application: Application): Applied {
  return finish(applyInSteps(application));
}

/** {@link applyConfiguration}, for objects that may be large. */
export function* applyInSteps(application: Application): Steps<Applied> {
  const { configuration, kind, manager } = application;
  const before = yield* managersBefore(application);
  checkKind(configuration, kind);
  yield* checkConfiguration(configuration, application.schema);
  yield;
  const live = liveDocument(application);
  yield;
  const result = yield* applyTo(live, before, application);
  if (manager !== CLIENT_SIDE_APPLIER) return result;
  const document = result.document ?? live.document;
  yield;
  const annotated = withLastApplied(document, configuration);
  return annotated === document ? result : { ...result, document: annotated };
}

function* applyTo(live: WrittenObject, before: Managers, application: Application): Steps<Applied> {
  try {
    return yield* mergeAndTake(live, before, application);
  } catch (error) {
    if (error instanceof VersionError) throw unclassified(error.message);
    if (!(error instanceof ConflictError)) throw error;
    const allowed = application.manager === CLIENT_SIDE_APPLIER ? yield* clientSideFields(live) : undefined;
    const conflicts = error.conflicts.filter(({ path }) => allowed?.has(path) !== true);
    if (conflicts.length === 0) return yield* mergeAndTake(live, before, { ...application, force: true });
    const { message, causes } = yield* describeConflicts(conflicts);
    throw applyConflict(message, causes);
  }
}

function* mergeAndTake(live: WrittenObject, before: Managers, application: Application): Steps<Applied> {
  const { configuration, schema, convert, force } = application;
  const liveIn = cachedByVersion((apiVersion) => inVersion(live, apiVersion, convert));
  const managers = yield* reconcileManagers(before, function* (apiVersion) {
    return (yield* liveIn(apiVersion))?.schema;
  });
  yield;
  const configured = yield* fieldSetOfInSteps(configuration, schema, writtenValue);
  application.budget?.spend(configured.size * WORK_OF_FIELD);
  const identity = {
    name: application.manager,
    operation: 'Apply',
    apiVersion: live.apiVersion,
    subresource: application.subresource,
  } as const;
  yield;
  const key = managerKey(identity);
  const last = managers.get(key);
  const applier: Manager = {
    ...identity,
    time: last?.time,
    fields: ownableFields(configured, application),
  };
  managers.set(key, applier);
  const document = yield* mergeConfiguration(live.document, configuration, schema);
  const merged: WrittenObject = { ...live, document };
  yield;
  const result = last === undefined ? merged : yield* prune(merged, managers, applier, last, convert);
  yield;
  const changesIn = cachedByVersion(function* (apiVersion) {
    const [left, right] = [yield* liveIn(apiVersion), yield* inVersion(result, apiVersion, convert)];
    yield;
    return yield* changesBetween(left, right, application);
  });
  const owners = yield* takeFields(managers, { changesIn, applier: key, force });
  const changed = !(yield* sameDocument(live, result));
  yield;
  const fields = yield* withoutUnownedFields(applier.fields);
  if (fields.isEmpty) owners.delete(key);
  else {
    const encoded = last?.fields.equals(fields) === true ? last.encoded : undefined;
    owners.set(key, { time: changed ? application.now : last?.time, fields, encoded, ...identity });
  }
  return { document: changed ? result.document : undefined, managedFields: yield* encodeManagers(owners) };
}

/** The changes of an apply in one version; undefined if that version is gone. */
function* changesBetween(
  before: WrittenObject | undefined,
  after: WrittenObject | undefined,
  application: Application,
): Steps<Comparison | undefined> {
  if (before === undefined || after === undefined) return undefined;
  const { budget } = application;
  const changes = yield* compareInSteps(before.document, after.document, after.schema, writtenValue, budget);
  return ownableChanges(changes, application);
}

/** The live object's managers. An object without any gets one that owns all its fields. */
function* managersBefore(application: Application): Steps<Managers> {
  const { live } = application;
  try {
    const managers = yield* decodeManagers(live?.metadata.managedFields, true);
    if (managers.size > 0 || live === undefined) return managers;
  } catch (error) {
    if (!(error instanceof ManagedFieldsError || error instanceof PathElementError)) throw error;
    throw unclassified(`failed to decode managed fields: ${error.message}`);
  }
  const { managedFields: _, ...metadata } = live.metadata;
  const { schema, kind, subresource, now, resetFields, settableFields } = application;
  const entries = trackUpdate({
    live: undefined,
    updated: { ...live, metadata },
    schema,
    apiVersion: formatGroupVersion(kind),
    manager: BEFORE_FIRST_APPLY,
    subresource,
    now,
    resetFields,
    settableFields,
  });
  return yield* decodeManagers(entries, true);
}

function* checkConfiguration(configuration: JsonObject, schema: StructSchema): Steps<void> {
  const metadata = getOwn(configuration, 'metadata');
  const entries = isObject(metadata) ? getOwn(metadata, 'managedFields') : undefined;
  if (Array.isArray(entries) && entries.every(isObject)) throw badRequest('metadata.managedFields must be nil');
  const problem = yield* configurationProblem(configuration, schema);
  if (problem === undefined) return;
  throw unclassified(`failed to create typed patch object (${describeDocument(configuration)}): ${problem}`);
}

/** The live object as upstream's typed object shows it; for a create, an object whose fields are all zero. */
function liveDocument({ live, schema, kind }: Application): WrittenObject {
  const apiVersion = formatGroupVersion(kind);
  const { managedFields: _, ...metadata } = live?.metadata ?? {};
  const object = { ...live, kind: kind.kind, apiVersion, metadata };
  return { apiVersion, document: writtenObject(asJson(object), schema), schema };
}
