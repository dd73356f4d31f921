import { X509Certificate } from 'node:crypto';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { Aggregator, Backends } from '../../aggregation/index.js';
import { aggregationMetrics } from '../../metrics/index.js';
import { ENDPOINT_SLICES, SERVICES } from '../../registry/index.js';
import type { RequestContext } from '../../request/index.js';
import { servedSource } from '../../discovery/index.js';
import { clusterServices } from '../../webhooks/index.js';
import type { ServerConfig } from '../config.js';
import type { ResourceApi } from '../resource-api.js';

/** The aggregation layer; undefined when APIServices are not served. */
export function createServerAggregator(
  config: ServerConfig,
  api: ResourceApi,
  registry: MetricRegistry,
): Aggregator | undefined {
  const { catalog, stores, extensions } = api;
  const { clock, random, egress, aggregatorRouting, served, proxyClient, userHeaders, report } = config;
  const endpoint = catalog.find('apiregistration.k8s.io', 'apiservices');
  if (endpoint === undefined) return undefined;
  const resolve = clusterServices({
    services: stores.reader(SERVICES),
    endpointSlices: stores.reader(ENDPOINT_SLICES),
    random,
    toEndpoints: aggregatorRouting,
  });
  const becameUnavailable = aggregationMetrics(registry, () => aggregator.services());
  const aggregator = new Aggregator({
    becameUnavailable,
    endpoint,
    stores,
    builtIn: servedSource(served),
    custom: extensions,
    backends: new Backends({ resolve, egress, identity: proxyClient }),
    clock,
    userHeaders,
    isProxied: carries(proxyClient?.certificate),
    report: (error) => report(error, 'aggregation'),
  });
  return aggregator;
}

/** Whether a request comes with this certificate: from this server, or from one with its identity. */
function carries(certificate: string | undefined): (context: RequestContext) => boolean {
  if (certificate === undefined) return () => false;
  const own = new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase();
  return ({ exchange }) => exchange.proxyCertificate?.sha256 === own;
}
