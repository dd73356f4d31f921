import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';
import { inSlices } from '../slices/index.js';
import { type Descriptions, loadDescriptions } from './descriptions.js';
import { DocumentCache, type MadeDocument, type Revision, type StoredDocument } from './document-cache.js';
import { encodeOpenApiV2InSteps } from './gnostic/gnostic-v2.js';
import { encodeOpenApiV3InSteps } from './gnostic/gnostic-v3.js';
import { jsonDocument } from './json-document.js';
import type { PathOperations } from './operations.js';
import { documentsOf } from './paths.js';
import { mergeV2 } from './merge-v2.js';
import type { RemoteOpenApi, RemoteV3 } from './remote.js';
import type { OpenApiSource } from './source.js';
import { openApiV2 } from './v2.js';
import { openApiV3FromV2 } from './v3-from-v2.js';
import { customDocument, openApiV3, ownDocument } from './v3.js';

type Form = 'json' | 'protobuf';

/** How a v3 document is made. */
interface PlannedDocument {
  readonly name: string;
  /** The document is unchanged as long as this is. */
  readonly revision: Revision;
  readonly make: () => Steps<JsonObject>;
}

/** The documents of a source. They are made on demand, in slices, and kept until the source changes. */
export class OpenApiDocuments {
  readonly #source: OpenApiSource;
  readonly #version: string;
  readonly #remote: RemoteOpenApi | undefined;
  readonly #jsons = new DocumentCache();
  /** Their ETag is the hash of the JSON, so their answers have `Vary: Accept`. */
  readonly #protobufs = new DocumentCache();
  #descriptions: Descriptions | undefined;

  /** `version`: the server's version in the documents. `remote`: documents of other servers. */
  constructor(source: OpenApiSource, version: string, remote?: RemoteOpenApi) {
    this.#source = source;
    this.#version = version;
    this.#remote = remote;
  }

  v2(form: Form): Promise<StoredDocument> {
    const from = this.#snapshot();
    return form === 'json' ? this.#v2Json(from) : this.#v2Protobuf(from);
  }

  /** The document of one group and version; undefined if it is not served. */
  async v3(name: string, form: Form): Promise<StoredDocument | undefined> {
    const plan = this.#planV3(name);
    if (plan === undefined) return undefined;
    return form === 'json' ? this.#v3Json(plan) : this.#v3Protobuf(plan);
  }

  /** The list of all v3 documents, with their hashes. */
  v3Index(): Promise<StoredDocument> {
    return this.#jsons.get('v3', this.#source.revision + this.#remoteRevision, async () => {
      const paths: JsonObject = {};
      const remote = this.#remote?.v3() ?? new Map<string, RemoteV3>();
      const names = new Set([...remote.keys(), ...documentsOf(this.#source).keys()]);
      const isServed = (key: string): boolean => !key.startsWith('v3/') || names.has(key.slice('v3/'.length));
      this.#jsons.retain(isServed);
      this.#protobufs.retain(isServed);
      for (const name of names) {
        const served = remote.get(name);
        if (served !== undefined && 'url' in served) {
          paths[name] = { serverRelativeURL: served.url };
          continue;
        }
        // A new snapshot for each document, because other requests run between them.
        const document = await this.v3(name, 'json');
        if (document === undefined) continue;
        paths[name] = { serverRelativeURL: relativeUrl(name, document.hash) };
        await setImmediate();
      }
      return inSlices(
        jsonDocument({ paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))) }),
      );
    });
  }

  /** Definitions change while a document is made in slices. */
  #snapshot(): OpenApiSource {
    return this.#source.snapshot?.() ?? this.#source;
  }

  #describe(): Descriptions {
    this.#descriptions ??= loadDescriptions();
    return this.#descriptions;
  }

  #makeV2(from: OpenApiSource): Steps<JsonObject> {
    return openApiV2(pathsOf(from), from, this.#describe(), this.#version);
  }

  get #remoteRevision(): number {
    return this.#remote?.revision ?? 0;
  }

  *#mergedV2(from: OpenApiSource): Steps<JsonObject> {
    const own = yield* this.#makeV2(from);
    const parts = this.#remote?.v2() ?? [];
    return parts.length === 0 ? own : yield* mergeV2(own, parts);
  }

  #v2Json(from: OpenApiSource): Promise<StoredDocument> {
    const revision = from.revision + this.#remoteRevision;
    return this.#jsons.get('v2', revision, async () => inSlices(madeOf(this.#mergedV2(from))));
  }

  #v2Protobuf(from: OpenApiSource): Promise<StoredDocument> {
    return this.#protobufs.get('v2', from.revision + this.#remoteRevision, async () => {
      const document = await inSlices(this.#mergedV2(from));
      const { hash } = await inSlices(jsonDocument(document));
      return { bytes: await inSlices(encodeOpenApiV2InSteps(document)), hash };
    });
  }

  #planV3(name: string): PlannedDocument | undefined {
    const remote = this.#remote?.v3().get(name);
    if (remote !== undefined && 'v2' in remote) {
      return { name, revision: `remote ${String(remote.revision)}`, make: () => openApiV3FromV2(remote.v2) };
    }
    const from = this.#snapshot();
    const facts = documentsOf(from).get(name);
    if (facts === undefined) return undefined;
    const about = facts.custom ? customDocument : ownDocument(this.#version);
    return { name, revision: facts.revision, make: () => openApiV3(facts.paths(), from, this.#describe(), about) };
  }

  #v3Json({ name, revision, make }: PlannedDocument): Promise<StoredDocument> {
    return this.#jsons.get(`v3/${name}`, revision, async () => inSlices(madeOf(make())));
  }

  #v3Protobuf(plan: PlannedDocument): Promise<StoredDocument> {
    return this.#protobufs.get(`v3/${plan.name}`, plan.revision, async () => {
      const document = await inSlices(plan.make());
      const { hash } = await inSlices(jsonDocument(document));
      return { bytes: await inSlices(encodeOpenApiV3InSteps(document)), hash };
    });
  }
}

/** The path of one version of a v3 document. */
export function relativeUrl(name: string, hash: string): string {
  return `/openapi/v3/${name}?hash=${hash}`;
}

/** One group at a time, on demand: all at once would block the event loop. */
function* pathsOf(source: OpenApiSource): Generator<PathOperations> {
  for (const facts of documentsOf(source).values()) yield* facts.paths();
}

function* madeOf(document: Steps<JsonObject>): Steps<MadeDocument> {
  return yield* jsonDocument(yield* document);
}
