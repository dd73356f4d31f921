import type { JsonObject } from '../json/index.js';
import { type OwnerReference, parseGroupVersion } from '../meta/index.js';
import { ERRORS_MAXIMUM, type FieldError, formatBadValue, invalidValue } from '../status/index.js';

/** An error may show all references. */
const SHOWN_CHARACTERS_MAXIMUM = 1024 * 1024;

/** Stops after too many errors. Upstream: apimachinery `pkg/api/validation/objectmeta.go`. */
export function validateOwnerReferences(
  references: readonly OwnerReference[] | undefined,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  let shown: string | undefined;
  let shownCharacters = 0;
  for (const reference of references ?? []) {
    if (errors.length >= ERRORS_MAXIMUM || shownCharacters >= SHOWN_CHARACTERS_MAXIMUM) break;
    errors.push(...validateOwnerReference(reference, field));
    if (reference.controller !== true) continue;
    const name = `${reference.kind}/${reference.name}`;
    if (controller === undefined) {
      controller = name;
      continue;
    }
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
    shown ??= formatBadValue((references ?? []).map(shownReference));
    shownCharacters += shown.length;
    errors.push({ type: 'FieldValueInvalid', field, detail, shownValue: shown });
  }
  return errors;
}

function validateOwnerReference(reference: Readonly<OwnerReference>, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const groupVersion = parseGroupVersion(reference.apiVersion ?? '');
  const version = groupVersion?.version ?? '';
  if (version === '') {
    errors.push(invalidValue(`${field}.apiVersion`, reference.apiVersion ?? '', 'version must not be empty'));
  }
  for (const name of ['kind', 'name', 'uid'] as const) {
    if ((reference[name] ?? '') === '') errors.push(invalidValue(`${field}.${name}`, '', 'must not be empty'));
  }
  if (groupVersion?.group === '' && version === 'v1' && reference.kind === 'Event') {
    const detail = '/v1, Kind=Event is disallowed from being an owner';
    errors.push(invalidValue(field, shownReference(reference), detail));
  }
  return errors;
}

/** In wire order, whatever the order of the input. */
function shownReference(reference: Readonly<OwnerReference>): JsonObject {
  return {
    apiVersion: reference.apiVersion ?? '',
    kind: reference.kind ?? '',
    name: reference.name ?? '',
    uid: reference.uid ?? '',
    ...(reference.controller === undefined ? {} : { controller: reference.controller }),
    ...(reference.blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion: reference.blockOwnerDeletion }),
  };
}
