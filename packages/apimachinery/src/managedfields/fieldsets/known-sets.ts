import { LruMap } from '../../caches/index.js';
import { isLarge, isObject } from '../../json/index.js';
import type { StructSchema } from '../../schema/index.js';
import type { Steps } from '../../work/index.js';
import type { FieldSet } from './field-set.js';
import { decodeFieldSetInSteps } from './fields-v1.js';
import { reconcileWithSchema } from './schema-sets.js';

/** Characters of all texts together. A set takes some twenty times the memory of its text. */
const MOST_CHARACTERS = 256 * 1024;

/** Objects of one kind often have the same sets. A set by its text, which has the order of its elements. */
const known = new LruMap<string, FieldSet>(MOST_CHARACTERS, (text) => text.length);
/** The reconciled forms of the known sets. They hold no schema, of which each change of a definition makes new ones. */
const reconciled = new WeakMap<FieldSet, WeakMap<StructSchema, FieldSet>>();

/** `decodeFieldSetInSteps` for a set that an object in the store has. All callers share the result. */
export function* decodeKnownSet(fields: unknown): Steps<FieldSet> {
  const text = textOf(fields);
  const found = text === undefined ? undefined : known.get(text);
  if (found !== undefined) return found;
  const set = yield* decodeFieldSetInSteps(fields);
  if (text === undefined) return set;
  known.set(text, set);
  reconciled.set(set, new WeakMap());
  return set;
}

/** `reconcileWithSchema`, once for each schema of a known set. */
export function* reconcileKnownSet(set: FieldSet, type: StructSchema): Steps<FieldSet> {
  const forms = reconciled.get(set);
  const found = forms?.get(type);
  if (found !== undefined) return found;
  const form = yield* reconcileWithSchema(set, type);
  forms?.set(type, form);
  return form;
}

/** Undefined for a set that is not worth its memory, or that no manager can have. */
function textOf(fields: unknown): string | undefined {
  if (!isObject(fields) || isLarge(fields)) return undefined;
  try {
    const text = JSON.stringify(fields);
    return text.length > MOST_CHARACTERS / 16 ? undefined : text;
  } catch {
    // It has a number that is beyond JSON.stringify, and the decoder reports it.
    return undefined;
  }
}
