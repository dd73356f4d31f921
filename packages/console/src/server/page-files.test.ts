import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readPageFiles } from './page-files.js';

const MOST_BYTES = 60 * 1024;

describe('the page', () => {
  it('is small', async () => {
    const files = await readPageFiles();
    const bytes = Array.from(files.values(), ({ text }) => gzipSync(text).length).reduce((sum, each) => sum + each, 0);
    assert.ok(bytes < MOST_BYTES, `${bytes} bytes compressed`);
  });

  it('loads nothing from another origin, and has no code in its document', async () => {
    const files = await readPageFiles();
    const document = files.get('/')?.text ?? '';
    const sources = Array.from(document.matchAll(/(?:src|href)="([^"]*)"/g), ([, path]) => path);
    assert.deepEqual(sources, ['/page.css', '/page.js']);
    assert.doesNotMatch(document, /<style|style=|<script(?! type="module" src="\/page.js"><\/script>)|\son\w+=/);
    assert.doesNotMatch(files.get('/page.css')?.text ?? '', /url\(|@import/);
    assert.doesNotMatch(files.get('/page.js')?.text ?? '', /\beval\(|new Function|innerHTML\s*=\s*[^=]*\+/);
  });

  it('must be complete', async () => {
    await assert.rejects(readPageFiles(new URL('data:application/json,{}')), /ERR|must be|lacks/);
  });
});
