import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { HtmlRewriter } from './html-rewriter.js';

async function rewritten(...pieces: readonly (string | Buffer)[]): Promise<string> {
  const rewriter = new HtmlRewriter((url) => (url.startsWith('/') ? `/p${url}` : url));
  const result = text(rewriter);
  for (const piece of pieces) rewriter.write(piece);
  rewriter.end();
  return result;
}

const pages: readonly (readonly [what: string, page: string, expected: string])[] = [
  ['links', '<a class="x" href="/a">/a</a>', '<a class="x" href="/p/a">/a</a>'],
  ['any quotes and case', `<IMG SRC='/a'><img src=/b alt=/c>`, `<IMG SRC="/p/a"><img src="/p/b" alt=/c>`],
  [
    'several attributes',
    '<form action = "/f"><input src=/a formaction=/b></form>',
    '<form action = "/p/f"><input src="/p/a" formaction="/p/b"></form>',
  ],
  ['a tag that closes itself', '<link href="/a"/>', '<link href="/p/a"/>'],
  ['entities', '<a href="/a?b&amp;c=&quot;">', '<a href="/p/a?b&amp;c=&#34;">'],
  [
    'a script by its source',
    '<script src="/a">let a = "<a href=/b>";</script>',
    '<script src="/p/a">let a = "<a href=/b>";</script>',
  ],
];
const untouched = [
  '<!DOCTYPE html><p>1 < 2 <b>',
  '<a href="a">',
  '<a data-href="/a" hreflang="/b">',
  '<p href="/a">',
  '<!-- <a href="/a"> -->',
  '<style>a { b: "<a href=/b>" }</style>',
  '<title><a href="/a"></title>',
  '<a href="/a',
  '<a href disabled>',
  `<a href="/${'a'.repeat(20_000)}`,
];

describe('HtmlRewriter', () => {
  for (const [what, page, expected] of pages) {
    it(`rewrites ${what}`, async () => {
      assert.equal(await rewritten(page), expected);
      assert.equal(await rewritten(...page.split('')), expected);
    });
  }

  for (const page of untouched) {
    it(`leaves ${page.slice(0, 40)}`, async () => assert.equal(await rewritten(page), page));
  }

  it('takes time in proportion to tags that arrive in single characters', async () => {
    for (const page of [`<a ${'x'.repeat(16_000)}>`, `<!--${'-'.repeat(16_000)}>`, `<a x="${'>'.repeat(16_000)}">`]) {
      assert.equal(await rewritten(...`${page}<a href="/b">`.split('')), `${page}<a href="/p/b">`);
    }
  });

  it('leaves the process to others between the pieces of many pages', async (context) => {
    await nextLoop();
    let time = 0;
    context.mock.method(performance, 'now', () => (time += 2));
    const state = { isOver: false };
    const pages = Promise.all(Array.from({ length: 20 }, () => rewritten('<a href="/a">', '<a href="/b">'))).then(
      (results) => {
        state.isOver = true;
        return results;
      },
    );
    let loops = 0;
    for (; !state.isOver; loops++) await nextLoop();
    assert.deepEqual(new Set(await pages), new Set(['<a href="/p/a"><a href="/p/b">']));
    assert.ok(loops > 10, `40 pieces in ${loops} turns of the loop`);
  });

  it('keeps characters that are split between pieces', async () => {
    const bytes = Buffer.from('<a href="/ü">ü</a>');
    assert.equal(await rewritten(...Array.from(bytes, (byte) => Buffer.from([byte]))), '<a href="/p/ü">ü</a>');
  });

  for (const [what, page] of [
    ['tags that never end', '<a '.repeat(300_000)],
    ['long names of elements', `<${'a'.repeat(60_000)}`.repeat(10)],
    ['long names of attributes', `<a ${'a'.repeat(60_000)}>`.repeat(10)],
    ['names before much space', `<a a${' '.repeat(60_000)}>`.repeat(10)],
    ['quotes', `<a ${'"'.repeat(60_001)}`.repeat(10)],
    ['values that are missing', `<a ${'href= '.repeat(10_000)}>`.repeat(10)],
  ] as const) {
    it(`takes time in proportion to a page of ${what}`, async () => assert.equal(await rewritten(page), page));
  }
});
