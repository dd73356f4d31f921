import type { GroupVersionResource } from '@binnacle/apimachinery/meta';
import type { SelectOptions } from '../rest/index.js';

/** The objects of a resource that an informer holds. */
export interface InformerSelection extends SelectOptions {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** Hold only `metadata`. Default: false. */
  readonly metadataOnly?: boolean | undefined;
}

/** Equal for selections that share an informer. */
export function informerKey(resource: GroupVersionResource, selection: InformerSelection): string {
  const { group, version, resource: plural } = resource;
  const { namespace = '', labelSelector = '', fieldSelector = '', metadataOnly = false } = selection;
  return JSON.stringify([group, version, plural, namespace, String(labelSelector), fieldSelector, metadataOnly]);
}

/** For messages: `apps/v1 deployments of app=web in shop`. */
export function informerName(resource: GroupVersionResource, selection: InformerSelection): string {
  const { group, version, resource: plural } = resource;
  const { namespace, labelSelector, fieldSelector, metadataOnly } = selection;
  const kind = `${group === '' ? '' : `${group}/`}${version} ${plural}`;
  const selectors = [labelSelector, fieldSelector].map((each) => String(each ?? '')).filter((each) => each !== '');
  const selected = selectors.length === 0 ? '' : ` of ${selectors.join(', ')}`;
  const where = namespace === undefined ? '' : ` in ${namespace}`;
  return `${metadataOnly === true ? 'metadata of ' : ''}${kind}${selected}${where}`;
}

/** Some informers have not synced. */
export class NotSyncedError extends Error {
  override readonly name = 'NotSyncedError';
  /** Their names. */
  readonly informers: readonly string[];

  /** `reason` is why the wait ended. */
  constructor(informers: readonly { readonly name: string; readonly failure: unknown }[], reason: unknown) {
    super(`not synced: ${informers.map(describe).join('; ')}`, { cause: reason });
    this.informers = informers.map(({ name }) => name);
  }
}

function describe({ name, failure }: { readonly name: string; readonly failure: unknown }): string {
  return failure instanceof Error ? `${name} (${failure.message})` : name;
}
