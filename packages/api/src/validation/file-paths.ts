import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';

// Paths on a node or in a volume. Upstream: `pkg/apis/core/validation`.

const MODE_MESSAGE = 'must be a number between 0 and 0777 (octal), both inclusive';

export function noBacksteps(path: string, field: string): FieldError[] {
  return path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : [];
}

export function descendingPath(path: string, field: string): FieldError[] {
  const errors = path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : [];
  return [...errors, ...noBacksteps(path, field)];
}

export function nonReservedPath(path: string, field: string): FieldError[] {
  const errors = descendingPath(path, field);
  if (path.startsWith('..') && !path.startsWith('../')) {
    errors.push(invalidValue(field, path, "must not start with '..'"));
  }
  return errors;
}

export function fileMode(mode: number | undefined, field: string): FieldError[] {
  return mode !== undefined && (mode > 0o777 || mode < 0) ? [invalidValue(field, mode, MODE_MESSAGE)] : [];
}
