import { createHash } from 'node:crypto';
import { LruMap } from '@binnacle/apimachinery/caches';
import type { Clock, Timer } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { DecodeError } from '@binnacle/apimachinery/serializer';
import {
  gcm,
  type ReadValue,
  seededGcm,
  type Transformer,
  TransformError,
  type ValueContext,
} from '../transformers/index.js';
import { faultOfObject } from './limits.js';
import { decodeEncryptedObject, encodeEncryptedObject, type EncryptedObject, SEED } from './messages.js';
import type { KmsObserver } from './observer.js';
import { type Plugin, PluginError } from './plugin-client.js';
import { type Seed, WriteKey } from './write-key.js';

/** How often the plugin is checked, and while the last check has failed. */
const CHECKED_MS = 60_000;
const FAILED_MS = 10_000;
/** Decrypted keys that are kept. Each start of a server makes one, and each change of the plugin's key. */
const MOST_KEYS = 10_000;
const MALFORMED = 'proto: cannot parse invalid wire-format data';

export interface KmsProviderOptions {
  readonly name: string;
  readonly plugin: Plugin;
  readonly clock: Clock;
  readonly observer: KmsObserver;
  /** Receives the failure of a check that no one waits for. */
  readonly failed: (error: unknown) => void;
}

/**
 * Envelope encryption: values are encrypted with keys of a seed, and the plugin encrypts the seed, which is stored beside each
 * value. The plugin is called for seeds that this process has not seen. Upstream: apiserver
 * `pkg/storage/value/encrypt/envelope/kmsv2`.
 */
export class KmsProvider implements Transformer, Disposable {
  readonly #options: KmsProviderOptions;
  readonly #writeKey: WriteKey;
  readonly #keys = new LruMap<string, Transformer>(MOST_KEYS);
  readonly #decrypting = new Map<string, Promise<Transformer>>();
  #writer: { readonly seed: Seed; readonly transformer: Transformer } | undefined;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(options: KmsProviderOptions) {
    this.#options = options;
    const { name: provider, plugin, clock, observer } = options;
    this.#writeKey = new WriteKey({ provider, plugin, clock, observer });
  }

  /** Checks the plugin, now and from time to time. Resolves after the first check, successful or not. */
  async start(): Promise<void> {
    let isHealthy = true;
    try {
      await this.check();
    } catch (error) {
      isHealthy = false;
      this.#options.failed(error);
    }
    if (this.#isClosed) return;
    const again = (): void => void this.start();
    this.#timer = this.#options.clock.setTimer(again, isHealthy ? CHECKED_MS : FAILED_MS).unref();
  }

  /** Rejects when the plugin is not healthy. */
  check(): Promise<void> {
    return this.#writeKey.check();
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    this.#options.plugin.close();
  }

  read(stored: Uint8Array, context: ValueContext): ReadValue | Promise<ReadValue> {
    const object = decoded(stored);
    const current = this.#seed();
    const cacheKey = cacheKeyOf(object);
    const known = this.#keys.get(cacheKey);
    if (known !== undefined) return this.#decrypt(object, known, current, context);
    return this.#fetched(object, cacheKey).then((key) => this.#decrypt(object, key, current, context));
  }

  write(value: Uint8Array, context: ValueContext): Uint8Array {
    const seed = this.#seed();
    try {
      this.#writeKey.checkUsable();
    } catch (error) {
      throw new TransformError(messageOf(error), { isTransient: true });
    }
    const { name, observer } = this.#options;
    const data = this.#writerOf(seed).write(value, context);
    observer.keyUsed(name, 'to_storage', seed.encrypted.keyId);
    return encodeEncryptedObject({ data, source: seed.encrypted, sourceType: SEED });
  }

  #seed(): Seed {
    const { current } = this.#writeKey;
    if (current === undefined) throw new TransformError('got unexpected nil transformer', { isTransient: true });
    return current;
  }

  /** The values that it writes can be read without the plugin. */
  #writerOf(seed: Seed): Transformer {
    if (this.#writer?.seed !== seed) {
      const transformer = seededGcm(seed.seed);
      this.#writer = { seed, transformer };
      this.#keep(cacheKeyOf({ data: new Uint8Array(), source: seed.encrypted, sourceType: SEED }), transformer);
    }
    return this.#writer.transformer;
  }

  #decrypt(object: EncryptedObject, key: Transformer, current: Seed, context: ValueContext): ReadValue {
    const { name, observer } = this.#options;
    const { source, sourceType, data } = object;
    observer.keyUsed(name, 'from_storage', source.keyId);
    const read = key.read(data, context);
    if (read instanceof Promise) throw new Error('the transformer of a data key must read at once');
    return { value: read.value, isStale: source.keyId !== current.encrypted.keyId || sourceType !== SEED };
  }

  /** The key of a value, which the plugin decrypts once for all that wait for it. */
  #fetched(object: EncryptedObject, cacheKey: string): Promise<Transformer> {
    let pending = this.#decrypting.get(cacheKey);
    if (pending === undefined) {
      pending = this.#fetch(object, cacheKey).finally(() => this.#decrypting.delete(cacheKey));
      this.#decrypting.set(cacheKey, pending);
    }
    return pending;
  }

  async #fetch({ source, sourceType }: EncryptedObject, cacheKey: string): Promise<Transformer> {
    const { plugin, observer } = this.#options;
    observer.cacheMissed();
    let secret: Uint8Array;
    try {
      secret = await plugin.decrypt(source);
    } catch (error) {
      const reason = messageOf(error);
      const { status, isTransient = true } = error instanceof PluginError ? error : {};
      throw new TransformError(`failed to decrypt DEK, error: ${reason}`, {
        cause: error,
        isTransient,
        ...(status === undefined ? {} : { status }),
      });
    }
    const transformer = sourceType === SEED ? seededGcm(secret) : gcmOf(secret);
    this.#keep(cacheKey, transformer);
    return transformer;
  }

  #keep(cacheKey: string, transformer: Transformer): void {
    this.#keys.set(cacheKey, transformer);
    this.#options.observer.cachedKeys(this.#options.name, this.#keys.size);
  }
}

function decoded(stored: Uint8Array): EncryptedObject {
  let object: EncryptedObject;
  try {
    object = decodeEncryptedObject(stored);
  } catch (error) {
    if (error instanceof DecodeError) throw new TransformError(MALFORMED, { cause: error });
    throw error;
  }
  const fault = faultOfObject(object);
  if (fault !== undefined) throw new TransformError(fault);
  return object;
}

function gcmOf(key: Uint8Array): Transformer {
  if (![16, 24, 32].includes(key.length)) throw new TransformError(`crypto/aes: invalid key size ${key.length}`);
  return gcm(key);
}

/** Identifies the key of a value by what is stored of it. */
function cacheKeyOf({ source, sourceType }: EncryptedObject): string {
  const hash = createHash('sha256');
  const add = (part: Uint8Array | string): void => void hash.update(`${Buffer.byteLength(part)}:`).update(part);
  add(String(sourceType));
  add(source.ciphertext);
  add(source.keyId);
  for (const [name, value] of [...source.annotations].sort(([a], [b]) => (a < b ? -1 : 1))) {
    add(name);
    add(value);
  }
  return hash.digest('base64');
}
