import {
  DYN,
  from,
  listOf,
  type ObjectFields,
  objectType,
  opaque,
  type Overload,
  overload,
  STRING,
  string,
  type Type,
} from '../cel/index.js';

const OBJECT = 'Object';
const JSON_PATCH = 'JSONPatch';

/** Any field is allowed: the schema of the object is known only when the policy runs. */
const ANY_FIELDS: ObjectFields = { get: () => DYN };
const PATCH_FIELDS: ReadonlyMap<string, Type> = new Map([
  ['op', STRING],
  ['path', STRING],
  ['from', STRING],
  ['value', DYN],
]);
/** Upstream resolves an unknown field to no type, which has no name and fits nothing. */
const NO_TYPE = opaque('');

export const APPLY_CONFIGURATION_TYPE = objectType(OBJECT, ANY_FIELDS);
const JSON_PATCH_TYPE = objectType(JSON_PATCH, { get: (field) => PATCH_FIELDS.get(field) ?? NO_TYPE });
export const JSON_PATCHES_TYPE = listOf(JSON_PATCH_TYPE);

/** The types that mutations may construct: `Object`, `Object.spec`, `JSONPatch`. Upstream: apiserver `pkg/cel/mutation`. */
export function patchTypeNamed(name: string): Type | undefined {
  if (name === JSON_PATCH) return JSON_PATCH_TYPE;
  if (name === OBJECT) return APPLY_CONFIGURATION_TYPE;
  return name.startsWith(`${OBJECT}.`) ? objectType(name, ANY_FIELDS) : undefined;
}

/** Upstream: apiserver `pkg/cel/library/jsonpatch.go`. */
export const PATCH_FUNCTIONS: readonly Overload[] = [
  overload(
    'jsonpatch.escapeKey',
    'string_jsonpatch_escapeKey_string',
    '(string) -> string',
    from(string)((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')),
  ),
];
