/**
 * Writes `packages/apiserver/dist/codec/code-fingerprint.json`: a digest of all code and data that decides which bytes an object is stored in,
 * that is, of what the codecs reach by imports. Stored values bear it, so that a server trusts those that the same code has written.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFiles } from './bundle.mjs';

const CODECS = ['dist/codec/index.js', 'dist/codec/custom/index.js'];

/** `plugins`: of a test that changes what is read. */
export async function codeFingerprint(root, plugins = []) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: join(root, 'packages/apiserver'),
    entryPoints: CODECS,
    outdir: 'nowhere',
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    // Comments and line breaks decide nothing.
    minifyWhitespace: true,
    // The digest cannot be a part of itself.
    external: ['*/code-fingerprint.json'],
    plugins: [...plugins, dataFiles],
    loader: { '.json': 'copy' },
    assetNames: '[name]',
    logLevel: 'warning',
  });
  const hash = createHash('sha256');
  for (const { contents } of outputFiles) hash.update(`${contents.length}\n`).update(contents);
  return hash.digest('hex');
}

export async function writeCodeFingerprint(root) {
  const folder = join(root, 'packages/apiserver/dist/codec');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'code-fingerprint.json'), JSON.stringify({ code: await codeFingerprint(root) }));
}
