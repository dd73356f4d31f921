import { getOwn, isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import { flagOf, named, textOf, textsOf } from '@binnacle/apimachinery/structural';
import { errorsOfEach } from '@binnacle/apimachinery/validation';
import { repetitions } from '../common.js';

// The keywords that say how lists and maps are merged.

const LIST_TYPE = 'x-kubernetes-list-type';
const MAP_KEYS = 'x-kubernetes-list-map-keys';

export function validateMapType(schema: JsonObject, path: string): FieldError[] {
  const keyword = 'x-kubernetes-map-type';
  const mapType = textOf(schema, keyword);
  if (mapType === '') return [];
  const errors = requireType(schema, 'object', `must be object if ${keyword} is specified`, path);
  if (mapType === 'atomic' || mapType === 'granular') return errors;
  return [...errors, notSupported(`${path}.${keyword}`, mapType, ['atomic', 'granular'])];
}

function requireType(schema: JsonObject, wanted: string, detail: string, path: string): FieldError[] {
  const type = textOf(schema, 'type');
  if (type === wanted) return [];
  return [type === '' ? required(`${path}.type`, detail) : invalidValue(`${path}.type`, type, detail)];
}

/** `requireAtomicSetItems`: see {@link setItemProblems}. */
export function validateListType(schema: JsonObject, path: string, requireAtomicSetItems: boolean): FieldError[] {
  const listType = textOf(schema, LIST_TYPE);
  const keys = textsOf(schema, MAP_KEYS);
  const errors: FieldError[] = [];
  if (listType !== '' && textOf(schema, 'type') !== 'array') {
    errors.push(...requireType(schema, 'array', `must be array if ${LIST_TYPE} is specified`, path));
  } else if (requireAtomicSetItems) {
    errors.push(...setItemProblems(schema, path));
  }
  if (listType !== '' && !['atomic', 'set', 'map'].includes(listType)) {
    errors.push(notSupported(`${path}.${LIST_TYPE}`, listType, ['atomic', 'set', 'map']));
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = `must be map if ${MAP_KEYS} is non-empty`;
    const place = `${path}.${LIST_TYPE}`;
    errors.push(listType === '' ? required(place, detail) : invalidValue(place, listType, detail));
  }
  return listType === 'map' ? [...errors, ...validateKeyedList(schema, keys, path)] : errors;
}

function validateKeyedList(schema: JsonObject, keys: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const items = getOwn(schema, 'items');
  if (keys.length === 0) {
    errors.push(required(`${path}.${MAP_KEYS}`, `must not be empty if ${LIST_TYPE} is map`));
  }
  if (items === undefined) errors.push(required(`${path}.items`, `must have a schema if ${LIST_TYPE} is map`));
  if (!isObject(items)) return errors;
  const type = textOf(items, 'type');
  if (type !== 'object') {
    const detail = `must be object if parent array's ${LIST_TYPE} is map`;
    return [...errors, invalidValue(`${path}.items.type`, type, detail)];
  }
  const properties = new Map(named(items, 'properties'));
  const repeated = repetitions(keys);
  const ofKeys = errorsOfEach(keys, (key, index) => {
    const errors: FieldError[] = [];
    const property = properties.get(key);
    const place = `${path}.${MAP_KEYS}`;
    if (property === undefined) {
      errors.push(invalidValue(place, keys, 'entries must all be names of item properties'));
    } else if (['array', 'object'].includes(textOf(property, 'type'))) {
      const detail = `must be a scalar type if parent array's ${LIST_TYPE} is map`;
      errors.push(invalidValue(`${path}.items.properties[${key}].type`, type, detail));
    }
    if (repeated.has(index)) {
      errors.push(invalidValue(place, keys, 'must not contain duplicate entries'));
    }
    return errors;
  });
  return [...errors, ...ofKeys];
}

/** A set item has one owner as a whole, so its schema must be a scalar or atomic. */
export function setItemProblems(schema: Readonly<JsonObject>, path: string): FieldError[] {
  const items = getOwn(schema, 'items');
  if (textOf(schema, LIST_TYPE) !== 'set' || !isObject(items)) return [];
  const shown = textOf(items, LIST_TYPE) || null;
  const detail = `must be atomic as item of a list with ${LIST_TYPE}=set`;
  switch (textOf(items, 'type')) {
    case 'array':
      return shown === null || shown === 'atomic' ? [] : [invalidValue(`${path}.items.${LIST_TYPE}`, shown, detail)];
    case 'object':
      return textOf(items, 'x-kubernetes-map-type') === 'atomic'
        ? []
        : [invalidValue(`${path}.items.x-kubernetes-map-type`, shown, detail)];
    default:
      return [];
  }
}

/** Items of sets and keyed lists must not be nullable, and their keys must be present. */
export function listItemProblems(schema: Readonly<JsonObject>, path: string): FieldError[] {
  const listType = textOf(schema, LIST_TYPE);
  const items = getOwn(schema, 'items');
  if ((listType !== 'set' && listType !== 'map') || !isObject(items)) return [];
  const errors: FieldError[] = [];
  if (flagOf(items, 'nullable')) {
    errors.push(forbiddenField(`${path}.items.nullable`, `cannot be nullable when ${LIST_TYPE} is ${listType}`));
  }
  if (listType !== 'map') return errors;
  const properties = new Map(named(items, 'properties'));
  const requiredFields = new Set(textsOf(items, 'required'));
  const ofKeys = errorsOfEach(textsOf(schema, MAP_KEYS), (key) => {
    const property = properties.get(key);
    if (property === undefined) return [];
    const errors: FieldError[] = [];
    const place = `${path}.items.properties[${key}]`;
    const why = `this property is in ${MAP_KEYS}, so it`;
    if (!requiredFields.has(key) && getOwn(property, 'default') === undefined) {
      errors.push(required(`${place}.default`, `${why} must have a default or be a required property`));
    }
    if (flagOf(property, 'nullable')) errors.push(forbiddenField(`${place}.nullable`, `${why} cannot be nullable`));
    return errors;
  });
  return [...errors, ...ofKeys];
}
