import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { resources } from './resources.js';
import { unknownOrMisorderedKeys } from './key-order.testing.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const generated = join(root, 'packages/api/src/generated');
const facts = process.env['BINNACLE_FACTS'] ?? join(root, '../shared/kubernetes-api');
const skip = existsSync(join(facts, 'gotypes.json')) ? false : `no facts in ${facts} (BINNACLE_FACTS names the folder)`;

const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();

test('the table is up to date with the facts', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-generated-'));
  try {
    execFileSync(process.execPath, [join(root, 'scripts/generate-api.mjs'), facts, folder]);
    assert.deepEqual(filesIn(folder), filesIn(generated));
    for (const name of filesIn(folder)) {
      const same = readFileSync(join(folder, name)).equals(readFileSync(join(generated, name)));
      assert.ok(same, `${name} is out of date: run node scripts/generate-api.mjs ${facts}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('upstream samples with every field set have no key that the table lacks', { skip }, () => {
  const folder = join(facts, 'wire-fixtures');
  const missing = new Set(resources().map((each) => `${each.group || 'core'}.${each.version}.${each.kind}.json`));
  const wrong: string[] = [];
  // WatchEvent samples carry no kind.
  const named = (file: string): boolean => file.endsWith('.json') && file !== 'core.v1.WatchEvent.json';
  for (const name of readdirSync(folder).filter(named)) {
    const problems = unknownOrMisorderedKeys(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    missing.delete(name);
    wrong.push(...problems.map((problem) => `${name}: ${problem}`));
  }
  assert.deepEqual(wrong, []);
  // Upstream has no sample of APIService.
  assert.deepEqual([...missing], ['apiregistration.k8s.io.v1.APIService.json']);
});
