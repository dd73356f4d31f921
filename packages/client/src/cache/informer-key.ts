import type { GroupVersionResource } from '@binnacle/apimachinery/meta';
import type { SelectOptions } from '../rest/index.js';

/** Which objects of a resource an informer holds, and how much of each. */
export interface InformerSelection extends SelectOptions {
  /** Default: all of them. */
  readonly namespace?: string | undefined;
  /** Nothing but `metadata`. Default: false. */
  readonly metadataOnly?: boolean | undefined;
}

/** Whoever asks for the same gets the same informer. */
export function informerKey(resource: GroupVersionResource, selection: InformerSelection): string {
  const { group, version, resource: plural } = resource;
  const { namespace = '', labelSelector = '', fieldSelector = '', metadataOnly = false } = selection;
  return JSON.stringify([group, version, plural, namespace, String(labelSelector), fieldSelector, metadataOnly]);
}

/** For people: `apps/v1 deployments of app=web in shop`. */
export function informerName(resource: GroupVersionResource, selection: InformerSelection): string {
  const { group, version, resource: plural } = resource;
  const { namespace, labelSelector, fieldSelector, metadataOnly } = selection;
  const kind = `${group === '' ? '' : `${group}/`}${version} ${plural}`;
  const selectors = [labelSelector, fieldSelector].map((each) => String(each ?? '')).filter((each) => each !== '');
  const selected = selectors.length === 0 ? '' : ` of ${selectors.join(', ')}`;
  const where = namespace === undefined ? '' : ` in ${namespace}`;
  return `${metadataOnly === true ? 'metadata of ' : ''}${kind}${selected}${where}`;
}
