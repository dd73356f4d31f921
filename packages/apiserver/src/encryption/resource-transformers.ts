import type { Clock } from '@binnacle/apimachinery/clock';
import type { GroupResource } from '@binnacle/apimachinery/meta';
import {
  cbc,
  gcm,
  identity,
  Prefixed,
  type PrefixedTransformer,
  secretbox,
  type TransformationObserver,
  type Transformer,
} from '../transformers/index.js';
import type { KmsRules, NamedKey, ProviderRules, ResourceRules } from './read-configuration.js';
import { coveringNames } from './resource-name.js';

export interface ResourceTransformersOptions {
  /** The transformer of a key service. Called once for each provider. */
  readonly kms: (rules: KmsRules) => Transformer;
  readonly observer: TransformationObserver;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** How the values of one resource are stored. */
export interface ResourceTransformer extends Transformer {
  /** Whether all values are stored as they are, so that they can be read in place. */
  readonly isPlain: boolean;
}

const keyed = { aescbc: cbc, aesgcm: gcm, secretbox };

/** The transformers of a configuration. */
export class ResourceTransformers {
  readonly #byName: ReadonlyMap<string, Transformer>;

  constructor(rules: readonly ResourceRules[], options: ResourceTransformersOptions) {
    const choices = new Map<string, PrefixedTransformer[]>();
    for (const { resources, providers } of rules) {
      const transformers = providers.map((provider) => choiceOf(provider, options));
      for (const name of resources) choices.set(name, [...(choices.get(name) ?? []), ...transformers]);
    }
    this.#byName = new Map(
      [...choices].map(([name, list]) => [name, prefixed(list, 'no matching prefix found', options)]),
    );
  }

  /** Values of a resource that no rule covers are stored as they are. */
  of(resource: GroupResource): ResourceTransformer {
    for (const name of coveringNames(resource)) {
      const transformer = this.#byName.get(name);
      if (transformer === undefined) continue;
      return {
        isPlain: false,
        read: (stored, context) => transformer.read(stored, context),
        write: (value, context) => transformer.write(value, context),
      };
    }
    return { ...identity, isPlain: true };
  }
}

function choiceOf(provider: ProviderRules, options: ResourceTransformersOptions): PrefixedTransformer {
  if (provider.type === 'identity') return { prefix: '', transformer: identity };
  if (provider.type === 'kms') {
    return { prefix: `k8s:enc:kms:v2:${provider.kms.name}:`, transformer: options.kms(provider.kms) };
  }
  const { type, keys } = provider;
  const choices = keys.map(({ name, secret }: NamedKey) => ({ prefix: `${name}:`, transformer: keyed[type](secret) }));
  const label = type === 'secretbox' ? 'Secretbox' : 'AES';
  const unmatched = `no matching key was found for the provided ${label} transformer`;
  return { prefix: `k8s:enc:${type}:v1:`, transformer: prefixed(choices, unmatched, options) };
}

function prefixed(
  choices: readonly PrefixedTransformer[],
  unmatched: string,
  options: ResourceTransformersOptions,
): Prefixed {
  const [first, ...others] = choices;
  if (first === undefined) throw new Error('a provider needs a key, and a resource a provider');
  return new Prefixed({ choices: [first, ...others], unmatched, observer: options.observer, clock: options.clock });
}
