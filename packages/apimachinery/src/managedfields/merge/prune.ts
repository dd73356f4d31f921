import { fieldSetOf } from '../fieldsets/field-set-of.js';
import { emptyFieldSet, type FieldSet } from '../fieldsets/field-set.js';
import type { Manager, Managers } from '../managers.js';
import { writtenValue } from './presence.js';
import { removeFields } from './remove-fields.js';
import { withNamedFields } from '../fieldsets/schema-sets.js';
import { type Convert, inVersion, type WrittenObject } from '../versions.js';

/**
 * Removes fields that the applier no longer applies and no other manager owns from the merged object. `managers` are
 * those after the apply, `last` is the applier before it. Upstream: structured-merge-diff `Updater.prune`.
 */
export function prune(
  merged: WrittenObject,
  managers: Managers,
  applier: Manager,
  last: Manager,
  convert: Convert,
): WrittenObject {
  // Fields that are applied again are owned again and stay, with the path to them.
  const same = last.apiVersion === applier.apiVersion;
  if (last.fields.isEmpty || (same && last.fields.difference(applier.fields).isEmpty)) return merged;
  const before = inVersion(merged, last.apiVersion, convert);
  if (before === undefined) return merged;
  const all = namedFieldsOf(before);
  const bare = without(before, withNamedFields(last.fields, before.schema));
  const owned = withOwned(before, all, bare, managers, convert);
  const rest = inVersion(owned, last.apiVersion, convert);
  const pruned = rest === undefined ? before : withUnclaimed(before, all, rest, last.fields);
  return inVersion(pruned, applier.apiVersion, convert) ?? merged;
}

/**
 * Restores fields that managers own, version by version, starting with the version of the pruned object, so that
 * conversion keeps them.
 */
function withOwned(
  merged: WrittenObject,
  all: FieldSet,
  pruned: WrittenObject,
  managers: Managers,
  convert: Convert,
): WrittenObject {
  const byVersion = new Map<string, FieldSet>([[pruned.apiVersion, emptyFieldSet]]);
  for (const { apiVersion, fields } of managers.values()) {
    byVersion.set(apiVersion, (byVersion.get(apiVersion) ?? emptyFieldSet).union(fields));
  }
  let whole = merged;
  let kept = pruned;
  for (const [apiVersion, fields] of byVersion) {
    if (fields.isEmpty) continue;
    const wholeThere = inVersion(whole, apiVersion, convert);
    const keptThere = inVersion(kept, apiVersion, convert);
    if (wholeThere === undefined || keptThere === undefined) continue;
    const { schema } = wholeThere;
    const claimed = namedFieldsOf(keptThere).union(withNamedFields(fields, schema));
    whole = wholeThere;
    const allThere = wholeThere === merged ? all : namedFieldsOf(wholeThere);
    kept = without(wholeThere, allThere.difference(claimed));
  }
  return kept;
}

/** Restores fields that the applier never owned: those without an owner, or of updaters. */
function withUnclaimed(merged: WrittenObject, all: FieldSet, pruned: WrittenObject, last: FieldSet): WrittenObject {
  const lost = all.difference(namedFieldsOf(pruned));
  return without(merged, lost.intersection(withNamedFields(last, merged.schema)));
}

function namedFieldsOf({ document, schema }: WrittenObject): FieldSet {
  return withNamedFields(fieldSetOf(document, schema, writtenValue), schema);
}

function without(written: WrittenObject, fields: FieldSet): WrittenObject {
  return { ...written, document: removeFields(written.document, fields, written.schema) };
}
