import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { checkExpressions, expressionsOf } from '../../scripts/check-expressions.mjs';

const SOUND = 'packages/pure/src/low/sound.ts';
const PLANTED = 'packages/pure/src/low/planted.ts';

/** Faults of a repository with this source, beside sound ones. */
async function faultsOf(planted, accepted = {}, path = PLANTED) {
  const root = mkdtempSync(join(tmpdir(), 'check-expressions-'));
  const files = {
    'scripts/expressions.json': JSON.stringify({ [SOUND]: { '/0+$/': 'nine digits' }, ...accepted }),
    [SOUND]: 'export const a: RegExp = /^a+b?$/, b = text.replace(/0+$/, ""), c = /^\\d+$/.source.length / 2 / 1;',
    'packages/pure/src/low/sound.test.ts': 'export const slow = /^(a|a)*$/;',
    'packages/pure/src/testing/slow.ts': 'export const slow = /^(a|a)*$/;',
    [path]: planted,
  };
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return (await checkExpressions(root)).faults;
  } finally {
    rmSync(root, { recursive: true });
  }
}

describe('regular expressions', () => {
  for (const [name, source, expected] of [
    ['exponential', 'export const e = /^\\/+(?:\\.?\\/*)*$/;', [/planted\.ts: .*: exponential time/]],
    [
      'quadratic',
      "export const e: string = text.replace(/ +$/g, '');",
      [/planted\.ts: .*: 2nd degree polynomial time/],
    ],
    [
      'cubic, of constants',
      'const D = "a*";\nconst e = new RegExp(`^${D}${D}${D}b$`);',
      [/planted\.ts: new RegExp.*: 3rd/],
    ],
    ['unreadable', 'export const e = /^(a+)\\1$/;', [/planted\.ts: .*: cannot be examined/]],
    [
      'made at run time',
      'export const e = (text: string) => RegExp(text);',
      [/planted\.ts: RegExp\(text\): .*not constant/],
    ],
    [
      'with flags made at run time',
      'export const e = (f: string) => new RegExp("a", f);',
      [/planted\.ts: .*not constant/],
    ],
    ['linear, in a page', 'export const E = () => <b>{/^a+$/.test(text) ? "a" : "b"}</b>;', []],
    ['linear, of constants', 'const A = "a"; const B = `${A}+`; const e = new RegExp(`^${B}$`, "u");', []],
    ['without repetition', 'export const e = /^(?:a|a)?(?:a|a)?b(?=c)/;', []],
    ['a comment and a string', 'export const e = "/(a|a)*$/"; // /(a|a)*$/', []],
  ]) {
    it(name, async () => {
      const faults = await faultsOf(source, {}, source.includes('<b>') ? `${PLANTED}x` : PLANTED);
      assert.equal(faults.length, expected.length, faults.join('\n'));
      for (const [at, pattern] of expected.entries()) assert.match(faults[at], pattern);
    });
  }

  it('may be slow where the list says why, in that file alone', async () => {
    const slow = 'export const e = /(a|a)*$/;';
    assert.deepEqual(await faultsOf(slow, { [PLANTED]: { '/(a|a)*$/': 'three characters' } }), []);
    assert.equal((await faultsOf(slow, { [SOUND]: { '/0+$/': 'nine digits', '/(a|a)*$/': 'x' } })).length, 2);
  });

  it('leave the list when they leave the source', async () => {
    const faults = await faultsOf('export const e = 1;', { [PLANTED]: { '/b+$/': 'three characters' } });
    assert.deepEqual(faults, [`scripts/expressions.json: not used: ${PLANTED}: /b+$/`]);
  });

  it('are found in every place of a source', () => {
    const source =
      'class A { #b = /1/; c(d = /2/) { return d ? [/3/y] : `${/4/.source}`; } } const E = new RegExp("5");';
    const found = expressionsOf(source).map(({ expression }) => expression?.source);
    assert.deepEqual(found.toSorted(), ['1', '2', '3', '4', '5']);
  });
});
