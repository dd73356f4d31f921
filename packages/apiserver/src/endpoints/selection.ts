import { type FieldSelector, FieldSelectorError, parseFieldSelector, validateFieldLabels } from '@binnacle/apimachinery/fields';
import { type LabelSelector, LabelSelectorError, parseLabelSelector } from '@binnacle/apimachinery/labels';
import { badRequest } from '@binnacle/apimachinery/status';
import type { ObjectFilter } from '../cacher/index.js';
import type { RequestInfo, ListOptions } from '../request/index.js';
import type { ResourceEndpoint } from './endpoint.js';

/** Which objects a list, a watch or a deletecollection is about. */
export interface Selection {
  readonly namespace: string;
  /** The one name asked for, when the path or the field selector says so. */
  readonly name: string | undefined;
  /** Undefined = everything in the namespace. */
  readonly filter: ObjectFilter | undefined;
}

/** Reads both selectors. Throws 400 in upstream's words. */
export function selectionOf(endpoint: ResourceEndpoint, info: RequestInfo, options: ListOptions): Selection {
  const labels = readLabels(options.labelSelector);
  const fields = readFields(endpoint, options.fieldSelector);
  const named = fields?.requiredValue('metadata.name') ?? (info.name === '' ? undefined : info.name);
  const namespace = info.namespace === '' && endpoint.namespaced ? (fields?.requiredValue('metadata.namespace') ?? '') : info.namespace;
  return { namespace, name: named, filter: filterOf(labels, fields, named) };
}

function filterOf(
  labels: LabelSelector | undefined,
  fields: FieldSelector | undefined,
  name: string | undefined,
): ObjectFilter | undefined {
  if (labels === undefined && fields === undefined && name === undefined) return undefined;
  return (object) => {
    const attributes = object.attributes;
    if (name !== undefined && attributes.fields['metadata.name'] !== name) return false;
    if (labels !== undefined && !labels.matches(attributes.labels)) return false;
    return fields === undefined || fields.matches(attributes.fields);
  };
}

function readLabels(text: string): LabelSelector | undefined {
  if (text === '') return undefined;
  try {
    const selector = parseLabelSelector(text);
    return selector.isEmpty ? undefined : selector;
  } catch (error) {
    if (error instanceof LabelSelectorError) throw badRequest(error.message);
    throw error;
  }
}

function readFields(endpoint: ResourceEndpoint, text: string): FieldSelector | undefined {
  if (text === '') return undefined;
  try {
    const selector = validateFieldLabels(parseFieldSelector(text), endpoint.fieldLabels);
    return selector.isEmpty ? undefined : selector;
  } catch (error) {
    if (error instanceof FieldSelectorError) throw badRequest(error.message);
    throw error;
  }
}
