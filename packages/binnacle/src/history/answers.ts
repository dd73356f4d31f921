import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { StatusError } from '@binnacle/apimachinery/status';

/** Fields of answers. One that is absent, or of another type, is empty. */
export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
export const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
export const objectsOf = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Throws an Error with `reason` for the 404 of a server that does not serve a path, and `error` for all others. */
export function explainAbsence(error: unknown, reason: string): never {
  // The 404 of a server that does not know the path has no details.
  if (error instanceof StatusError && error.code === 404 && error.status.details === undefined) {
    throw new Error(reason, { cause: error });
  }
  throw error;
}
