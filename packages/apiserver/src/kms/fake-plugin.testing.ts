import type { status } from '@grpc/grpc-js';
import type { EncryptedKey, PluginStatus } from './messages.js';
import type { KmsObserver } from './observer.js';
import { type Plugin, PluginError } from './plugin-client.js';

/** A plugin in this process. It encrypts by reversing the bytes. */
export class FakePlugin implements Plugin {
  keyId = 'key-1';
  healthz = 'ok';
  version = 'v2';
  /** The gRPC status of the answers; undefined: they succeed. */
  fails: status | undefined;
  /** What Encrypt answers instead. */
  encrypted: EncryptedKey | undefined;
  readonly calls: string[] = [];
  isClosed = false;

  async encrypt(plaintext: Uint8Array): Promise<EncryptedKey> {
    this.#called('encrypt');
    const ciphertext = Uint8Array.from(plaintext).reverse();
    const annotations = new Map([['made.example.com', Uint8Array.of(1)]]);
    return this.encrypted ?? { ciphertext, keyId: this.keyId, annotations };
  }

  async decrypt({ ciphertext }: EncryptedKey): Promise<Uint8Array> {
    this.#called('decrypt');
    return Uint8Array.from(ciphertext).reverse();
  }

  async status(): Promise<PluginStatus> {
    this.#called('status');
    return { version: this.version, healthz: this.healthz, keyId: this.keyId };
  }

  close(): void {
    this.isClosed = true;
  }

  #called(method: string): void {
    this.calls.push(method);
    if (this.fails !== undefined) throw new PluginError(this.fails, 'no luck');
  }
}

/** Notes what it is told. */
export function recordingObserver(): KmsObserver & { readonly seen: string[] } {
  const seen: string[] = [];
  const note = (...parts: readonly unknown[]): void => void seen.push(parts.join(' '));
  return {
    seen,
    called: (provider, method, code) => note('called', provider, method, code),
    keyUsed: (provider, type, keyId) => note('used', provider, type, keyId),
    keyReported: (provider, keyId) => note('reported', provider, keyId),
    invalidKeyId: (provider, code) => note('invalid', provider, code),
    cacheMissed: () => note('missed'),
    cachedKeys: (provider, count) => note('cached', provider, count),
    keyGenerated: () => note('generated'),
  };
}
