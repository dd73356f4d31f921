import {
  checkSettings,
  chooseLoops,
  ControllersError,
  type LoopFacts,
  SettingsError,
} from '@binnacle/controllers/table';
import { type Feature, FeatureGateError, resolveFeatureGates } from '@binnacle/apiserver/features';
import type { StorageMediaType } from '@binnacle/apiserver';
import { checkOptions } from './check-options.js';
import { defaultDataDirectory } from '../../files/index.js';
import type { StartOptions } from './options.js';
import { usageError } from '../start-error.js';

/** The options of a start with their defaults. The API server has its own defaults for those that stay optional. */
export interface StartConfig extends Omit<StartOptions, 'dataDirectory'> {
  readonly bindAddress: string;
  readonly securePort: number;
  readonly serviceClusterIPRange: string;
  readonly serviceAccountIssuers: readonly [string, ...string[]];
  readonly storageMediaType: StorageMediaType;
  /** Undefined = in memory. */
  readonly dataDirectory: string | undefined;
  readonly etcdPrefix: string;
  readonly etcdCompactionIntervalMs: number;
  readonly faultInjection: boolean;
  readonly workers: number;
  readonly loops: readonly LoopFacts[];
  readonly scheduler: boolean;
  readonly features: ReadonlySet<Feature>;
}

/** Upstream requires an issuer; kubeadm sets this one. */
const DEFAULT_ISSUER = 'https://kubernetes.default.svc.cluster.local';
/** Upstream: `--etcd-compaction-interval`. */
const ETCD_COMPACTION_INTERVAL_MS = 5 * 60_000;

/** Fills in defaults. Throws a `usage` error for every fault that shows without access to files or the network. */
export function completeOptions(given: StartOptions): StartConfig {
  const options = {
    ...given,
    bindAddress: given.bindAddress ?? '127.0.0.1',
    securePort: given.securePort ?? 0,
    serviceClusterIPRange: given.serviceClusterIPRange ?? '10.0.0.0/24',
    etcdPrefix: given.etcdPrefix ?? '/registry',
    etcdCompactionIntervalMs: given.etcdCompactionIntervalMs ?? ETCD_COMPACTION_INTERVAL_MS,
    faultInjection: given.faultInjection ?? false,
    workers: given.workers ?? 1,
  };
  checkOptions(options);
  const loops = loopsOf(given);
  const [issuer = DEFAULT_ISSUER, ...otherIssuers] = given.serviceAccountIssuers ?? [];
  return {
    ...options,
    dataDirectory: given.inMemory === true ? undefined : (given.dataDirectory ?? defaultDataDirectory()),
    serviceAccountIssuers: [issuer, ...otherIssuers],
    storageMediaType: mediaTypeOf(given),
    loops,
    // Whoever turns off all control loops brings other components, or wants none.
    scheduler: given.scheduler ?? loops.length > 0,
    features: featuresOf(given.featureGates),
  };
}

/**
 * Upstream also supports YAML, and kube-apiserver defaults to protobuf.
 * Upstream: `--storage-media-type` of apiserver `pkg/server/options`.
 */
function mediaTypeOf({ storageMediaType: wanted, etcdServers }: StartOptions): StorageMediaType {
  switch (wanted) {
    case undefined:
      return etcdServers === undefined ? 'application/json' : 'application/vnd.kubernetes.protobuf';
    case 'application/json':
    case 'application/vnd.kubernetes.protobuf':
      return wanted;
    default:
      throw usageError(
        `--storage-media-type ${JSON.stringify(wanted)}: give application/json or application/vnd.kubernetes.protobuf`,
      );
  }
}

function featuresOf(text: string | undefined): ReadonlySet<Feature> {
  try {
    return resolveFeatureGates(text);
  } catch (error) {
    if (!(error instanceof FeatureGateError)) throw error;
    throw usageError(`invalid argument ${JSON.stringify(text)} for "--feature-gates" flag: ${error.message}`);
  }
}

function loopsOf({ controllers = '*', ...settings }: StartOptions): readonly LoopFacts[] {
  try {
    checkSettings(settings);
    return chooseLoops(controllers);
  } catch (error) {
    if (error instanceof ControllersError || error instanceof SettingsError) throw usageError(error.message);
    throw error;
  }
}
