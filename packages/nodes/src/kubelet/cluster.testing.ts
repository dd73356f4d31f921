import { type Clock, systemClock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { type CertificatePair, createIssuer } from '@binnacle/client/certificates';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { transportOver } from '@binnacle/client/transport';
import { type Kubelets, serveKubelets } from './index.js';

/** Kubelets of some nodes, with a cluster that knows `admin` and the token `good`, and lets only `admin` do something. */
export class KubeletTrial implements AsyncDisposable {
  readonly pods: Pod[] = [];
  readonly reports: string[] = [];
  /** The rights that the cluster was asked about. */
  readonly asked: JsonObject[] = [];
  readonly admin: CertificatePair;
  readonly other: CertificatePair;
  readonly #kubelets: Kubelets;

  private constructor(
    kubelets: Kubelets,
    { admin, other }: Readonly<Record<'admin' | 'other', CertificatePair>>,
    shared: Pick<KubeletTrial, 'pods' | 'reports' | 'asked'>,
  ) {
    this.#kubelets = kubelets;
    this.admin = admin;
    this.other = other;
    Object.assign(this, shared);
  }

  static async start(nodes: readonly string[], clock: Clock = systemClock): Promise<KubeletTrial> {
    const issuer = await createIssuer('cluster', Date.now());
    const stranger = await createIssuer('stranger', Date.now());
    const shared = { pods: [] as Pod[], reports: [] as string[], asked: [] as JsonObject[] };
    const cluster = clusterWith(issuer.authority.certificate, shared.asked, clock);
    const kubelets = await serveKubelets({
      nodes,
      address: '127.0.0.1',
      cluster,
      pods: {
        find: (namespace, name) =>
          shared.pods.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
        ofNode: (node) => shared.pods.filter(({ spec }) => spec?.nodeName === node),
      },
      clock,
      report: (error) => shared.reports.push(String(error)),
    });
    const admin = issuer.issueClient({ commonName: 'admin', organization: 'system:masters' });
    const other = stranger.issueClient({ commonName: 'admin', organization: 'system:masters' });
    return new KubeletTrial(kubelets, { admin, other }, shared);
  }

  portOf(node: string): number {
    return this.#kubelets.portOf(node) ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kubelets.close();
  }
}

function clusterWith(authority: string, asked: JsonObject[], clock: Clock) {
  const answer = (path: string, body: string): JsonObject => {
    if (path.includes('/configmaps/')) return { data: { 'client-ca-file': authority } };
    const { spec = {} } = JSON.parse(body) as { spec?: JsonObject };
    if (path.endsWith('/tokenreviews')) {
      return { status: { authenticated: spec['token'] === 'good', user: { username: 'reader' } } };
    }
    asked.push(spec);
    return { status: { allowed: spec['user'] === 'admin', reason: '' } };
  };
  return transportOver(
    async ({ path, body = '' }) => {
      const text = JSON.stringify(answer(path, String(body)));
      const headers = { 'content-type': 'application/json' };
      return { status: 200, headers, body: pieces(text), cancel: () => undefined };
    },
    { clock },
  );
}

async function* pieces(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
