import type { LimitRangeItem } from '@binnacle/api/types/core-v1';
import { Quantity } from '@binnacle/apimachinery/quantity';
import type { Amounts } from '@binnacle/api/quota';

/** The violations of one item of a LimitRange, in upstream's words, ordered by resource name. */
export function brokenLimits(limit: LimitRangeItem, requests: Amounts, limits: Amounts): string[] {
  return [
    ...each(limit.min, (name, bound) => belowMinimum(limit.type, name, bound, requests, limits)),
    ...each(limit.max, (name, bound) => aboveMaximum(limit.type, name, bound, requests, limits)),
    ...each(limit.maxLimitRequestRatio, (name, bound) => aboveRatio(limit.type, name, bound, requests, limits)),
  ];
}

/** The same for objects that have only requests, such as claims. */
export function brokenRequestLimits(limit: LimitRangeItem, requests: Amounts): string[] {
  return [
    ...each(limit.min, (name, bound) => belowMinimum(limit.type, name, bound, requests, new Map())),
    ...each(limit.max, (name, bound) => {
      const rule = `maximum ${name} usage per ${limit.type} is ${bound.toString()}`;
      const request = requests.get(name);
      if (request === undefined) return `${rule}.  No request is specified`;
      return request.compare(bound) > 0 ? `${rule}, but request is ${request.toString()}` : undefined;
    }),
  ];
}

function each(
  bounds: Readonly<Record<string, string>> | undefined,
  check: (name: string, bound: Quantity) => string | undefined,
): string[] {
  const names = Object.keys(bounds ?? {}).sort();
  return names.flatMap((name) => check(name, Quantity.parse(bounds?.[name] ?? '0')) ?? []);
}

function belowMinimum(type: string, name: string, bound: Quantity, requests: Amounts, limits: Amounts) {
  const rule = `minimum ${name} usage per ${type} is ${bound.toString()}`;
  const request = requests.get(name);
  const limit = limits.get(name);
  if (request === undefined) return `${rule}.  No request is specified`;
  if (request.compare(bound) < 0) return `${rule}, but request is ${request.toString()}`;
  return limit !== undefined && limit.compare(bound) < 0 ? `${rule}, but limit is ${limit.toString()}` : undefined;
}

function aboveMaximum(type: string, name: string, bound: Quantity, requests: Amounts, limits: Amounts) {
  const rule = `maximum ${name} usage per ${type} is ${bound.toString()}`;
  const request = requests.get(name);
  const limit = limits.get(name);
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (limit.compare(bound) > 0) return `${rule}, but limit is ${limit.toString()}`;
  return request !== undefined && request.compare(bound) > 0
    ? `${rule}, but request is ${request.toString()}`
    : undefined;
}

function aboveRatio(type: string, name: string, bound: Quantity, requests: Amounts, limits: Amounts) {
  const rule = `${name} max limit to request ratio per ${type} is ${bound.toString()}`;
  const request = requests.get(name);
  const limit = limits.get(name);
  if (request === undefined || request.isZero) return `${rule}, but no request is specified or request is 0`;
  if (limit === undefined || limit.isZero) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = limit.asNumber() / request.asNumber();
  return ratio > bound.asNumber() ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
