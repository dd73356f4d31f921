import type { DynamicClient } from '@binnacle/client/dynamic';
import { APIService } from '@binnacle/client/kinds/apiregistration/v1';
import { Service } from '@binnacle/client/kinds/core/v1';
import { isAlreadyExists, isNotFound } from '@binnacle/client/rest';
import { GROUP, VERSION } from './metrics-target.js';
import type { MetricsServer } from './serve-metrics.js';

const NAMESPACE = 'kube-system';
const NAME = 'binnacle-metrics';
const API_SERVICE = `${VERSION}.${GROUP}`;
/** Marks what this program has created. */
const LABELS = { 'binnacle.dev/simulated': 'true' };

/** The DNS name by which API servers call the Service. */
export const METRICS_HOST = `${NAME}.${NAMESPACE}.svc`;

/** Where the API is served. */
export interface MetricsPlace extends Pick<MetricsServer, 'port' | 'authority'> {
  readonly address: string;
}

/** Leads the API to this process. False: another server has it. */
export async function registerMetrics(
  client: DynamicClient,
  place: MetricsPlace,
  signal: AbortSignal,
): Promise<boolean> {
  const known = await client.resource(APIService).get(API_SERVICE, { signal }).catch(undefinedIfMissing);
  if (known !== undefined && !isOurs(known)) return false;
  const services = client.resource(Service).namespace(NAMESPACE);
  await replace(services, serviceFor(place), signal);
  await replace(client.resource(APIService), apiServiceFor(place), signal);
  return true;
}

/** Removes what {@link registerMetrics} has created. */
export async function unregisterMetrics(client: DynamicClient, signal: AbortSignal): Promise<void> {
  const apiServices = client.resource(APIService);
  const known = await apiServices.get(API_SERVICE, { signal }).catch(undefinedIfMissing);
  if (known === undefined || !isOurs(known)) return;
  const { uid = '' } = known.metadata;
  await apiServices.delete(API_SERVICE, { preconditions: { uid }, signal }).catch(undefinedIfMissing);
  await client.resource(Service).namespace(NAMESPACE).delete(NAME, { signal }).catch(undefinedIfMissing);
}

function isOurs({ metadata, spec }: APIService): boolean {
  return metadata.labels?.['binnacle.dev/simulated'] === 'true' && spec?.service?.name === NAME;
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

interface Replaceable<T> {
  create(object: T, options: { readonly signal: AbortSignal }): Promise<unknown>;
  patch(
    name: string,
    patch: { readonly type: 'merge'; readonly body: { readonly spec?: object } },
    options: { readonly signal: AbortSignal },
  ): Promise<unknown>;
}

/** An object of an earlier run gets the spec of this one. */
async function replace<T extends { readonly metadata: { readonly name?: string }; readonly spec?: object }>(
  resource: Replaceable<T>,
  object: T,
  signal: AbortSignal,
): Promise<void> {
  try {
    await resource.create(object, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { spec = {} } = object;
    await resource.patch(object.metadata.name ?? '', { type: 'merge', body: { spec } }, { signal });
  }
}

function serviceFor({ address }: MetricsPlace): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: NAME, namespace: NAMESPACE, labels: LABELS },
    spec: { type: 'ExternalName', externalName: address },
  };
}

function apiServiceFor({ port, authority }: MetricsPlace): APIService {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: API_SERVICE, labels: LABELS },
    spec: {
      group: GROUP,
      version: VERSION,
      service: { name: NAME, namespace: NAMESPACE, port },
      caBundle: Buffer.from(authority).toString('base64'),
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  };
}
