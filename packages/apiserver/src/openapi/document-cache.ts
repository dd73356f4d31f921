import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Documents longer than this are kept compressed; clients nearly always take them so. */
const COMPRESS_ABOVE_BYTES = 16 * 1024;

export interface MadeDocument {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/** The bytes of one document, as they are kept. */
export class StoredDocument {
  /** Hash of the document, upper-case hex, unquoted. */
  readonly hash: string;
  readonly #bytes: Uint8Array;
  readonly #compressed: boolean;

  constructor(hash: string, bytes: Uint8Array, compressed: boolean) {
    this.hash = hash;
    this.#bytes = bytes;
    this.#compressed = compressed;
  }

  /** Gzip bytes where the document is kept so. */
  get gzip(): Uint8Array | undefined {
    return this.#compressed ? this.#bytes : undefined;
  }

  /** The document itself. */
  async plain(): Promise<Uint8Array> {
    return this.#compressed ? decompress(this.#bytes) : this.#bytes;
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest('hex').toUpperCase();
}

/**
 * Makes each document once for as long as the revision stays, whoever asks meanwhile waits for the same. What failed to be made
 * is made anew by the next who asks.
 */
export class DocumentCache {
  #revision = Number.NaN;
  readonly #documents = new Map<string, Promise<StoredDocument>>();

  get(key: string, revision: number, make: () => MadeDocument | Promise<MadeDocument>): Promise<StoredDocument> {
    if (revision !== this.#revision) {
      this.#documents.clear();
      this.#revision = revision;
    }
    let known = this.#documents.get(key);
    if (known === undefined) {
      known = store(make);
      this.#documents.set(key, known);
      known.catch(() => {
        if (this.#documents.get(key) === known) this.#documents.delete(key);
      });
    }
    return known;
  }
}

async function store(make: () => MadeDocument | Promise<MadeDocument>): Promise<StoredDocument> {
  const { bytes, hash } = await make();
  if (bytes.length <= COMPRESS_ABOVE_BYTES) return new StoredDocument(hash, bytes, false);
  return new StoredDocument(hash, await compress(bytes), true);
}
