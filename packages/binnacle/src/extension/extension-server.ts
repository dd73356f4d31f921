import type { JsonObject } from '@binnacle/apimachinery/json';
import type { CustomResourceDefinition } from '@binnacle/client/kinds/apiextensions/v1';
import { delegateTo, readClusterTrust } from '@binnacle/client/delegation';
import { exchange } from '@binnacle/client/rest';
import type { ClientConfig } from '@binnacle/client/kubeconfig';
import { connect, type Transport } from '@binnacle/client/transport';
import { assemble, defaultParts, makeCredentials, type Parts, type RunningBinnacle } from '../embed/index.js';

/** Names, scope, and for each version a schema, columns and subresources. */
export type ExtensionDefinition = Pick<CustomResourceDefinition, 'metadata' | 'spec'>;

export interface ExtensionServerOptions {
  /** The cluster that serves the API to clients. It knows who they are and what they may do. */
  readonly cluster: ClientConfig;
  /** The kinds of this server. */
  readonly definitions: readonly ExtensionDefinition[];
  /** The Service by which the cluster reaches this server. */
  readonly service: { readonly name: string; readonly namespace: string };
  /** Default 127.0.0.1. */
  readonly bindAddress?: string | undefined;
  /** Default 0: any free port. */
  readonly securePort?: number | undefined;
  /** Where objects and certificates are kept. Default: in memory. */
  readonly dataDirectory?: string | undefined;
}

export interface ExtensionServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** PEM, for the `caBundle` of APIServices. */
  readonly certificateAuthority: string;
  /**
   * Creates or updates the Service, as an external name for this machine, and the APIServices in the cluster. In a cluster
   * with pods, deploy a Service with a selector and the APIServices instead.
   */
  register(externalName?: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts an extension API server: storage, watches, validation, discovery and OpenAPI for some kinds, behind the
 * APIServices of a cluster. Resolves when it is ready.
 */
export async function startExtensionServer(options: ExtensionServerOptions): Promise<ExtensionServer> {
  const cluster = connect(options.cluster);
  try {
    const server = await assemble(startOptionsOf(options), await partsFor(cluster, options));
    try {
      await define(server, options.definitions);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return running(server, cluster, options);
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

function startOptionsOf({ bindAddress, securePort, dataDirectory }: ExtensionServerOptions) {
  return {
    bindAddress,
    securePort,
    ...(dataDirectory === undefined ? { inMemory: true } : { dataDirectory }),
    controllers: '',
    runtimeConfig: 'api/all=false,apiextensions.k8s.io/v1=true',
    // The namespaces are those of the cluster.
    disableAdmissionPlugins: 'NamespaceLifecycle',
  };
}

/** The parts of a server that trusts the cluster and asks it. */
async function partsFor(cluster: Transport, { service }: ExtensionServerOptions): Promise<Parts> {
  const { clock } = defaultParts;
  const { clientAuthority, frontProxies } = await readClusterTrust(cluster);
  const delegation = delegateTo(cluster, clock);
  return {
    ...defaultParts,
    credentials: (sources) =>
      makeCredentials({ ...sources, hosts: [...sources.hosts, `${service.name}.${service.namespace}.svc`] }),
    startServer: ({ tls, ...given }) => {
      const clientCertificateAuthorities = [...tls.clientCertificateAuthorities, clientAuthority ?? ''];
      const trusting = { ...tls, clientCertificateAuthorities };
      return defaultParts.startServer({ ...given, tls: trusting, frontProxies, proxyClient: undefined, delegation });
    },
  };
}

const JSON_HEADERS = { 'content-type': 'application/apply-patch+yaml', accept: 'application/json' };

async function apply(to: Transport, path: string, object: JsonObject): Promise<void> {
  const request = { method: 'PATCH', path: `${path}?fieldManager=extension-server&force=true`, headers: JSON_HEADERS };
  await exchange(to, { ...request, body: JSON.stringify(object) });
}

/** Stores the definitions in the server itself. */
async function define({ clientConfig }: RunningBinnacle, definitions: readonly ExtensionDefinition[]): Promise<void> {
  const { server, certificateAuthority, token } = clientConfig;
  const self = connect({ server, certificateAuthority, token });
  try {
    for (const { metadata, spec } of definitions) {
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name ?? ''}`;
      await apply(self, path, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: metadata.name ?? '' },
        spec: JSON.parse(JSON.stringify(spec)) as JsonObject,
      });
    }
  } finally {
    await self.close();
  }
}

function running(server: RunningBinnacle, cluster: Transport, options: ExtensionServerOptions): ExtensionServer {
  const { certificateAuthority } = server.clientConfig;
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= stopBoth(server, cluster);
    return stopped;
  };
  return {
    url: server.url,
    port: server.port,
    certificateAuthority,
    register: (externalName = '127.0.0.1') => register(cluster, server, options, externalName),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function stopBoth(server: RunningBinnacle, cluster: Transport): Promise<void> {
  try {
    await server.stop();
  } finally {
    await cluster.close();
  }
}

async function register(
  cluster: Transport,
  { port, clientConfig }: RunningBinnacle,
  { service, definitions }: ExtensionServerOptions,
  externalName: string,
): Promise<void> {
  const { name, namespace } = service;
  await apply(cluster, `/api/v1/namespaces/${namespace}/services/${name}`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { type: 'ExternalName', externalName },
  });
  const caBundle = Buffer.from(clientConfig.certificateAuthority).toString('base64');
  for (const { spec } of definitions) {
    for (const { name: version } of (spec.versions ?? []).filter(({ served }) => served)) {
      const apiService = `${version}.${spec.group}`;
      await apply(cluster, `/apis/apiregistration.k8s.io/v1/apiservices/${apiService}`, {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: apiService },
        spec: {
          group: spec.group,
          version,
          service: { name, namespace, port },
          caBundle,
          groupPriorityMinimum: 1000,
          versionPriority: 15,
        },
      });
    }
  }
}
