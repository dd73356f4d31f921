import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import { type Plugin, skip, success, unschedulable } from '../framework/index.js';
import { attemptOf, nodeState, podFacts } from '../testing/index.js';
import { Profile } from './profile.js';
import { runPreFilters } from './run-pre-filters.js';

const needed: Plugin = { name: 'Needed', compare: () => 0, bind: () => Promise.resolve(success) };
const naming = (name: string, ...nodes: readonly string[]): Plugin => ({
  name,
  preFilter: () => ({ status: success, nodeNames: new Set(nodes) }),
});

function resultOf(...plugins: readonly Plugin[]) {
  const profile = new Profile({ name: 'x', plugins: [needed, ...plugins].map((plugin) => ({ plugin, weight: 1 })) });
  const attempt = attemptOf(podFacts('p'), [nodeState('n1'), nodeState('n2')]);
  const { status, nodeNames, naming } = finish(runPreFilters(profile, attempt));
  return {
    code: status.code,
    reasons: status.reasons,
    plugin: status.plugin,
    nodes: nodeNames && [...nodeNames],
    naming,
    skipped: [...attempt.state.skippedFilters],
  };
}

describe('PreFilter plugins', () => {
  const passed = { code: 'Success', reasons: [], plugin: undefined, nodes: undefined, naming: [], skipped: [] };
  const no = 'UnschedulableAndUnresolvable';
  for (const [what, plugins, expected] of [
    ['permit all nodes', [{ name: 'A', preFilter: () => ({ status: success }) }], passed],
    ['skip their filter', [{ name: 'A', preFilter: () => ({ status: skip }) }], { ...passed, skipped: ['A'] }],
    [
      'reject the pod',
      [{ name: 'A', preFilter: () => ({ status: unschedulable('no') }) }, naming('B', 'n1')],
      { ...passed, code: 'Unschedulable', reasons: ['no'], plugin: 'A' },
    ],
    [
      'name nodes, of which those remain that every plugin names',
      [naming('B', 'n1', 'n2'), naming('A', 'n2', 'n3')],
      { ...passed, nodes: ['n2'], naming: ['B', 'A'] },
    ],
    [
      'name no node',
      [naming('A')],
      { ...passed, code: no, reasons: ["node(s) didn't satisfy plugin A"], plugin: 'A', nodes: [], naming: ['A'] },
    ],
    [
      'name different nodes',
      [naming('B', 'n1'), naming('A', 'n2')],
      {
        ...passed,
        code: no,
        reasons: ["node(s) didn't satisfy plugin(s) [A B] simultaneously"],
        plugin: 'A',
        nodes: [],
        naming: ['B', 'A'],
      },
    ],
  ] as const) {
    it(what, () => assert.deepEqual(resultOf(...plugins), expected));
  }
});
