import type { Clock } from '@binnacle/apimachinery/clock';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { ConfigMap, type Pod, Secret, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { isNotFound } from '@binnacle/client/rest';
import type { Source } from '../pods/index.js';
import { sourcesOf, type TokenWish, tokensOf, type VolumeContents } from './volume-files.js';

/** The clients that read the objects and tokens of a pod. */
export interface Clients {
  /** Reads ConfigMaps, Secrets and Services. */
  readonly reader: DynamicClient;
  /** Acts as the node of the pod. */
  readonly node: DynamicClient;
}

interface KnownToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly renewAt: number;
}

/** A token is renewed after this share of its life. Upstream: kubelet `token.Manager`. */
const RENEW_AT = 0.8;

/** Reads the objects and tokens of the volumes and variables of one pod. Tokens are kept until they must be renewed. */
export class PodContents {
  readonly #clock: Clock;
  readonly #tokens = new Map<string, KnownToken>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads all that the volumes of a pod need, each once. */
  async forVolumes(pod: Pod, clients: Clients, signal: AbortSignal): Promise<VolumeContents> {
    const volumes = pod.spec?.volumes ?? [];
    const bytes = await this.read(pod, volumes.flatMap(sourcesOf), clients, signal);
    for (const volume of volumes) {
      for (const wish of tokensOf(volume)) await this.#renew(pod, keyOf(volume.name, wish), wish, clients, signal);
    }
    return {
      bytesOf: ({ kind, name }) => bytes.get(`${kind}/${name}`),
      tokenOf: (volume, wish) => this.#tokens.get(keyOf(volume, wish))?.token ?? '',
    };
  }

  /** The values of objects, by `KIND/NAME`. Those that do not exist are left out. */
  async read(
    { metadata: { namespace = '' } }: Pod,
    sources: readonly Source[],
    { reader }: Pick<Clients, 'reader'>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, Buffer>>> {
    const found = new Map<string, ReadonlyMap<string, Buffer>>();
    for (const { kind, name } of sources) {
      if (found.has(`${kind}/${name}`)) continue;
      try {
        const bytes =
          kind === 'Secret'
            ? bytesIn(await reader.resource(Secret).namespace(namespace).get(name, { signal }))
            : bytesIn(await reader.resource(ConfigMap).namespace(namespace).get(name, { signal }), 'utf8');
        found.set(`${kind}/${name}`, bytes);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    return found;
  }

  async #renew(pod: Pod, key: string, wish: TokenWish, { node }: Clients, signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    if ((this.#tokens.get(key)?.renewAt ?? 0) > now) return;
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    const { audience, expirationSeconds } = wish;
    const spec = {
      audiences: audience === undefined ? [] : [audience],
      expirationSeconds,
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
    };
    const accounts = node.resource(ServiceAccount).namespace(namespace);
    const { status } = await accounts.token.create(pod.spec?.serviceAccountName ?? 'default', { spec }, { signal });
    const end = status?.expirationTimestamp === undefined ? now : Date.parse(status.expirationTimestamp);
    this.#tokens.set(key, { token: status?.token ?? '', renewAt: now + (end - now) * RENEW_AT });
  }
}

const keyOf = (volume: string, { path }: TokenWish): string => `${volume}/${path}`;

/** The `data` of a Secret is base64, that of a ConfigMap text; `binaryData` is always base64. */
function bytesIn(
  object: { readonly data?: Readonly<Record<string, string>>; readonly binaryData?: Readonly<Record<string, string>> },
  encoding: 'base64' | 'utf8' = 'base64',
): ReadonlyMap<string, Buffer> {
  return new Map([
    ...Object.entries(object.data ?? {}).map(([key, text]) => [key, Buffer.from(text, encoding)] as const),
    ...Object.entries(object.binaryData ?? {}).map(([key, text]) => [key, Buffer.from(text, 'base64')] as const),
  ]);
}
