import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { observeReloads } from './reload-metrics.js';

it('counts reloads, and names the text in use by its hash', async () => {
  const registry = new MetricRegistry();
  const observer = observeReloads('authorization', registry, new VirtualClock(5000));
  observer.loaded('a');
  observer.reloaded('failure');
  observer.loaded('b');
  observer.reloaded('success');
  const lines = formatText(await registry.gather())
    .split('\n')
    .filter((line) => !line.startsWith('#') && line !== '')
    .map((line) =>
      line
        .replace(/apiserver_id_hash="sha256:[0-9a-f]{64}"/, 'ID')
        .replace(/^apiserver_authorization_config_controller_/, ''),
    );
  assert.deepEqual(lines, [
    'automatic_reload_last_timestamp_seconds{ID,status="failure"} 5',
    'automatic_reload_last_timestamp_seconds{ID,status="success"} 5',
    'automatic_reloads_total{ID,status="failure"} 1',
    'automatic_reloads_total{ID,status="success"} 1',
    'last_config_info{ID,hash="sha256:3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"} 1',
  ]);
});
