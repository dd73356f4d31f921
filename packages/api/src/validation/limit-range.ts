import { duplicate, type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import type { LimitRange, LimitRangeItem } from '../generated/types/core-v1.js';
import { each, qualifiedName } from './common.js';
import {
  compareQuantities,
  type ResourceList,
  shownQuantity,
  validateContainerResourceName,
  validateResourceName,
} from './quantities.js';

/** Upstream: `ValidateLimitRange`. */
const TYPES: ReadonlySet<string> = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

export function validateLimitRange(object: LimitRange): FieldError[] {
  const seen = new Set<string>();
  return each(object.spec?.limits, 'spec.limits', (item, path) => {
    const errors = limitType(item.type ?? '', `${path}.type`);
    if (seen.has(item.type)) errors.push(duplicate(`${path}.type`, item.type));
    seen.add(item.type);
    return [...errors, ...names(item, path), ...order(item, path)];
  });
}

function limitType(type: string, field: string): FieldError[] {
  const errors = qualifiedName(type, field);
  if (errors.length > 0 || type.includes('/') || TYPES.has(type)) return errors;
  return [invalidValue(field, type, 'must be a standard limit type or fully qualified')];
}

function names(item: LimitRangeItem, path: string): FieldError[] {
  const ofContainers = item.type === 'Pod' || item.type === 'Container';
  const check = (amounts: ResourceList | undefined, field: string): FieldError[] =>
    Object.keys(amounts ?? {}).flatMap((name) =>
      (ofContainers ? validateContainerResourceName : validateResourceName)(name, `${path}.${field}[${name}]`),
    );
  const errors = [...check(item.max, 'max'), ...check(item.min, 'min')];
  for (const field of ['default', 'defaultRequest'] as const) {
    if (item.type !== 'Pod') errors.push(...check(item[field], field));
    else if (Object.keys(item[field] ?? {}).length > 0) {
      errors.push(forbiddenField(`${path}.${field}`, "may not be specified when `type` is 'Pod'"));
    }
  }
  if (
    item.type === 'PersistentVolumeClaim' &&
    item.min?.['storage'] === undefined &&
    item.max?.['storage'] === undefined
  ) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided';
    errors.push(required(`${path}.limits`, detail));
  }
  return [...errors, ...check(item.maxLimitRequestRatio, 'maxLimitRequestRatio')];
}

type Bound = 'min' | 'max' | 'default' | 'defaultRequest';
/** Low, high, where the error stands, and what is shown there: in upstream's order. */
const orders: readonly (readonly [Bound, Bound, Bound, Bound])[] = [
  ['min', 'max', 'min', 'min'],
  ['min', 'defaultRequest', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'max', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'default', 'defaultRequest', 'defaultRequest'],
  ['min', 'default', 'default', 'min'],
  ['default', 'max', 'default', 'max'],
];
const words: Readonly<Record<Bound, string>> = {
  min: 'min value',
  max: 'max value',
  default: 'default value',
  defaultRequest: 'default request value',
};

function order(item: LimitRangeItem, path: string): FieldError[] {
  const keys = new Set(
    [item.max, item.min, item.default, item.defaultRequest].flatMap((list) => Object.keys(list ?? {})),
  );
  return [...keys].flatMap((key) =>
    orders.flatMap(([low, high, at, shown]) => {
      const lower = item[low]?.[key];
      const higher = item[high]?.[key];
      if (lower === undefined || higher === undefined || compareQuantities(lower, higher) <= 0) return [];
      const above = low === 'defaultRequest' && high === 'default' ? 'default limit value' : words[high];
      const detail = `${words[low]} ${shownQuantity(lower)} is greater than ${above} ${shownQuantity(higher)}`;
      return [invalidValue(`${path}.${at}[${key}]`, shownQuantity(item[shown]?.[key] ?? '0'), detail)];
    }),
  );
}
