import { getOwn, isObject, type JsonObject } from '@binnacle/apimachinery/json';

/** Empty if absent or not a string. */
export function textOf(object: JsonObject, name: string): string {
  const value = getOwn(object, name);
  return typeof value === 'string' ? value : '';
}

export function textsOf(object: JsonObject, name: string): string[] {
  const value = getOwn(object, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Empty if absent or not an object. */
export function objectOf(object: JsonObject, name: string): JsonObject {
  const value = getOwn(object, name);
  return isObject(value) ? value : {};
}

export function objectsOf(object: JsonObject, name: string): JsonObject[] {
  const value = getOwn(object, name);
  return Array.isArray(value) ? value.filter(isObject) : [];
}
