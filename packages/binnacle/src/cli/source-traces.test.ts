import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { traceSources } from './source-traces.js';

const code = `export const fail = () => new Error('failed').stack;\n`;
/** The first column of the only line maps to line 7, column 3 of the source. */
const map = { version: 3, sources: ['../src/origin.ts'], names: [], mappings: 'AAME' };

describe('stack traces', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'traces-'));
    traceSources();
  });
  afterEach(() => {
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    rmSync(directory, { recursive: true });
  });

  async function traceOf(files: Readonly<Record<string, string>>): Promise<string> {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const { fail } = (await import(pathToFileURL(join(directory, 'module.mjs')).href)) as { fail: () => string };
    return fail();
  }

  it('name the source of a file that has a map', async () => {
    const trace = await traceOf({ 'module.mjs': code, 'module.mjs.map': JSON.stringify(map) });
    const source = new URL('../src/origin.ts', pathToFileURL(join(directory, 'module.mjs')));
    const [first, second] = trace.split('\n');
    assert.equal(first, 'Error: failed');
    assert.equal(second, `    at fail (${source.href}:7:3)`);
  });

  it('name the file itself when its map is missing or unreadable', async () => {
    const own = `    at fail (${pathToFileURL(join(directory, 'module.mjs')).href}:1:27)`;
    assert.equal((await traceOf({ 'module.mjs': code })).split('\n')[1], own);
    writeFileSync(join(directory, 'module.mjs.map'), '{');
    assert.equal((await traceOf({ 'module.mjs': code })).split('\n')[1], own);
  });
});
