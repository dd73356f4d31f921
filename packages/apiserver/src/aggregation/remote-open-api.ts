import { type Clock } from '@binnacle/apimachinery/clock';
import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';
import { WorkQueue } from '../loops/index.js';
import { encodeOpenApiV2, readRemoteV2, type RemoteOpenApi, type RemoteV2, type RemoteV3 } from '../openapi/index.js';
import type { Handler } from '../request/index.js';
import { type BackendDocument, BackendDocuments, BadDocumentError } from './backend-documents.js';
import type { Backends } from './backends.js';
import { DocumentProblems } from './document-problems.js';
import { DocumentReader } from './document-reader.js';
import { groupsInOrder } from './group-order.js';
import { type BackendReference, pathOf, type RegisteredService } from './registered-service.js';

export interface RemoteOpenApiOptions {
  readonly backends: Pick<Backends, 'address' | 'open'>;
  readonly clock: Clock;
  readonly find: (name: string) => RegisteredService | undefined;
  /** Passes requests on to the backend of an APIService. */
  readonly handler: (service: RegisteredService, backend: BackendReference) => Handler;
  /** Receives why a document of a backend cannot be used. */
  readonly report: (error: unknown) => void;
}

/** What a backend says about one group and version. */
interface KnownDocuments {
  readonly v2: RemoteV2 | undefined;
  /** The URL of the v3 document. */
  readonly v3: string | undefined;
  /** Whether the backend serves v2 only. */
  readonly isLegacy: boolean;
  /** Increases with every change. */
  readonly revision: number;
}

type Found = Partial<Omit<KnownDocuments, 'revision'>>;
type Fetch = (service: RegisteredService, backend: BackendReference) => Promise<Found>;

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
  readonly #v2 = new DocumentReader<RemoteV2>();
  readonly #v3 = new DocumentReader<string | undefined>();
  readonly #known = new Map<string, KnownDocuments>();
  #revision = 0;

  constructor(options: RemoteOpenApiOptions) {
    const { backends, clock } = options;
    this.#options = options;
    this.#documents = new BackendDocuments({ backends, clock, timeoutMs: TIMEOUT_MS, maximumBytes: MAXIMUM_BYTES });
    // A backend may serve the documents of one version only.
    this.#queues = [
      this.#queueOf(async (service, backend) => ({ v2: await this.#fetchV2(service, backend) })),
      this.#queueOf(async (service, backend) => this.#fetchV3(service, backend)),
    ];
  }

  get revision(): number {
    return this.#revision;
  }

  v3(): ReadonlyMap<string, RemoteV3> {
    const documents = new Map<string, RemoteV3>();
    for (const { service, backend, known } of this.#present()) {
      const { v2, v3, isLegacy, revision } = known;
      if (isLegacy && v2 !== undefined) documents.set(keyOf(service), { v2, revision });
      if (v3 === undefined) continue;
      documents.set(keyOf(service), { url: v3, handler: this.#options.handler(service, backend) });
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
    const problems = new DocumentProblems(this.#options.report);
    const queue = new WorkQueue({
      work: async (name) => {
        const service = find(name);
        if (service?.backend === undefined) {
          problems.solved(name);
          this.#forget(name);
          return;
        }
        // Documents that were known before stay while a backend does not answer, like upstream.
        this.#keep(name, await fetch(service, service.backend));
        problems.solved(name);
        queue.addAfter(name, REFRESH_MS);
      },
      report: (error, name) => problems.failed(name, error),
      clock,
      workers: WORKERS,
    });
    return queue;
  }

  #keep(name: string, found: Found): void {
    const before = this.#known.get(name);
    const after = { v2: undefined, v3: undefined, isLegacy: false, ...before, ...found };
    if (before?.v2 === after.v2 && before?.v3 === after.v3 && before?.isLegacy === after.isLegacy) return;
    this.#revision++;
    this.#known.set(name, { ...after, revision: this.#revision });
  }

  #forget(name: string): void {
    this.#v2.forget(name);
    this.#v3.forget(name);
    if (this.#known.delete(name)) this.#revision++;
  }

  async #fetchV3(service: RegisteredService, backend: BackendReference): Promise<Found> {
    const asked = { path: '/openapi/v3', accept: 'application/json', user: USER };
    const document = await this.#documents.fetch(service, backend, asked);
    if (document.status === 404) return { v3: undefined, isLegacy: true };
    requireOk(service, document);
    return { v3: await this.#v3.read(service.name, document, (list) => listedUrl(list, service)), isLegacy: false };
  }

  async #fetchV2(service: RegisteredService, backend: BackendReference): Promise<RemoteV2 | undefined> {
    const asked = { path: '/openapi/v2', accept: 'application/json', user: USER };
    const document = await this.#documents.fetch(service, backend, asked);
    if (document.status === 404) return undefined;
    requireOk(service, document);
    return this.#v2.read(service.name, document, (value) => encodablePart(value, service));
  }
}

function requireOk({ name }: RegisteredService, { path, status }: BackendDocument): void {
  if (status === 200) return;
  const what = `${name}: ${path}: the backend answered ${String(status)}`;
  throw status === 503 ? new Error(what) : new BadDocumentError(what);
}

function* listedUrl(list: JsonValue, service: RegisteredService): Steps<string | undefined> {
  yield;
  const paths = isObject(list) ? getOwn(list, 'paths') : undefined;
  if (!isObject(paths)) throw new Error('the backend sent no list of OpenAPI documents');
  const entry = getOwn(paths, keyOf(service));
  const url = isObject(entry) ? getOwn(entry, 'serverRelativeURL') : undefined;
  return typeof url === 'string' ? url : undefined;
}

function* encodablePart(document: JsonValue, service: RegisteredService): Steps<RemoteV2> {
  const part = yield* readRemoteV2(document, `${pathOf(service)}/`);
  if (part === undefined) throw new Error('the backend sent no OpenAPI v2 document');
  yield* requireEncodable(part);
  return part;
}

/** A part without a protobuf form would take the whole document from clients that read it. */
function* requireEncodable(part: RemoteV2): Steps<void> {
  for (const kind of ['paths', 'definitions', 'parameters'] as const) {
    for (const [name, value] of Object.entries(part[kind])) {
      try {
        encodeOpenApiV2(single(kind, name, value));
      } catch (cause) {
        throw new Error(`its ${kind} cannot be encoded as protobuf: ${name}`, { cause });
      }
      yield;
    }
  }
}

/** A document with nothing but this member. */
function single(kind: keyof Omit<RemoteV2, 'info'>, name: string, value: JsonValue | undefined): JsonObject {
  const empty = { paths: {}, definitions: {}, parameters: {} };
  return { ...empty, [kind]: Object.fromEntries([[name, value]]) };
}

function keyOf(service: RegisteredService): string {
  return pathOf(service).slice(1);
}
