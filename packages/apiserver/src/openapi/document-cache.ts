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

interface Entry {
  readonly revision: Revision;
  readonly document: Promise<StoredDocument>;
}

/**
 * Makes each document once per revision; concurrent callers wait for the same one. After a failure, the next caller
 * tries again.
 */
export class DocumentCache {
  readonly #entries = new Map<string, Entry>();

  get(key: string, revision: Revision, make: () => MadeDocument | Promise<MadeDocument>): Promise<StoredDocument> {
    const known = this.#entries.get(key);
    if (known?.revision === revision) return known.document;
    const entry = { revision, document: store(make) };
    this.#entries.set(key, entry);
    entry.document.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
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
