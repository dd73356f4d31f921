import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@binnacle/apimachinery/clock';
import { asError, joinMessages, messageOf } from '@binnacle/apimachinery/errors';
import { faultOfKey, faultOfKeyId } from './limits.js';
import type { EncryptedKey, PluginStatus } from './messages.js';
import type { KmsObserver } from './observer.js';
import type { Plugin } from './plugin-client.js';

/** How long a failed check counts, and a successful one. */
const FAILURE_COUNTS_MS = 3_000;
const SUCCESS_COUNTS_MS = 20_000;
/** After this time without a successful check, values are no longer encrypted. */
const WRITABLE_MS = 3 * 60_000;
const SEED_BYTES = 32;
const VERSIONS: readonly string[] = ['v2', 'v2beta1'];

/** The key that encrypts new values. */
export interface Seed {
  readonly seed: Uint8Array;
  /** The same, as the plugin has encrypted it. */
  readonly encrypted: EncryptedKey;
}

export interface WriteKeyOptions {
  readonly provider: string;
  readonly plugin: Plugin;
  readonly clock: Clock;
  readonly observer: KmsObserver;
}

/**
 * The seed that encrypts new values. Each check asks the plugin for its status; when it names another key, a new seed is made
 * and the plugin encrypts it. A seed may be used for three minutes after the last successful check. Upstream: apiserver
 * `pkg/server/options/encryptionconfig` kmsv2PluginProbe.
 */
export class WriteKey {
  readonly #options: WriteKeyOptions;
  #current: Seed | undefined;
  #expiresAt = 0;
  #version: string | undefined;
  #checked: { readonly failure: Error | undefined; readonly until: number } | undefined;
  #checking: Promise<void> | undefined;

  constructor(options: WriteKeyOptions) {
    this.#options = options;
  }

  /** The newest seed; undefined before the first successful check. Reads need it, to know which values are stale. */
  get current(): Seed | undefined {
    return this.#current;
  }

  /** Throws when the newest seed has expired. */
  checkUsable(): void {
    const { clock } = this.#options;
    const late = clock.monotonic() - this.#expiresAt;
    if (late <= 0) return;
    const now = clock.now();
    throw new Error(
      `encryptedDEKSource with keyID hash ${JSON.stringify(hashOf(this.#current?.encrypted.keyId))} ` +
        `expired at ${timeText(now - late)} (current time is ${timeText(now)})`,
    );
  }

  /** Rejects when the plugin is not healthy. A recent result counts; concurrent calls share one check. */
  async check(): Promise<void> {
    const { clock } = this.#options;
    if (this.#checked !== undefined && clock.monotonic() < this.#checked.until) {
      if (this.#checked.failure !== undefined) throw this.#checked.failure;
      return;
    }
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = undefined;
    });
    await this.#checking;
  }

  async #ask(): Promise<void> {
    const { clock } = this.#options;
    let failure: Error | undefined;
    try {
      failure = await this.#judge(await this.#status());
    } catch (error) {
      failure = asError(error);
    }
    const countsMs = failure === undefined ? SUCCESS_COUNTS_MS : FAILURE_COUNTS_MS;
    this.#checked = { failure, until: clock.monotonic() + countsMs };
    if (failure !== undefined) throw failure;
  }

  async #status(): Promise<PluginStatus> {
    const { plugin, provider } = this.#options;
    try {
      return await plugin.status();
    } catch (error) {
      const reason = messageOf(error);
      throw new Error(
        `failed to perform status section of the healthz check for KMS Provider ${provider}, error: ${reason}`,
        {
          cause: error,
        },
      );
    }
  }

  async #judge({ healthz, version, keyId }: PluginStatus): Promise<Error | undefined> {
    const { provider, observer } = this.#options;
    const faults: string[] = healthz === 'ok' ? [] : [`got unexpected healthz status: ${healthz}`];
    if (!VERSIONS.includes(version)) faults.push(`expected KMSv2 API version v2, got ${version}`);
    else {
      this.#version ??= version;
      if (this.#version !== version) {
        const first = `the initial status response version ${this.#version}`;
        faults.push(`KMSv2 API version should not change after ${first}, got ${version}`);
      }
    }
    const invalid = faultOfKeyId(keyId);
    if (invalid !== undefined) {
      observer.invalidKeyId(provider, invalid.code);
      faults.push(`got invalid KMSv2 KeyID hash ${JSON.stringify(hashOf(keyId))}: ${invalid.message}`);
    } else {
      observer.keyReported(provider, keyId);
      const failure = await this.#rotate(keyId);
      if (failure !== undefined) faults.push(failure);
    }
    if (faults.length === 0) return undefined;
    const reason = joinMessages(faults);
    return new Error(`kmsv2 Provider ${provider} is not healthy, error: ${reason}`);
  }

  /** Keeps the seed while the plugin's key is the same. Returns why it could not make another one. */
  async #rotate(keyId: string): Promise<string | undefined> {
    const { clock, plugin, observer } = this.#options;
    // Counted from before the call, so that it is an upper bound.
    const expiresAt = clock.monotonic() + WRITABLE_MS;
    const old = this.#current?.encrypted.keyId;
    if (old === keyId) {
      this.#expiresAt = expiresAt;
      return undefined;
    }
    const start = clock.monotonic();
    const seed = randomBytes(SEED_BYTES);
    observer.keyGenerated((clock.monotonic() - start) / 1000);
    let encrypted: EncryptedKey | undefined;
    let fault: string | undefined;
    try {
      encrypted = await plugin.encrypt(seed);
      fault = faultOfKey(encrypted);
    } catch (error) {
      fault = `failed to encrypt DEK, error: ${messageOf(error)}`;
    }
    if (encrypted !== undefined && fault === undefined && encrypted.keyId === keyId) {
      this.#current = { seed, encrypted };
      this.#expiresAt = expiresAt;
      return undefined;
    }
    const hashes = `statusKeyIDHash="${hashOf(keyId)}", encryptKeyIDHash="${hashOf(encrypted?.keyId)}", stateKeyIDHash="${hashOf(old)}"`;
    return `failed to rotate DEK, errGen=${fault ?? '<nil>'}, ${hashes}`;
  }
}

/** `sha256:` and the hash; empty for an empty text. */
export function hashOf(text = ''): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
}
