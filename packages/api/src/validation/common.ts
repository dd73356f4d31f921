import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { LabelSelectorError, labelSelectorFromObject } from '@binnacle/apimachinery/labels';
import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import {
  ERRORS_MAXIMUM,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '@binnacle/apimachinery/status';
import {
  errorsOfEach,
  invalidFor,
  type NameRule,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateFinalizerDomains,
  validateLabelKey,
  validateObjectMeta,
} from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { LabelSelector } from '../generated/types/meta-v1.js';

export function list<T>(items: readonly T[] | null | undefined): readonly T[] {
  return items ?? [];
}

/** Like {@link errorsOfEach}, with the item's path. */
export function each<T>(
  items: readonly T[] | null | undefined,
  path: string,
  rule: (item: T, path: string, index: number) => FieldError[],
): FieldError[] {
  return errorsOfEach(items, (item, index) => rule(item, `${path}[${index}]`, index));
}

/** The indices of items that equal an earlier item. */
export function repetitions(items: readonly unknown[]): ReadonlySet<number> {
  const seen = new Set<unknown>();
  const repeated = new Set<number>();
  for (const [index, item] of items.entries()) {
    if (seen.has(item)) repeated.add(index);
    seen.add(item);
  }
  return repeated;
}

/** The errors of several rules in order. Rules after {@link ERRORS_MAXIMUM} errors do not run. */
export function* ruleByRule(rules: readonly (() => FieldError[] | Steps<FieldError[]>)[]): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  for (const rule of rules) {
    const found = rule();
    for (const error of Array.isArray(found) ? found : yield* found) errors.push(error);
    if (errors.length >= ERRORS_MAXIMUM) break;
    yield;
  }
  return errors;
}

/** One rule for each item of a list, for {@link ruleByRule}. */
export function rulesOf<T>(
  items: readonly T[] | null | undefined,
  path: string,
  rule: (item: T, path: string) => FieldError[] | Steps<FieldError[]>,
): (() => FieldError[] | Steps<FieldError[]>)[] {
  return list(items).map((item, index) => () => rule(item, `${path}[${index}]`));
}

/** The metadata rule that built-in kinds add on updates. The registry runs the common rules. */
export function finalizerDomains(object: WithMetadata): FieldError[] {
  return validateFinalizerDomains(object.metadata?.finalizers, 'metadata.finalizers');
}

/** The metadata rules of a create. Some kinds repeat them on every update, so clients see the errors twice. */
export function wholeMetadata(object: WithMetadata, namespaced: boolean, validateName: NameRule): FieldError[] {
  const meta = object.metadata ?? {};
  return [
    ...validateObjectMeta(meta, { namespaced, validateName }),
    ...validateFinalizerDomains(meta.finalizers, 'metadata.finalizers'),
  ];
}

/** Like {@link wholeMetadata}, for kinds whose finalizers need no domain. */
export function plainMetadata(object: WithMetadata, namespaced: boolean, validateName: NameRule): FieldError[] {
  return validateObjectMeta(object.metadata ?? {}, { namespaced, validateName });
}

/** A template's metadata may hold only labels and annotations; all other fields have no effect. */
export function forbiddenTemplateMetadata(metadata: Readonly<ObjectMeta>, field: string): FieldError[] {
  return Object.entries(metadata)
    .filter(([name, value]) => name !== 'labels' && name !== 'annotations' && value !== undefined && value !== null)
    .map(([name]) => forbiddenField(`${field}.${name}`, 'cannot be set'));
}

export interface WithMetadata {
  metadata?: ObjectMeta | undefined;
}

export function requireText(value: string | undefined, field: string, detail = ''): FieldError[] {
  return value === undefined || value === '' ? [required(field, detail)] : [];
}

/** The value is required and must be one of `supported`, which messages list in the given order. */
export function requireOneOf(value: string | undefined, supported: readonly string[], field: string): FieldError[] {
  if (value === undefined || value === '') return [required(field, '')];
  return optionalOneOf(value, supported, field);
}

export function optionalOneOf(value: string | undefined, supported: readonly string[], field: string): FieldError[] {
  return value === undefined || supported.includes(value) ? [] : [notSupported(field, value, supported)];
}

export function dnsLabel(value: string, field: string): FieldError[] {
  return invalidFor(field, value, validateDns1123Label(value));
}

export function dnsSubdomain(value: string, field: string): FieldError[] {
  return invalidFor(field, value, validateDns1123Subdomain(value));
}

export function qualifiedName(value: string, field: string): FieldError[] {
  return invalidFor(field, value, validateLabelKey(value));
}

export function requireDnsLabel(value: string | undefined, field: string): FieldError[] {
  return value ? dnsLabel(value, field) : [required(field, '')];
}

/** A map as messages show it: keys sorted, absent as null. */
export function shownMap(map: Readonly<Record<string, JsonValue>> | undefined): JsonObject | null {
  if (map === undefined) return null;
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A label selector as messages show it: fields in wire order, without empty ones. */
export function shownSelector(selector: Readonly<LabelSelector> | undefined): JsonObject | null {
  if (selector === undefined) return null;
  const { matchLabels, matchExpressions } = selector;
  return {
    ...(matchLabels && Object.keys(matchLabels).length > 0 ? { matchLabels: shownMap(matchLabels) } : {}),
    ...(matchExpressions && matchExpressions.length > 0
      ? {
          matchExpressions: matchExpressions.map(({ key, operator, values }) => ({
            key,
            operator,
            ...(values && values.length > 0 ? { values } : {}),
          })),
        }
      : {}),
  };
}

/** Whether the selector matches the labels; undefined if it is malformed. An absent selector matches nothing. */
export function selects(
  selector: Readonly<LabelSelector> | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean | undefined {
  try {
    const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
    const expressions = matchExpressions.map(({ key, operator, values = [] }) => ({ key, operator, values }));
    return labelSelectorFromObject(
      selector === undefined ? undefined : { matchLabels, matchExpressions: expressions },
    ).matches(labels ?? {});
  } catch (error) {
    if (error instanceof LabelSelectorError) return undefined;
    throw error;
  }
}

export function isEmptySelector(selector: Readonly<LabelSelector>): boolean {
  return Object.keys(selector.matchLabels ?? {}).length + list(selector.matchExpressions).length === 0;
}

const TEMPLATE_MISMATCH = '`selector` does not match template `labels`';

export function templateMismatch(labels: Readonly<Record<string, string>> | undefined, template: string): FieldError {
  return invalidValue(`${template}.metadata.labels`, shownMap(labels), TEMPLATE_MISMATCH);
}

/** Reads an own property by path from a value of any type. */
export function valueAt(value: unknown, ...path: readonly string[]): JsonValue | undefined {
  let current = value as JsonValue | undefined;
  for (const key of path) current = isObject(current) ? getOwn(current, key) : undefined;
  return current;
}
