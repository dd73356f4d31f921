import type { TablePrinter } from '@binnacle/api/printers';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import {
  documentOf,
  type MetaDocument,
  partialMetadataJson,
  partialObjectMetadata,
  type Representation,
  type StreamEncoding,
} from '../answers/index.js';
import type { ObjectEvent } from '../cacher/index.js';
import { statusErrorOf } from '../registry/index.js';
import { type IncludeObject, parseTableOptions, type RequestContext } from '../request/index.js';
import type { ResourceEndpoint } from './endpoint.js';
import { tableOf } from './table.js';

/** Encodes events in one representation. Shared events keep their frames. */
export class FrameEncoder {
  readonly #endpoint: ResourceEndpoint;
  readonly #representation: Representation;
  readonly #encoding: StreamEncoding;
  readonly #includeObject: IncludeObject;
  /** Identifies the representation among an event's frames. */
  readonly #key: string;
  readonly #printer: TablePrinter | undefined;
  readonly #encode: (event: ObjectEvent) => Uint8Array;
  #first = true;

  constructor(
    context: RequestContext,
    endpoint: ResourceEndpoint,
    representation: Representation,
    encoding: StreamEncoding,
    printer: TablePrinter | undefined,
  ) {
    this.#endpoint = endpoint;
    this.#printer = printer;
    this.#representation = representation;
    this.#encoding = encoding;
    this.#includeObject = representation.as === 'Table' ? parseTableOptions(context.query).includeObject : 'Metadata';
    const { as = '', version } = representation;
    this.#key = [encoding.streamContentType, endpoint.main.codec.apiVersion, as, version].join(' ');
    this.#encode = (event) => this.#frame(event);
  }

  frame(event: ObjectEvent): Uint8Array {
    // The first table of a watch has the columns, and cells show ages: neither can be shared.
    if (this.#printer === undefined) return event.frame(this.#key, this.#encode);
    const table = this.#table(this.#endpoint.main.show(event.object), this.#printer, this.#includeObject);
    return this.#encoding.frame(event.type, this.#encoding.document(table));
  }

  bookmark(revision: number, annotations: Readonly<Record<string, string>> | undefined): Uint8Array {
    const { codec } = this.#endpoint.main;
    const { kind } = codec.groupVersionKind;
    const metadata = { resourceVersion: String(revision), ...(annotations === undefined ? {} : { annotations }) };
    const object: KubernetesObject = { kind, apiVersion: codec.apiVersion, metadata };
    return this.#encoding.frame('BOOKMARK', this.#bookmarkBody(object, annotations !== undefined));
  }

  error(cause: Error): Uint8Array {
    const { status } = statusErrorOf(cause);
    return this.#encoding.frame('ERROR', this.#encoding.document(documentOf(status)));
  }

  #frame(event: ObjectEvent): Uint8Array {
    const { main } = this.#endpoint;
    const { as, version } = this.#representation;
    if (as === undefined) return this.#encoding.storedFrame(event.type, main, event.object);
    const json = partialMetadataJson(main, event.object, version);
    return this.#encoding.frame(event.type, this.#encoding.partialMetadata(version, json));
  }

  /**
   * A bookmark is an object with metadata only. As a table it has one row, whose object has the annotation whatever
   * `includeObject` says. Upstream: apiserver `endpoints/handlers` asTable.
   */
  #bookmarkBody(object: KubernetesObject, isAnnotated: boolean): Uint8Array {
    const { as, version } = this.#representation;
    if (as === undefined) return this.#encoding.object(this.#endpoint.main.codec, object);
    if (this.#printer === undefined) return this.#encoding.document(partialObjectMetadata(object, version));
    const includeObject = isAnnotated && this.#includeObject === 'None' ? 'Metadata' : this.#includeObject;
    return this.#encoding.document(this.#table(object, this.#printer, includeObject));
  }

  #table(object: Readonly<KubernetesObject>, printer: TablePrinter, includeObject: IncludeObject): MetaDocument {
    const metadata: JsonObject = { resourceVersion: object.metadata.resourceVersion ?? '' };
    const table = tableOf(printer, [object], metadata, {
      version: this.#representation.version,
      includeObject,
      now: this.#endpoint.clock.now(),
      withColumns: this.#first,
    });
    this.#first = false;
    return table;
  }
}
