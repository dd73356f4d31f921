import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';

/** Reads of fields that may be absent or of another type. */
export const textAt = (object: JsonObject, key: string): string => {
  const value = object[key];
  return typeof value === 'string' ? value : '';
};
export const numberAt = (object: JsonObject, key: string, otherwise = 0): number => {
  const value = object[key];
  return typeof value === 'number' ? value : otherwise;
};
export const objectAt = (object: JsonObject, key: string): JsonObject => objectOf(object[key]);
export const objectsAt = (object: JsonObject, key: string): readonly JsonObject[] => {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
};
export const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
