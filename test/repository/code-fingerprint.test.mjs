import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { codeFingerprint } from '../../scripts/code-fingerprint.mjs';
import { repositoryRoot } from '../../scripts/test-files.mjs';

/** As if a file had been changed before the build; `file`: the end of its path. */
const changed = (file, from, to) => ({
  name: 'changed',
  setup({ onLoad }) {
    onLoad({ filter: new RegExp(`${file.replaceAll('.', '\\.')}$`) }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      assert.ok(text.includes(from), `${path} has no ${from}`);
      return { contents: text.replace(from, to), loader: path.endsWith('.json') ? 'copy' : 'js' };
    });
  },
});

const fingerprint = (...change) => codeFingerprint(repositoryRoot, change.length === 0 ? [] : [changed(...change)]);

describe('the fingerprint of the code that decides the stored form', () => {
  it('is what the build has written', async () => {
    const file = `${repositoryRoot}/packages/apiserver/dist/codec/code-fingerprint.json`;
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { code: await fingerprint() });
  });

  it('changes with a default of the table, a rule of defaulting and the encoder, and not with a comment', async () => {
    const now = await fingerprint();
    const different = [
      await fingerprint('generated/types.json', '"default":"Shared"', '"default":"Other"'),
      await fingerprint('dist/defaults/pod.js', 'enableServiceLinks ??= true', 'enableServiceLinks ??= false'),
      await fingerprint('dist/serializer/encode.js', 'return', 'debugger; return'),
    ];
    assert.equal(new Set([now, ...different]).size, 1 + different.length);
    assert.equal(
      await fingerprint('dist/defaults/pod.js', 'enableServiceLinks ??=', '/* a comment */ enableServiceLinks ??='),
      now,
    );
  });
});
