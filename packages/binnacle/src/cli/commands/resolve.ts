import { DynamicClient } from '@binnacle/client/dynamic';
import { Service } from '@binnacle/client/kinds/core/v1';
import { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { loadConfig } from '@binnacle/client/kubeconfig';
import { connect } from '@binnacle/client/transport';
import { readyEndpoints, textOfEndpoints } from './ready-endpoints.js';
import type { ResolveRequest } from '../arguments/resolve-request.js';
import { printFailure } from './print-message.js';

/** `binnacle resolve`: resolves with the exit code, which is 1 if no endpoint is ready. */
export async function resolve({
  service: name,
  port,
  namespace: given,
  kubeconfig,
  output,
}: ResolveRequest): Promise<number> {
  try {
    const config = await loadConfig(kubeconfig === undefined ? {} : { path: kubeconfig });
    await using transport = connect(config, { userAgent: 'binnacle/resolve' });
    const client = new DynamicClient(transport);
    const namespace = given ?? config.namespace ?? 'default';
    const service = await client.resource(Service).namespace(namespace).get(name);
    const labelSelector = `kubernetes.io/service-name=${name}`;
    const slices = await client.resource(EndpointSlice).namespace(namespace).list({ labelSelector });
    const endpoints = readyEndpoints(service, slices.items, port);
    if (endpoints.length === 0) throw new Error(`service ${name} has no ready endpoints`);
    process.stdout.write(textOfEndpoints(endpoints, output));
    return 0;
  } catch (error) {
    printFailure(error);
    return 1;
  }
}
