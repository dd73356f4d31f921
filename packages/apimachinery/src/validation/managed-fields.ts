import type { ManagedFieldsEntry } from '../meta/index.js';
import { type FieldError, invalidValue, tooLong } from '../status/index.js';
import { errorsOfEach } from './errors-of-each.js';
import { utf8Length } from './text.js';

// Upstream: apimachinery `pkg/apis/meta/v1/validation`.

const FIELD_MANAGER_MAXIMUM = 128;
const SUBRESOURCE_MAXIMUM = 256;
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** A field manager's name: printable, at most 128 bytes. Positions in messages count bytes. */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (utf8Length(manager) > FIELD_MANAGER_MAXIMUM) errors.push(tooLong(field, FIELD_MANAGER_MAXIMUM));
  let position = 0;
  let end = 0;
  let first: FieldError | undefined;
  const invalid = errorsOfEach(manager.matchAll(unprintable), ({ 0: character, index }) => {
    position += utf8Length(manager.slice(end, index));
    end = index;
    // Every error shows the name, which is formatted once.
    first ??= invalidValue(field, manager, '');
    return [{ ...first, detail: `invalid character ${codePoint(character)} (at position ${position})` }];
  });
  return errors.concat(invalid);
}

/** `U+0007`, as Go's `%#U` prints an unprintable character. */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

export function validateManagedFields(entries: readonly ManagedFieldsEntry[] | undefined, field: string): FieldError[] {
  return errorsOfEach(entries, (entry, index) => validateEntry(entry, `${field}[${index}]`));
}

function validateEntry(entry: Readonly<ManagedFieldsEntry>, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const operation: string = entry.operation ?? '';
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(invalidValue(`${field}.operation`, operation, 'must be `Apply` or `Update`'));
  }
  const fieldsType = entry.fieldsType ?? '';
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(invalidValue(`${field}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
  }
  errors.push(...validateFieldManager(entry.manager ?? '', `${field}.manager`));
  if (utf8Length(entry.subresource ?? '') > SUBRESOURCE_MAXIMUM) {
    errors.push(tooLong(`${field}.subresource`, SUBRESOURCE_MAXIMUM));
  }
  return errors;
}
