import type { Indexer } from '@binnacle/client/cache';
import type { ReconcileRequest } from '@binnacle/client/controller';
import type { Pod, Service } from '@binnacle/client/kinds/core/v1';
import type { TypedObject } from '@binnacle/client/typed';
import { hasLabels } from '../common/index.js';

const BY_LABEL = 'endpoints-label';
const BY_SELECTOR = 'endpoints-selector';

type Labels = { readonly [key: string]: string };

/** For `reads` of a controller: pods by each of their labels. */
export const podIndexes = { [BY_LABEL]: ({ metadata }: Pod) => labelKeys(metadata, metadata.labels) };

/** For `reads` of a controller: services by the first label of their selector, which every pod that they select has. */
export const serviceIndexes = {
  [BY_SELECTOR]: ({ metadata, spec }: Service) => labelKeys(metadata, spec?.selector).slice(0, 1),
};

/** The pods that the service selects. Looks at those that have the rarest label of the selector. */
export function podsOf(pods: Indexer<Pod>, { metadata, spec }: Service): Pod[] {
  const { selector } = spec ?? {};
  const found = labelKeys(metadata, selector).map((key) => pods.byIndex(BY_LABEL, key));
  const fewest = found.reduce<Pod[] | undefined>(
    (least, each) => (least === undefined || each.length < least.length ? each : least),
    undefined,
  );
  return (fewest ?? []).filter((pod) => hasLabels(pod.metadata.labels, selector));
}

/** The services that select the pod. */
export function servicesOf(services: Indexer<Service>, { metadata }: Pod): ReconcileRequest[] {
  return labelKeys(metadata, metadata.labels)
    .flatMap((key) => services.byIndex(BY_SELECTOR, key))
    .filter(({ spec }) => hasLabels(metadata.labels, spec?.selector))
    .map(({ metadata: { namespace, name = '' } }) => ({ namespace, name }));
}

function labelKeys({ namespace = '' }: TypedObject['metadata'], labels: Labels | undefined): string[] {
  return Object.entries(labels ?? {}).map(([key, value]) => `${namespace}/${key}=${value}`);
}
