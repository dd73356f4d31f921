import { createHash } from 'node:crypto';
import type { Clock } from '@binnacle/apimachinery/clock';
import { counterFacts, gaugeFacts, type MetricRegistry } from '@binnacle/apimachinery/metrics';
import { serverName } from './server-name.js';

/** The configuration files for access that the server reads again when they change. */
type ReloadedFile = 'authentication' | 'authorization';

const status = ['status', 'apiserver_id_hash'] as const;

/**
 * The metrics of one such file. Upstream: apiserver `pkg/server/options/authenticationconfig/metrics`, `authorizationconfig/metrics`,
 * release 1.36.
 */
function reloadFactsOf(file: ReloadedFile) {
  const prefix = `apiserver_${file}_config_controller`;
  return {
    reloads: counterFacts(
      `${prefix}_automatic_reloads_total`,
      'BETA',
      status,
      `Total number of automatic reloads of ${file} configuration split by status and apiserver identity.`,
    ),
    times: gaugeFacts(
      `${prefix}_automatic_reload_last_timestamp_seconds`,
      'BETA',
      status,
      `Timestamp of the last automatic reload of ${file} configuration split by status and apiserver identity.`,
    ),
    current: gaugeFacts(
      `${prefix}_last_config_info`,
      'ALPHA',
      ['apiserver_id_hash', 'hash'],
      `Information about the last applied ${file} configuration with hash as label, split by apiserver identity.`,
    ),
  };
}

const facts = { authentication: reloadFactsOf('authentication'), authorization: reloadFactsOf('authorization') };

export const reloadFacts = [...Object.values(facts.authentication), ...Object.values(facts.authorization)];

/** Observes the reloads of one such file. */
export interface ReloadObserver {
  /** Its text is in use, for the first time or after a change. */
  loaded(text: string): void;
  reloaded(status: 'success' | 'failure'): void;
}

/** Counts the reloads of a file. Call it once for each file. */
export function observeReloads(
  file: ReloadedFile,
  registry: MetricRegistry,
  clock: Pick<Clock, 'now'>,
): ReloadObserver {
  const { reloads, times, current } = facts[file];
  const server = hashOf(serverName());
  const counts = registry.numbers(reloads);
  const seconds = registry.numbers(times);
  let hash: string | undefined;
  registry.readings(current, () => (hash === undefined ? [] : [[[server, hash], 1]]));
  return {
    loaded: (text) => {
      hash = hashOf(text);
    },
    reloaded: (outcome) => {
      counts.with(outcome, server).value++;
      seconds.with(outcome, server).value = clock.now() / 1000;
    },
  };
}

/** The label for a text, as upstream makes it: a hash, because the text may be confidential. */
function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
