import {
  FieldSelector,
  FieldSelectorError,
  parseFieldSelectorInSteps,
  validateFieldLabels,
} from '@binnacle/apimachinery/fields';
import { type LabelSelector, LabelSelectorError, parseLabelSelectorInSteps } from '@binnacle/apimachinery/labels';
import { badRequest } from '@binnacle/apimachinery/status';
import type { Steps } from '@binnacle/apimachinery/work';
import type { FieldValue, ObjectFilter } from '../cacher/index.js';
import type { ListRequest } from '../registry/index.js';
import { demandOfList, type ListOptions, type RequestInfo } from '../request/index.js';
import { inSlices } from '../slices/index.js';
import type { StoredObject } from '../storage/index.js';
import type { ResourceEndpoint } from './endpoint.js';

const NAME = 'metadata.name';
const NAMESPACE = 'metadata.namespace';

/** The objects of a list, a watch or a deletecollection. */
export interface Selection {
  readonly namespace: string;
  /** The single name in the path or the field selector. */
  readonly name: string | undefined;
  /** Undefined = everything in the namespace. */
  readonly filter: ObjectFilter | undefined;
}

/** Reads both selectors. Throws 400 in upstream's words. */
export async function selectionOf(
  endpoint: ResourceEndpoint,
  info: RequestInfo,
  options: ListOptions,
): Promise<Selection> {
  const labels = await inSlices(readLabels(options.labelSelector));
  const fields = await inSlices(readFields(endpoint, options.fieldSelector));
  const selected = fields?.requiredValue(NAME);
  if (info.name !== '' && fields !== undefined && selected !== info.name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  const name = selected ?? (info.name === '' ? undefined : info.name);
  const everywhere = info.namespace === '' && endpoint.namespaced;
  const namespace = everywhere ? (fields?.requiredValue(NAMESPACE) ?? '') : info.namespace;
  return {
    namespace,
    name,
    filter: filterOf(labels, withoutKey(fields, namespace), name, indexedValue(endpoint, fields)),
  };
}

/** The list of a selection. Throws 400 for an invalid resourceVersion. */
export function listRequestOf(selection: Selection, options: ListOptions): ListRequest {
  const { limit, continue: continueToken } = options;
  return { ...selection, limit: Math.max(0, limit), continueToken, demand: demandOfList(options) };
}

/** The rest of the field selector, for objects whose key has the right namespace and name. */
function withoutKey(fields: FieldSelector | undefined, namespace: string): FieldSelector | undefined {
  if (fields === undefined) return undefined;
  const name = fields.requiredValue(NAME);
  const rest = fields.requirements.filter(({ field, operator, value }) => {
    const known = (field === NAME && value === name) || (field === NAMESPACE && value === namespace && value !== '');
    return !(known && operator === '=');
  });
  return rest.length === 0 ? undefined : new FieldSelector(rest);
}

/** The value of an indexed field that all selected objects share. */
function indexedValue(endpoint: ResourceEndpoint, fields: FieldSelector | undefined): FieldValue | undefined {
  for (const field of endpoint.store.strategy.indexedFields ?? []) {
    const value = fields?.requiredValue(field);
    if (value !== undefined) return { field, value };
  }
  return undefined;
}

/** Applies the cheapest test first: names are in the keys, while labels and fields must be decoded. */
function filterOf(
  labels: LabelSelector | undefined,
  fields: FieldSelector | undefined,
  name: string | undefined,
  selected: FieldValue | undefined,
): ObjectFilter | undefined {
  const attributes = (object: StoredObject): boolean =>
    (labels === undefined || labels.matches(object.labels)) && (fields === undefined || fields.matches(object.fields));
  const hasAttributes =
    labels === undefined && fields === undefined
      ? undefined
      : selected === undefined
        ? attributes
        : Object.assign(attributes, { selected });
  if (name === undefined) return hasAttributes;
  if (name.includes('/')) return () => false;
  const ending = `/${name}`;
  return (object) => object.key.endsWith(ending) && (hasAttributes === undefined || hasAttributes(object));
}

function* readLabels(text: string): Steps<LabelSelector | undefined> {
  if (text === '') return undefined;
  try {
    const selector = yield* parseLabelSelectorInSteps(text);
    return selector.isEmpty ? undefined : selector;
  } catch (error) {
    if (error instanceof LabelSelectorError) throw badRequest(error.message);
    throw error;
  }
}

function* readFields(endpoint: ResourceEndpoint, text: string): Steps<FieldSelector | undefined> {
  if (text === '') return undefined;
  try {
    const selector = validateFieldLabels(yield* parseFieldSelectorInSteps(text), endpoint.fieldLabels);
    return selector.isEmpty ? undefined : selector;
  } catch (error) {
    if (error instanceof FieldSelectorError) throw badRequest(error.message);
    throw error;
  }
}
