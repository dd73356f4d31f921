import type { Clock } from '@binnacle/apimachinery/clock';
import { joinMessages, messageOf } from '@binnacle/apimachinery/errors';
import type { KmsProvider } from '../kms/index.js';
import type { Transformer } from '../transformers/index.js';
import { hashOf, type EncryptionObserver } from './observer.js';
import { type KmsRules, readEncryptionConfiguration } from './read-configuration.js';
import { ResourceTransformers } from './resource-transformers.js';

export interface LoadOptions {
  /** Whether the file is read again when it changes. */
  readonly reloads: boolean;
  readonly clock: Clock;
  readonly observer: EncryptionObserver;
  /** Receives the failure of a check that no one waits for. */
  readonly failed: (error: unknown) => void;
}

/** A configuration with its providers at work. Dispose it to close them. */
export class LoadedConfiguration implements Disposable {
  /** Names the text. */
  readonly hash: string;
  readonly transformers: ResourceTransformers;
  /** The longest time that one check of all key services takes, in milliseconds. */
  readonly checkMs: number;
  readonly #providers: readonly KmsProvider[];

  private constructor(
    hash: string,
    transformers: ResourceTransformers,
    providers: readonly KmsProvider[],
    checkMs: number,
  ) {
    this.hash = hash;
    this.transformers = transformers;
    this.#providers = providers;
    this.checkMs = checkMs;
  }

  /**
   * Resolves when all key services have been asked once, whether or not they are healthy. Rejects with a
   * `ConfigurationError` when the text is wrong.
   */
  static async load(text: string, { reloads, clock, observer, failed }: LoadOptions): Promise<LoadedConfiguration> {
    const rules = readEncryptionConfiguration(text, reloads);
    const services = rules.flatMap(({ providers }) =>
      providers.flatMap((each) => (each.type === 'kms' ? [each.kms] : [])),
    );
    const open = services.length === 0 ? undefined : await opener({ clock, observer, failed });
    const providers = new Map(services.map((service) => [service, open?.(service)]));
    const kms = (service: KmsRules): Transformer => {
      const provider = providers.get(service);
      if (provider === undefined) throw new Error(`the key service ${service.name} is not open`);
      return provider;
    };
    const transformers = new ResourceTransformers(rules, { kms, observer, clock });
    const opened = [...providers.values()].filter((provider) => provider !== undefined);
    await Promise.all(opened.map((provider) => provider.start()));
    const checkMs = services.reduce((sum, { timeoutMs }) => sum + timeoutMs, 0);
    return new LoadedConfiguration(hashOf(text), transformers, opened, checkMs);
  }

  get usesKeyServices(): boolean {
    return this.#providers.length > 0;
  }

  /** Rejects when a key service is not healthy, in upstream's words. */
  async check(): Promise<void> {
    const faults: string[] = [];
    for (const [index, provider] of this.#providers.entries()) {
      await provider.check().catch((error: unknown) => {
        faults.push(`kms-provider-${index}: ${messageOf(error)}`);
      });
    }
    if (faults.length > 0) throw new Error(joinMessages(faults));
  }

  [Symbol.dispose](): void {
    for (const provider of this.#providers) provider[Symbol.dispose]();
  }
}

/** gRPC loads with the first key service. */
async function opener({
  clock,
  observer,
  failed,
}: Omit<LoadOptions, 'reloads'>): Promise<(rules: KmsRules) => KmsProvider> {
  const { KmsProvider: Provider, PluginClient } = await import('../kms/index.js');
  return ({ name, socket, timeoutMs }) => {
    const called = (method: string, status: string, seconds: number): void =>
      observer.called(name, method, status, seconds);
    const plugin = new PluginClient({ socket, timeoutMs, clock, called });
    return new Provider({ name, plugin, clock, observer, failed });
  };
}
