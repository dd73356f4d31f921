import { type Clock } from '@binnacle/apimachinery/clock';
import { getOwn, isObject, parseJson } from '@binnacle/apimachinery/json';
import { WorkQueue } from '../loops/index.js';
import { encodeOpenApiV2, readRemoteV2, type RemoteOpenApi, type RemoteV2, type RemoteV3 } from '../openapi/index.js';
import type { Handler } from '../request/index.js';
import { inSlices } from '../slices/index.js';
import { BackendDocuments } from './backend-documents.js';
import type { Backends } from './backends.js';
import { groupsInOrder } from './group-order.js';
import { type BackendReference, pathOf, type RegisteredService } from './registered-service.js';

export interface RemoteOpenApiOptions {
  readonly backends: Backends;
  readonly clock: Clock;
  readonly find: (name: string) => RegisteredService | undefined;
  /** Passes requests on to the backend of an APIService. */
  readonly handler: (service: RegisteredService, backend: BackendReference) => Handler;
}

/** What a backend says about one group and version. */
interface KnownDocuments {
  readonly v2: RemoteV2 | undefined;
  /** The URL of the v3 document. */
  readonly v3: string | undefined;
}

type Fetch = (service: RegisteredService, backend: BackendReference) => Promise<Partial<KnownDocuments>>;

/** Upstream: kube-aggregator `pkg/controllers/openapiv3`. */
const REFRESH_MS = 60_000;
const TIMEOUT_MS = 60_000;
const MAXIMUM_BYTES = 8 * 1024 * 1024;
const WORKERS = 2;
const USER = { name: 'system:aggregator', uid: '', groups: [], extra: {} };

/**
 * The OpenAPI documents of extension API servers, asked for after each change of an APIService and every minute. Each
 * server describes only the paths of its own groups and versions.
 */
export class RemoteDocuments implements RemoteOpenApi {
  readonly #options: RemoteOpenApiOptions;
  readonly #documents: BackendDocuments;
  readonly #queues: readonly WorkQueue[];
  readonly #known = new Map<string, KnownDocuments>();
  #revision = 0;

  constructor(options: RemoteOpenApiOptions) {
    const { backends, clock } = options;
    this.#options = options;
    this.#documents = new BackendDocuments({ backends, clock, timeoutMs: TIMEOUT_MS, maximumBytes: MAXIMUM_BYTES });
    // A backend may serve the documents of one version only.
    this.#queues = [
      this.#queueOf(async (service, backend) => ({ v2: await this.#fetchV2(service, backend) })),
      this.#queueOf(async (service, backend) => ({ v3: await this.#fetchV3(service, backend) })),
    ];
  }

  get revision(): number {
    return this.#revision;
  }

  v3(): ReadonlyMap<string, RemoteV3> {
    const documents = new Map<string, RemoteV3>();
    for (const { service, backend, known } of this.#present()) {
      if (known.v3 === undefined) continue;
      documents.set(keyOf(service), { url: known.v3, handler: this.#options.handler(service, backend) });
    }
    return documents;
  }

  v2(): readonly RemoteV2[] {
    const present = this.#present().map(({ service, known }) => ({ ...service, known }));
    return groupsInOrder(present, 'service').flatMap(({ versions }) => versions.flatMap(({ known }) => known.v2 ?? []));
  }

  /** An APIService has changed or is gone. */
  changed(name: string): void {
    for (const queue of this.#queues) queue.add(name);
  }

  stop(): void {
    for (const queue of this.#queues) queue.stop();
  }

  #present() {
    return [...this.#known].flatMap(([name, known]) => {
      const service = this.#options.find(name);
      return service?.backend === undefined ? [] : [{ service, backend: service.backend, known }];
    });
  }

  #queueOf(fetch: Fetch): WorkQueue {
    const { find, clock } = this.#options;
    const queue = new WorkQueue({
      work: async (name) => {
        const service = find(name);
        if (service?.backend === undefined) {
          if (this.#known.delete(name)) this.#revision++;
          return;
        }
        // Documents that were known before stay while a backend does not answer, as upstream.
        this.#keep(name, await fetch(service, service.backend));
        queue.addAfter(name, REFRESH_MS);
      },
      // The condition of the APIService tells why a backend does not answer.
      report: () => undefined,
      clock,
      workers: WORKERS,
    });
    return queue;
  }

  #keep(name: string, found: Partial<KnownDocuments>): void {
    const before = this.#known.get(name);
    const after = { v2: undefined, v3: undefined, ...before, ...found };
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    this.#known.set(name, after);
    this.#revision++;
  }

  async #fetchV3(service: RegisteredService, backend: BackendReference): Promise<string | undefined> {
    const asked = { path: '/openapi/v3', accept: 'application/json', user: USER };
    const { status, body } = await this.#documents.fetch(service, backend, asked);
    if (status === 404) return undefined;
    const list = status === 200 ? parseJson(body).value : undefined;
    const paths = isObject(list) ? getOwn(list, 'paths') : undefined;
    if (!isObject(paths)) throw new Error(`${service.name}: the backend sent no list of OpenAPI documents`);
    const entry = getOwn(paths, keyOf(service));
    const url = isObject(entry) ? getOwn(entry, 'serverRelativeURL') : undefined;
    return typeof url === 'string' ? url : undefined;
  }

  async #fetchV2(service: RegisteredService, backend: BackendReference): Promise<RemoteV2 | undefined> {
    const asked = { path: '/openapi/v2', accept: 'application/json', user: USER };
    const { status, body } = await this.#documents.fetch(service, backend, asked);
    if (status !== 200) return undefined;
    const part = await inSlices(readRemoteV2(parseJson(body).value, `${pathOf(service)}/`));
    return part !== undefined && isEncodable(part) ? part : undefined;
  }
}

/** A part without a protobuf form would take the whole document from clients that read it. */
function isEncodable({ paths, definitions, parameters }: RemoteV2): boolean {
  try {
    encodeOpenApiV2({ paths, definitions, parameters });
    return true;
  } catch {
    return false;
  }
}

function keyOf(service: RegisteredService): string {
  return pathOf(service).slice(1);
}
