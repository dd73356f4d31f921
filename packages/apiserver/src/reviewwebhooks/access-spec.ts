import { FieldSelectorError, parseFieldSelector } from '@binnacle/apimachinery/fields';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { type LabelOperator, LabelSelectorError, parseLabelSelector } from '@binnacle/apimachinery/labels';
import type { AuthorizationAttributes } from '../authorization/index.js';

/** The verbs of requests that may have selectors. */
const SELECTING: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

/** A longer selector is left out, too: the client chooses its length. In characters. */
const LONGEST_SELECTOR = 128 * 1024;

/** Requirements with other operators are left out: without them the question asks for more. */
const LABEL_OPERATORS: ReadonlyMap<LabelOperator, string> = new Map([
  ['=', 'In'],
  ['==', 'In'],
  ['in', 'In'],
  ['!=', 'NotIn'],
  ['notin', 'NotIn'],
  ['exists', 'Exists'],
  ['!', 'DoesNotExist'],
]);

/** The spec of a SubjectAccessReview v1 about a request, without empty fields. */
export function accessSpec(attributes: AuthorizationAttributes): JsonObject {
  const { user, verb, path } = attributes;
  const extra = Object.entries(user.extra).map(([key, values]) => [key, [...values]]);
  return {
    ...(attributes.isResourceRequest
      ? { resourceAttributes: resourceAttributes(attributes) }
      : { nonResourceAttributes: withoutEmpty({ path, verb }) }),
    ...withoutEmpty({ user: user.name }),
    ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) as JsonObject }),
    ...withoutEmpty({ uid: user.uid }),
  };
}

function resourceAttributes(attributes: AuthorizationAttributes): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name } = attributes;
  const fields = SELECTING.has(verb) ? fieldRequirements(attributes.fieldSelector ?? '') : [];
  const labels = SELECTING.has(verb) ? labelRequirements(attributes.labelSelector ?? '') : [];
  return {
    ...withoutEmpty({ namespace, verb, group, version, resource, subresource, name }),
    ...(fields.length === 0 ? {} : { fieldSelector: { requirements: fields } }),
    ...(labels.length === 0 ? {} : { labelSelector: { requirements: labels } }),
  };
}

function withoutEmpty(texts: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

/** None for a selector that is malformed: the request will be refused. */
function fieldRequirements(selector: string): JsonObject[] {
  if (selector.length > LONGEST_SELECTOR) return [];
  try {
    return parseFieldSelector(selector).requirements.map(({ field, operator, value }) => ({
      key: field,
      operator: operator === '=' ? 'In' : 'NotIn',
      values: [value],
    }));
  } catch (error) {
    if (error instanceof FieldSelectorError) return [];
    throw error;
  }
}

function labelRequirements(selector: string): JsonObject[] {
  if (selector.length > LONGEST_SELECTOR) return [];
  try {
    return parseLabelSelector(selector).requirements.flatMap(({ key, operator: given, values }) => {
      const operator = LABEL_OPERATORS.get(given);
      if (operator === undefined) return [];
      return [{ key, operator, ...(values.length === 0 ? {} : { values: [...values] }) }];
    });
  } catch (error) {
    if (error instanceof LabelSelectorError) return [];
    throw error;
  }
}
