import { type CertificatePair, createIssuer } from '@binnacle/client/certificates';
import { systemClock } from '@binnacle/apimachinery/clock';
import type { DynamicClient } from '@binnacle/client/dynamic';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@binnacle/client/kinds/admissionregistration/v1';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { writePrivateFile } from '../files/index.js';
import { applyDefinitions, applyOptions } from './definitions.js';
import { documentsAt } from './manifests.js';
import { localWebhooks } from './local-webhooks.js';

export interface WebhookInstallOptions {
  /** Files, and folders of `.yaml`, `.yml` and `.json` files. Objects of other kinds in them are left out. */
  readonly paths: readonly string[];
  /** The address of the webhook server. Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: a free port. */
  readonly port?: number;
}

/** Where the webhook server is to listen, and its certificate. Upstream: envtest's `WebhookInstallOptions`. */
export interface InstalledWebhooks {
  readonly host: string;
  readonly port: number;
  readonly certificates: {
    /** Holds `tls.crt`, `tls.key` and `ca.crt`. It is removed with the test server. */
    readonly directory: string;
  };
}

/** See `TestServer.installWebhooks`. */
export async function installWebhooks(
  client: DynamicClient,
  directory: string,
  { paths, host = '127.0.0.1', port }: WebhookInstallOptions,
): Promise<InstalledWebhooks> {
  const documents = (await Promise.all(paths.map(documentsAt))).flat();
  const issuer = await createIssuer('binnacle-webhook-ca', systemClock.now());
  await writeCertificates(directory, issuer.issueServing('webhook', ['localhost', host]), issuer.authority);
  const installed = { host, port: port ?? (await freePort(host)), certificates: { directory } };
  const { mutating, validating, definitions } = localWebhooks(documents, {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${installed.port}`,
    caBundle: Buffer.from(issuer.authority.certificate).toString('base64'),
  });
  if (mutating.length + validating.length + definitions.length === 0) {
    throw new Error(`no webhook in ${paths.join(', ')}`);
  }
  await applyDefinitions(client, definitions);
  for (const [kind, objects] of [
    [MutatingWebhookConfiguration, mutating],
    [ValidatingWebhookConfiguration, validating],
  ] as const) {
    for (const object of objects) await client.resource(kind).apply(object as never, applyOptions);
  }
  return installed;
}

async function writeCertificates(
  directory: string,
  { certificate, privateKey }: CertificatePair,
  authority: CertificatePair,
): Promise<void> {
  await writePrivateFile(join(directory, 'tls.key'), privateKey);
  await writePrivateFile(join(directory, 'tls.crt'), certificate);
  await writePrivateFile(join(directory, 'ca.crt'), authority.certificate);
}

/** Another process may take it before the webhook server does, as with envtest. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error(`${host} has no ports`);
  return address.port;
}
