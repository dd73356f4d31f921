import { fieldSetOfInSteps } from '../fieldsets/field-set-of.js';
import { emptyFieldSet, type FieldSet } from '../fieldsets/field-set.js';
import type { Manager, Managers } from '../managers.js';
import { writtenValue } from './presence.js';
import { removeFields } from './remove-fields.js';
import { withNamedFields } from '../fieldsets/schema-sets.js';
import type { Steps } from '../../work/index.js';
import { type Convert, inVersion, type WrittenObject } from '../versions.js';

/**
 * Removes fields that the applier no longer applies and no other manager owns from the merged object. `managers` are
 * those after the apply, `last` is the applier before it. Upstream: structured-merge-diff `Updater.prune`.
 */
export function* prune(
  merged: WrittenObject,
  managers: Managers,
  applier: Manager,
  last: Manager,
  convert: Convert,
): Steps<WrittenObject> {
  // Fields that are applied again are owned again and stay, with the path to them.
  const same = last.apiVersion === applier.apiVersion;
  if (last.fields.isEmpty || (same && (yield* last.fields.differenceInSteps(applier.fields)).isEmpty)) return merged;
  const before = yield* inVersion(merged, last.apiVersion, convert);
  if (before === undefined) return merged;
  const all = yield* namedFieldsOf(before);
  const bare = yield* without(before, yield* withNamedFields(last.fields, before.schema));
  const owned = yield* withOwned(before, all, bare, managers, convert);
  const rest = yield* inVersion(owned, last.apiVersion, convert);
  const pruned = rest === undefined ? before : yield* withUnclaimed(before, all, rest, last.fields);
  return (yield* inVersion(pruned, applier.apiVersion, convert)) ?? merged;
}

/**
 * Restores fields that managers own, version by version, starting with the version of the pruned object, so that
 * conversion keeps them.
 */
function* withOwned(
  merged: WrittenObject,
  all: FieldSet,
  pruned: WrittenObject,
  managers: Managers,
  convert: Convert,
): Steps<WrittenObject> {
  const byVersion = new Map<string, FieldSet>([[pruned.apiVersion, emptyFieldSet]]);
  for (const { apiVersion, fields } of managers.values()) {
    byVersion.set(apiVersion, yield* (byVersion.get(apiVersion) ?? emptyFieldSet).unionInSteps(fields));
  }
  let whole = merged;
  let kept = pruned;
  for (const [apiVersion, fields] of byVersion) {
    if (fields.isEmpty) continue;
    const wholeThere = yield* inVersion(whole, apiVersion, convert);
    const keptThere = yield* inVersion(kept, apiVersion, convert);
    if (wholeThere === undefined || keptThere === undefined) continue;
    const { schema } = wholeThere;
    const keptFields = yield* namedFieldsOf(keptThere);
    const claimed = yield* keptFields.unionInSteps(yield* withNamedFields(fields, schema));
    whole = wholeThere;
    const allThere = wholeThere === merged ? all : yield* namedFieldsOf(wholeThere);
    kept = yield* without(wholeThere, yield* allThere.differenceInSteps(claimed));
  }
  return kept;
}

/** Restores fields that the applier never owned: those without an owner, or of updaters. */
function* withUnclaimed(
  merged: WrittenObject,
  all: FieldSet,
  pruned: WrittenObject,
  last: FieldSet,
): Steps<WrittenObject> {
  const lost = yield* all.differenceInSteps(yield* namedFieldsOf(pruned));
  const named = yield* withNamedFields(last, merged.schema);
  return yield* without(merged, yield* lost.intersectionInSteps(named));
}

function* namedFieldsOf({ document, schema }: WrittenObject): Steps<FieldSet> {
  return yield* withNamedFields(yield* fieldSetOfInSteps(document, schema, writtenValue), schema);
}

function* without(written: WrittenObject, fields: FieldSet): Steps<WrittenObject> {
  return { ...written, document: yield* removeFields(written.document, fields, written.schema) };
}
