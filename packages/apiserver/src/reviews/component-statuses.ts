import { messageOf } from '@binnacle/apimachinery/errors';
import {
  defaultFieldLabels,
  FieldSelectorError,
  parseFieldSelector,
  validateFieldLabels,
} from '@binnacle/apimachinery/fields';
import { LabelSelectorError, parseLabelSelector } from '@binnacle/apimachinery/labels';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { badRequest, notFound } from '@binnacle/apimachinery/status';
import { negotiateRepresentation } from '../answers/index.js';
import type { KindCodec } from '../codec/index.js';
import type { RequestContext } from '../request/index.js';
import { respondAll, respondOne } from './answer.js';

export interface ComponentHealth {
  readonly name: string;
  readonly healthy: boolean;
  readonly message: string;
}

/** Probes all components. */
export type ComponentProbe = () => Promise<readonly ComponentHealth[]>;

/**
 * The answer of upstream's server when no controller manager or scheduler listens on its usual port. The store's own
 * status is real: `probeStore` rejects when the store is unreachable.
 * Upstream: kubernetes `pkg/registry/core/rest`.
 */
export function standaloneServerComponents(probeStore: () => Promise<unknown>): ComponentProbe {
  return async () => [
    unreachable('controller-manager', 10257),
    unreachable('scheduler', 10259),
    await probeStore().then(
      () => ({ name: 'etcd-0', healthy: true, message: 'ok' }),
      (error: unknown) => ({
        name: 'etcd-0',
        healthy: false,
        message: messageOf(error),
      }),
    ),
  ];
}

/**
 * Serves get and list of component statuses. `probe` runs once per request; `now` returns milliseconds since the epoch.
 * Rejects with 400 for an invalid selector, and with 404 for an unknown component.
 */
export function componentStatusHandler(codec: KindCodec, probe: ComponentProbe, now: () => number) {
  return async (context: RequestContext): Promise<void> => {
    const representation = negotiateRepresentation(context, codec);
    const selects = selectorOf(context.query);
    const components = await probe();
    const options = { codec, representation, status: 200, now: now() };
    if (context.info.verb === 'list') {
      return respondAll(context, components.filter(({ name }) => selects(name)).map(statusObject), options);
    }
    const component = components.find(({ name }) => name === context.info.name);
    if (component === undefined) throw notFound({ group: '', resource: 'componentstatus' }, context.info.name);
    return respondOne(context, statusObject(component), options);
  };
}

function unreachable(name: string, port: number): ComponentHealth {
  const message = `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`;
  return { name, healthy: false, message };
}

function statusObject({ name, healthy, message }: ComponentHealth): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ComponentStatus',
    metadata: { name },
    conditions: [{ type: 'Healthy', status: healthy ? 'True' : 'False', message }],
  };
}

/** Component statuses have no labels, and `metadata.name` is their only selectable field. */
function selectorOf(query: URLSearchParams): (name: string) => boolean {
  try {
    const labels = parseLabelSelector(query.get('labelSelector') ?? '');
    const fields = validateFieldLabels(parseFieldSelector(query.get('fieldSelector') ?? ''), defaultFieldLabels);
    return (name) => labels.matches({}) && fields.matches({ 'metadata.name': name });
  } catch (error) {
    if (error instanceof LabelSelectorError || error instanceof FieldSelectorError) throw badRequest(error.message);
    throw error;
  }
}
