import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { resources } from './resources.js';
import { noUpstreamSamples, readSample, upstreamSamples } from '../testing/index.js';
import { unknownOrMisorderedKeys } from './key-order.testing.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const generated = join(root, 'packages/api/src/generated');

const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();

test('the table is up to date with the facts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-generated-'));
  try {
    execFileSync(process.execPath, [join(root, 'scripts/generate-api.mjs'), join(root, 'packages/api/facts'), folder]);
    assert.deepEqual(filesIn(folder), filesIn(generated));
    for (const name of filesIn(folder)) {
      const same = readFileSync(join(folder, name)).equals(readFileSync(join(generated, name)));
      assert.ok(same, `${name} is out of date: run node scripts/generate-api.mjs`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('upstream samples with every field set have no key that the table lacks', { skip: noUpstreamSamples }, () => {
  const missing = new Set(resources().map((each) => `${each.group || 'core'}.${each.version}.${each.kind}`));
  const wrong: string[] = [];
  // WatchEvent samples carry no kind.
  for (const { name } of upstreamSamples().filter(({ kind }) => kind !== 'WatchEvent')) {
    const problems = unknownOrMisorderedKeys(JSON.parse(readSample(name, 'json').toString()));
    missing.delete(name);
    wrong.push(...problems.map((problem) => `${name}: ${problem}`));
  }
  assert.deepEqual(wrong, []);
  // Upstream has no sample of APIService.
  assert.deepEqual([...missing], ['apiregistration.k8s.io.v1.APIService']);
});
