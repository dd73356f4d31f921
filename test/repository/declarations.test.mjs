import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { exportsOf } from '../../scripts/declarations.mjs';

/** What `index.d.ts` exports, among these files. */
function exportsAmong(files) {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const fileOf = (specifier) => (specifier === '@x/other' ? join(folder, 'other.d.ts') : undefined);
    return Object.fromEntries(exportsOf(join(folder, 'index.d.ts'), fileOf));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the exported declarations', () => {
  for (const [name, files, expected] of [
    [
      'are of every form, without those that stay in the file',
      {
        'index.d.ts': `import type { B } from './b.js';\ninterface Local {\n    b: B;\n}\nexport interface A {\n    a: Local;\n}\nexport type C = string;\nexport declare const d: C;\nexport declare abstract class E {\n}\nexport {};\n`,
      },
      {
        A: 'export interface A {\n    a: Local;\n}',
        C: 'export type C = string;',
        d: 'export declare const d: C;',
        E: 'export declare abstract class E {\n}',
      },
    ],
    [
      'have no comments and no private members',
      {
        'index.d.ts': `/** Why. */\nexport declare class A {\n    #private;\n    /**\n     * How.\n     */\n    readonly type: '*/*';\n    private b;\n}\n//# sourceMappingURL=index.d.ts.map\n`,
      },
      { A: `export declare class A {\n    readonly type: '*/*';\n}` },
    ],
    [
      'have all overloads',
      { 'index.d.ts': 'export declare function f(a: string): void;\nexport declare function f(a: number): void;\n' },
      { f: 'export declare function f(a: string): void;\nexport declare function f(a: number): void;' },
    ],
    [
      'come from other files, under the names that the file gives them',
      {
        'index.d.ts': `export * from './b.js';\nexport { c as d, type E } from '@x/other';\nexport { outside } from 'other';\n`,
        'b.d.ts': `declare const b: 1;\nexport { b as a };\n`,
        'other.d.ts': 'export declare const c: 2;\nexport type E = 3;\nexport type F = 4;\n',
      },
      {
        a: '// as a\ndeclare const b: 1;',
        d: '// as d\nexport declare const c: 2;',
        E: 'export type E = 3;',
        outside: `export { outside } from 'other';`,
      },
    ],
  ]) {
    it(name, () => assert.deepEqual(exportsAmong(files), expected));
  }

  it('are read completely or not at all', () => {
    assert.throws(
      () => exportsAmong({ 'index.d.ts': 'export default class {\n}\n' }),
      /cannot read export default class/,
    );
    assert.throws(() => exportsAmong({ 'index.d.ts': 'export { a };\n' }), /cannot find the declaration of a$/);
  });
});
