import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { LabelSelectorError, labelSelectorFromObject } from '@binnacle/apimachinery/labels';
import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  type NameRule,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateFinalizerDomains,
  validateLabelKey,
  validateObjectMeta,
} from '@binnacle/apimachinery/validation';
import type { LabelSelector } from '../generated/types/meta-v1.js';

export function list<T>(items: readonly T[] | null | undefined): readonly T[] {
  return items ?? [];
}

/** A body has room for millions of items that are wrong in several ways; nobody reads so many errors. */
const ENOUGH_ERRORS = 10_000;

/** The rule on every item, with the item's path; on no more once there are {@link ENOUGH_ERRORS}. */
export function each<T>(
  items: readonly T[] | null | undefined,
  path: string,
  rule: (item: T, path: string, index: number) => FieldError[],
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, item] of list(items).entries()) {
    errors.push(...rule(item, `${path}[${index}]`, index));
    if (errors.length >= ENOUGH_ERRORS) break;
  }
  return errors;
}

/** What built-in kinds add to the metadata rules of an update, which the registry runs. */
export function finalizerDomains(object: WithMetadata): FieldError[] {
  return validateFinalizerDomains(object.metadata?.finalizers, 'metadata.finalizers');
}

/** The metadata rules of a create, which some kinds run on every update once more, so that causes are listed again. */
export function wholeMetadata(object: WithMetadata, namespaced: boolean, validateName: NameRule): FieldError[] {
  const meta = object.metadata ?? {};
  return [
    ...validateObjectMeta(meta, { namespaced, validateName }),
    ...validateFinalizerDomains(meta.finalizers, 'metadata.finalizers'),
  ];
}

/** As {@link wholeMetadata}, for the kinds whose finalizers need no domain. */
export function plainMetadata(object: WithMetadata, namespaced: boolean, validateName: NameRule): FieldError[] {
  return validateObjectMeta(object.metadata ?? {}, { namespaced, validateName });
}

/** What nobody reads in the metadata of a template: all but labels and annotations. */
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

/** Required, and one of the values; they are shown in the given order. */
export function requireOneOf(value: string | undefined, supported: readonly string[], field: string): FieldError[] {
  if (value === undefined || value === '') return [required(field, '')];
  return optionalOneOf(value, supported, field);
}

export function optionalOneOf(value: string | undefined, supported: readonly string[], field: string): FieldError[] {
  return value === undefined || supported.includes(value) ? [] : [notSupported(field, value, supported)];
}

/** An invalid value that the message does not show. */
export function unshownInvalid(field: string, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, detail };
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

/** A map as a message shows it: keys sorted, absent as null. */
export function shownMap(map: Readonly<Record<string, JsonValue>> | undefined): JsonObject | null {
  if (map === undefined) return null;
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A label selector as a message shows it: fields in wire order, empty ones left out. */
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

/** Whether the labels are selected; undefined when the selector is malformed. No selector selects nothing. */
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

export const TEMPLATE_MISMATCH = '`selector` does not match template `labels`';

export function templateMismatch(labels: Readonly<Record<string, string>> | undefined, template: string): FieldError {
  return invalidValue(`${template}.metadata.labels`, shownMap(labels), TEMPLATE_MISMATCH);
}

/** An own property of a value that may be anything, by path. */
export function valueAt(value: unknown, ...path: readonly string[]): JsonValue | undefined {
  let current = value as JsonValue | undefined;
  for (const key of path) current = isObject(current) ? getOwn(current, key) : undefined;
  return current;
}
