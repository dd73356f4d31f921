import { Quantity } from '@binnacle/apimachinery/quantity';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { sidecarsOf } from '../common/index.js';
import { MetricsError } from './replica-calculator.js';

type Requests = Readonly<Record<string, string>> | undefined;

/** What each pod, or its container of this name, requests of a resource, in thousandths. Upstream: `calculateRequests`. */
export function requestsOf(pods: readonly Pod[], resource: string, container: string | undefined): Map<string, bigint> {
  return new Map(pods.map((pod) => [pod.metadata.name ?? '', requestOf(pod, resource, container)]));
}

function requestOf(pod: Pod, resource: string, container: string | undefined): bigint {
  const { name = '' } = pod.metadata;
  const { containers = [], resources } = pod.spec ?? {};
  const ofPod: Requests = resources?.requests;
  if (container === undefined && Object.keys(ofPod ?? {}).length > 0 && isPodLevel(resource)) {
    const request = amountOf(ofPod, resource);
    if (request !== undefined) return request;
  }
  const running = [...containers, ...sidecarsOf(pod)];
  const wanted = container === undefined ? running : running.filter((each) => each.name === container).slice(0, 1);
  if (container !== undefined && wanted.length === 0) {
    throw new MetricsError(`container ${container} not found in Pod ${name}`);
  }
  return wanted.reduce((sum, each) => sum + requestOfContainer(each, resource, name), 0n);
}

function requestOfContainer({ name, resources }: Container, resource: string, pod: string): bigint {
  const request = amountOf(resources?.requests, resource);
  if (request === undefined)
    throw new MetricsError(`missing request for ${resource} in container ${name} of Pod ${pod}`);
  return request;
}

function amountOf(requests: Requests, resource: string): bigint | undefined {
  const text = requests !== undefined && Object.hasOwn(requests, resource) ? requests[resource] : undefined;
  return text === undefined ? undefined : Quantity.parse(text).milliValue();
}

function isPodLevel(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || resource.startsWith('hugepages-');
}
