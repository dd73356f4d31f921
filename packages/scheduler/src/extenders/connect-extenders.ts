import type { Clock } from '@binnacle/apimachinery/clock';
import { clientConfigOf } from '@binnacle/client/kubeconfig';
import { connect, type Transport } from '@binnacle/client/transport';
import type { Extender } from '../framework/index.js';
import { type ExtenderConfiguration, inOrder } from './extender-configuration.js';
import { httpExtender } from './http-extender.js';

export interface Extenders extends AsyncDisposable {
  /** In the order in which they are asked. */
  readonly all: readonly Extender[];
}

/** Reads the files of the extenders, and connects at the first question. Rejects if a file is missing. */
export async function connectExtenders(
  configurations: readonly ExtenderConfiguration[],
  clock: Clock,
): Promise<Extenders> {
  const transports: Transport[] = [];
  const all: Extender[] = [];
  for (const each of inOrder(configurations)) {
    const transport = connect(await configOf(each, clock), { clock });
    transports.push(transport);
    all.push(httpExtender(each, transport));
  }
  return {
    all,
    [Symbol.asyncDispose]: async () => void (await Promise.all(transports.map(async (each) => each.close()))),
  };
}

/** The configuration of a client, read like a cluster of a kubeconfig. Its certificate files may change. */
function configOf({ urlPrefix, tls }: ExtenderConfiguration, clock: Clock): ReturnType<typeof clientConfigOf> {
  const { insecure, serverName, caFile, certFile, keyFile, ca, cert, key } = tls;
  const name = 'extender';
  const cluster = {
    server: urlPrefix,
    insecureSkipTlsVerify: insecure,
    tlsServerName: serverName,
    certificateAuthority: caFile,
    certificateAuthorityData: ca,
    proxyUrl: undefined,
    disableCompression: false,
    execConfig: undefined,
  };
  const user = {
    clientCertificate: certFile,
    clientKey: keyFile,
    clientCertificateData: cert,
    clientKeyData: key,
    token: undefined,
    tokenFile: undefined,
    username: undefined,
    password: undefined,
    impersonate: undefined,
    exec: undefined,
    authProvider: undefined,
  };
  const kubeconfig = {
    origins: [`the extender ${urlPrefix}`],
    currentContext: name,
    clusters: new Map([[name, cluster]]),
    users: new Map([[name, user]]),
    contexts: new Map([[name, { cluster: name, user: name, namespace: undefined }]]),
  };
  return clientConfigOf(kubeconfig, {}, { clock });
}
