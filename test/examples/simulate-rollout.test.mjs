import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { ConfigMap } from '@binnacle/client/kinds/core/v1';
import { reportOf, simulate } from '@binnacle/simulation';
import { countPods } from '../../examples/simulate-rollout/count-pods.mjs';

const read = (file) => readFileSync(new URL(`../../examples/simulate-rollout/${file}`, import.meta.url), 'utf8');
const { actions, ...scenario } = parseYaml(read('rollout.yaml')).value;
const web = read('web.yaml')
  .split('---\n')
  .map((text) => parseYaml(text).value);

/** The scenario of the file, without the property of the command that names manifests. */
const rollout = { ...scenario, actions: [{ at: '5s', apply: web }, ...actions.slice(1)] };

/** What must hold of the controller at the end. */
const counts = {
  name: 'counts',
  checkEnd: (state) => {
    const ready = state.get(Deployment, 'web', 'default')?.status?.readyReplicas;
    const counted = state.get(ConfigMap, 'web-count', 'default')?.data?.ready;
    return counted === String(ready) ? undefined : `${ready} pods are ready, and ${counted} are counted`;
  },
};

describe('a rollout while nodes fail', () => {
  for (const seed of [1, 2]) {
    it(`keeps all promises and the count, seed ${seed}`, async () => {
      const result = await simulate({ seed, scenario: rollout, controllers: [countPods], invariants: [counts] });
      assert.equal(result.failure, undefined, reportOf(result));
    });
  }

  it('finds a controller that counts once and never again', async () => {
    const lazy = {
      name: 'lazy',
      run: (context, signal) => {
        const { client } = context;
        const data = { ready: '0' };
        const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web-count' }, data };
        return client
          .resource(ConfigMap)
          .namespace('default')
          .create(configMap, { signal })
          .then(() => untilAborted(signal));
      },
    };
    const short = { ...rollout, faults: {}, runFor: '30s', actions: rollout.actions.slice(0, 1) };
    const { failure } = await simulate({ seed: 1, scenario: short, controllers: [lazy], invariants: [counts] });
    assert.match(failure?.message ?? '', /6 pods are ready, and 0 are counted/);
  });
});

const untilAborted = (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
