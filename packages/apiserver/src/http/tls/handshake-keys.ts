import { createDecipheriv, createHmac } from 'node:crypto';

interface Suite {
  readonly algorithm: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305';
  readonly hash: 'sha256' | 'sha384';
  readonly keyBytes: number;
}

const suites: ReadonlyMap<string, Suite> = new Map([
  ['TLS_AES_128_GCM_SHA256', { algorithm: 'aes-128-gcm', hash: 'sha256', keyBytes: 16 }],
  ['TLS_AES_256_GCM_SHA384', { algorithm: 'aes-256-gcm', hash: 'sha384', keyBytes: 32 }],
  ['TLS_CHACHA20_POLY1305_SHA256', { algorithm: 'chacha20-poly1305', hash: 'sha256', keyBytes: 32 }],
]);
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CLIENT_SECRET = /^CLIENT_HANDSHAKE_TRAFFIC_SECRET [0-9a-f]+ ([0-9a-f]+)\s*$/;

/** Decrypts the handshake records of a TLS 1.3 client. Upstream: RFC 8446, sections 5.2, 5.3 and 7.3. */
export class HandshakeKeys {
  readonly #suite: Suite;
  readonly #key: Buffer;
  readonly #nonce: Buffer;
  #records = 0;

  private constructor(suite: Suite, secret: Buffer) {
    this.#suite = suite;
    this.#key = expand(suite, secret, 'key', suite.keyBytes);
    this.#nonce = expand(suite, secret, 'iv', NONCE_BYTES);
  }

  /** Reads a line of the TLS key log. Undefined for other secrets; `unknown` for an unknown cipher suite. */
  static read(line: string, suiteName: string): HandshakeKeys | 'unknown' | undefined {
    const [, secret] = CLIENT_SECRET.exec(line) ?? [];
    if (secret === undefined) return undefined;
    const suite = suites.get(suiteName);
    return suite === undefined ? 'unknown' : new HandshakeKeys(suite, Buffer.from(secret, 'hex'));
  }

  /** Decrypts the next record: content, its type, padding. Undefined if it was encrypted with other keys. */
  open(header: Buffer, record: Buffer): Buffer | undefined {
    if (record.length < TAG_BYTES) return undefined;
    const nonce = Buffer.from(this.#nonce);
    nonce.writeUInt32BE((nonce.readUInt32BE(NONCE_BYTES - 4) ^ this.#records++) >>> 0, NONCE_BYTES - 4);
    const decipher = decipherOf(this.#suite, this.#key, nonce);
    decipher.setAAD(header, { plaintextLength: record.length - TAG_BYTES });
    decipher.setAuthTag(record.subarray(-TAG_BYTES));
    const content = decipher.update(record.subarray(0, -TAG_BYTES));
    try {
      decipher.final();
    } catch {
      return undefined;
    }
    return content;
  }
}

/** Node.js' types have a separate overload for each algorithm. */
function decipherOf({ algorithm }: Suite, key: Buffer, nonce: Buffer) {
  const options = { authTagLength: TAG_BYTES };
  if (algorithm === 'chacha20-poly1305') return createDecipheriv(algorithm, key, nonce, options);
  return createDecipheriv(algorithm, key, nonce, options);
}

/** HKDF-Expand-Label. One block is long enough for all keys here. */
function expand({ hash }: Suite, secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.of(0, length, name.length), name, Buffer.of(0, 1)]);
  return createHmac(hash, secret).update(info).digest().subarray(0, length);
}
