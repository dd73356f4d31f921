/**
 * Writes `packages/apiserver/dist/codec/code-fingerprint.json`: a digest of all code and data that decides which bytes an object is stored in,
 * that is, of all that the codecs import. Stored values carry it, so that a server trusts the values that the same code has written.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFiles } from './bundle.mjs';

const CODECS = ['dist/codec/index.js', 'dist/codec/custom/index.js'];

/** `plugins`: for tests, which change the sources. */
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
    // Comments and line breaks do not affect the stored form.
    minifyWhitespace: true,
    // The digest cannot cover its own file.
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
