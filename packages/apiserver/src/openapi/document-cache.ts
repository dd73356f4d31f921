import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Documents longer than this are stored compressed, because almost all clients accept gzip. */
const COMPRESS_ABOVE_BYTES = 16 * 1024;

export interface MadeDocument {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/** The stored bytes of one document. */
export class StoredDocument {
  /** Hash of the document, upper-case hex, unquoted. */
  readonly hash: string;
  readonly #bytes: Uint8Array;
  readonly #compressed: boolean;
  #plain: WeakRef<Uint8Array> | undefined;
  #unpacking: Promise<Uint8Array> | undefined;

  constructor(hash: string, bytes: Uint8Array, compressed: boolean) {
    this.hash = hash;
    this.#bytes = bytes;
    this.#compressed = compressed;
  }

  /** The gzip bytes, if the document is stored compressed. */
  get gzip(): Uint8Array | undefined {
    return this.#compressed ? this.#bytes : undefined;
  }

  /** The document itself. Concurrent callers share the bytes. */
  plain(): Promise<Uint8Array> {
    if (!this.#compressed) return Promise.resolve(this.#bytes);
    const plain = this.#plain?.deref();
    if (plain !== undefined) return Promise.resolve(plain);
    this.#unpacking ??= this.#unpack();
    return this.#unpacking;
  }

  async #unpack(): Promise<Uint8Array> {
    try {
      const plain = await decompress(this.#bytes);
      this.#plain = new WeakRef(plain);
      return plain;
    } finally {
      this.#unpacking = undefined;
    }
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest('hex').toUpperCase();
}

/** Identifies the source of a document: it changes when the document may. */
export type Revision = number | string;

/** A document as the source was at a revision. `make` is called when its turn comes. */
interface Making {
  revision: Revision;
  make: () => MadeDocument | Promise<MadeDocument>;
}

interface Entry {
  readonly revision: Revision;
  readonly document: Promise<StoredDocument>;
  isSettled: boolean;
  /** What is made after this one, for all who have asked for a later revision meanwhile. */
  next: (Making & { readonly document: Promise<StoredDocument> }) | undefined;
}

/**
 * Makes each document once per revision; concurrent callers wait for the same one. One of a key is made at a time, however often
 * the source changes: callers that ask for a later revision meanwhile share the next one, which has the latest revision of them
 * all. After a failure, the next caller tries again.
 */
export class DocumentCache {
  readonly #entries = new Map<string, Entry>();

  /** `revision`: the latest one. Resolves to the document of that or of a later one. */
  get(key: string, revision: Revision, make: Making['make']): Promise<StoredDocument> {
    const known = this.#entries.get(key);
    if (known?.revision === revision) return known.document;
    if (known === undefined || known.isSettled) return this.#start(key, { revision, make });
    if (known.next === undefined) {
      const next: Making = { revision, make };
      const start = (): Promise<StoredDocument> => this.#start(key, next);
      known.next = Object.assign(next, { document: known.document.then(start, start) });
    } else {
      known.next.revision = revision;
      known.next.make = make;
    }
    return known.next.document;
  }

  #start(key: string, { revision, make }: Making): Promise<StoredDocument> {
    const entry: Entry = { revision, document: store(make), isSettled: false, next: undefined };
    this.#entries.set(key, entry);
    entry.document.then(
      () => {
        entry.isSettled = true;
      },
      () => {
        entry.isSettled = true;
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.document;
  }

  /** Drops the documents whose keys are no longer wanted. */
  retain(isWanted: (key: string) => boolean): void {
    for (const key of this.#entries.keys()) if (!isWanted(key)) this.#entries.delete(key);
  }
}

async function store(make: () => MadeDocument | Promise<MadeDocument>): Promise<StoredDocument> {
  const { bytes, hash } = await make();
  if (bytes.length <= COMPRESS_ABOVE_BYTES) return new StoredDocument(hash, bytes, false);
  return new StoredDocument(hash, await compress(bytes), true);
}
