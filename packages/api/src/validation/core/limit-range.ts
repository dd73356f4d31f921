import { hasNoKeys, keysInSteps } from '@binnacle/apimachinery/json';
import { Quantity } from '@binnacle/apimachinery/quantity';
import {
  duplicate,
  ERRORS_MAXIMUM,
  type FieldError,
  forbiddenField,
  invalidValue,
  required,
} from '@binnacle/apimachinery/status';
import { entryByEntry, itemByItem, nameIsDnsSubdomain } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { LimitRange, LimitRangeItem } from '../../generated/types/core-v1.js';
import { list, qualifiedName, ruleByRule, wholeMetadata } from '../common.js';
import {
  compareQuantities,
  isOvercommitAllowed,
  type ResourceList,
  shownQuantity,
  validateContainerResourceName,
  validateResourceName,
} from '../quantities.js';

// Upstream: `ValidateLimitRange`.

const TYPES: ReadonlySet<string> = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

export function* validateLimitRangeUpdate(object: LimitRange): Steps<FieldError[]> {
  return [...wholeMetadata(object, true, nameIsDnsSubdomain), ...(yield* validateLimitRange(object))];
}

export function* validateLimitRange(object: LimitRange): Steps<FieldError[]> {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, item] of list(object.spec?.limits).entries()) {
    const path = `spec.limits[${index}]`;
    const repeated = (): FieldError[] => (seen.has(item.type) ? [duplicate(`${path}.type`, item.type)] : []);
    const ofItem = yield* ruleByRule([
      () => [...limitType(item.type ?? '', `${path}.type`), ...repeated()],
      () => names(item, path),
      () => order(item, path),
    ]);
    for (const error of ofItem) errors.push(error);
    if (errors.length >= ERRORS_MAXIMUM) break;
    seen.add(item.type);
  }
  return errors;
}

function limitType(type: string, field: string): FieldError[] {
  const errors = qualifiedName(type, field);
  if (errors.length > 0 || type.includes('/') || TYPES.has(type)) return errors;
  return [invalidValue(field, type, 'must be a standard limit type or fully qualified')];
}

function* names(item: LimitRangeItem, path: string): Steps<FieldError[]> {
  const ofContainers = item.type === 'Pod' || item.type === 'Container';
  const check = (amounts: ResourceList | undefined, field: string): Steps<FieldError[]> =>
    entryByEntry(amounts, (name) =>
      (ofContainers ? validateContainerResourceName : validateResourceName)(name, `${path}.${field}[${name}]`),
    );
  const errors = [...(yield* check(item.max, 'max')), ...(yield* check(item.min, 'min'))];
  for (const field of ['default', 'defaultRequest'] as const) {
    if (item.type !== 'Pod') errors.push(...(yield* check(item[field], field)));
    else if (!hasNoKeys(item[field] ?? {})) {
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
  return [...errors, ...(yield* check(item.maxLimitRequestRatio, 'maxLimitRequestRatio'))];
}

type Bound = 'min' | 'max' | 'default' | 'defaultRequest';
/** Low bound, high bound, the field of the error and the value it shows, in upstream's order. */
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

/** The bounds of one resource. Bounds that a pod's range cannot have were rejected before. */
type Bounds = { readonly [B in Bound | 'maxLimitRequestRatio']: string | undefined };

function* order(item: LimitRangeItem, path: string): Steps<FieldError[]> {
  const { max, min, maxLimitRequestRatio } = item;
  const defaults = item.type === 'Pod' ? undefined : item.default;
  const requests = item.type === 'Pod' ? undefined : item.defaultRequest;
  const keys = new Set<string>();
  for (const amounts of [max, min, defaults, requests, maxLimitRequestRatio]) {
    for (const key of yield* keysInSteps(amounts ?? {})) keys.add(key);
  }
  return yield* itemByItem([...keys], path, (key) => {
    const of = (amounts: ResourceList | undefined): string | undefined =>
      amounts !== undefined && Object.hasOwn(amounts, key) ? amounts[key] : undefined;
    const bounds: Bounds = {
      max: of(max),
      min: of(min),
      default: of(defaults),
      defaultRequest: of(requests),
      maxLimitRequestRatio: of(maxLimitRequestRatio),
    };
    return [
      ...orders.flatMap(([low, high, at, shown]) => {
        const lower = bounds[low];
        const higher = bounds[high];
        if (lower === undefined || higher === undefined || compareQuantities(lower, higher) <= 0) return [];
        const above = low === 'defaultRequest' && high === 'default' ? 'default limit value' : words[high];
        const detail = `${words[low]} ${shownQuantity(lower)} is greater than ${above} ${shownQuantity(higher)}`;
        return [invalidValue(`${path}.${at}[${key}]`, shownQuantity(bounds[shown] ?? '0'), detail)];
      }),
      ...ratio(bounds, `${path}.maxLimitRequestRatio[${key}]`),
      ...sameDefault(key, bounds, `${path}.defaultRequest[${key}]`),
    ];
  });
}

/** The limit/request ratio is at least 1, and at most the ratio of the bounds. */
function ratio(bounds: Bounds, field: string): FieldError[] {
  const { maxLimitRequestRatio: given, min, max } = bounds;
  if (given === undefined) return [];
  const problem = (detail: string): FieldError =>
    invalidValue(field, shownQuantity(given), `ratio ${shownQuantity(given)} ${detail}`);
  const errors = compareQuantities(given, '1') < 0 ? [problem('is less than 1')] : [];
  if (min === undefined || max === undefined) return errors;
  const most = Quantity.parse(max).asNumber() / Quantity.parse(min).asNumber();
  if (Quantity.parse(given).asNumber() > most) errors.push(problem(`is greater than max/min = ${most.toFixed(6)}`));
  return errors;
}

function sameDefault(key: string, bounds: Bounds, field: string): FieldError[] {
  const { default: limit, defaultRequest: request } = bounds;
  if (limit === undefined || request === undefined || isOvercommitAllowed(key)) return [];
  if (compareQuantities(limit, request) === 0) return [];
  const detail = `default value ${shownQuantity(limit)} must equal to defaultRequest value ${shownQuantity(request)} in ${key}`;
  return [invalidValue(field, shownQuantity(request), detail)];
}
