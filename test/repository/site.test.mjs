import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { COLUMNS, drawScreen } from '../../scripts/first-minute/screen.mjs';
import { repositoryRoot } from '../../scripts/test-files.mjs';
import { sidebarOf } from '../../site/.vitepress/sidebar.mjs';
import { targetOn } from '../../site/.vitepress/targets.mjs';

describe('the sidebar of the site', () => {
  const links = sidebarOf(repositoryRoot).flatMap(({ items }) => items.map(({ link }) => link));

  it('leads to pages that exist', () => {
    const missing = links.filter((link) => !existsSync(join(repositoryRoot, `${link}.md`)));
    assert.deepEqual(missing, []);
  });

  it('has every page of docs/', () => {
    const pages = readdirSync(join(repositoryRoot, 'docs')).filter(
      (name) => name.endsWith('.md') && name !== 'README.md',
    );
    assert.ok(pages.length > 20);
    assert.deepEqual(
      pages.filter((name) => !links.includes(`/docs/${name.slice(0, -3)}`)),
      [],
    );
  });
});

describe('a link on the site', () => {
  const docs = join(repositoryRoot, 'docs');
  for (const [target, expected] of [
    ['https://example.com/a.md', 'https://example.com/a.md'],
    ['#start', '#start'],
    ['laptop.md#start', 'laptop.md#start'],
    ['../packages/client/README.md', '../packages/client/README.md'],
    ['../packages/client', '../packages/client/README.md'],
    ['../packages/client/#use', '../packages/client/README.md#use'],
    ['../test/oracle/README.md', undefined],
    ['../packages/binnacle/package.json', undefined],
    ['../scripts', undefined],
  ]) {
    it(`${target} is ${expected ?? 'plain text'}`, () => {
      assert.equal(targetOn(target, { folder: docs, root: repositoryRoot }), expected);
    });
  }
});

describe('the drawing of a terminal', () => {
  const lines = [
    { at: 1, typedFrom: 0.5, text: '$ echo "<a> & b"' },
    { at: 2, text: '<a> & b' },
    ...Array.from({ length: 30 }, (_, index) => ({ at: 3, text: `line ${index}` })),
  ];
  const drawn = drawScreen(lines);

  it('has each line, escaped', () => {
    assert.equal(drawn.match(/<text /g).length, lines.length);
    assert.ok(drawn.includes('>&lt;a&gt; &amp; b</text>'));
    assert.ok(drawn.includes('aria-label="A terminal: echo &quot;&lt;a&gt; &amp; b&quot;"'));
  });

  it('plays for six seconds longer than its lines, and scrolls by those that do not fit', () => {
    assert.match(drawn, /animation-duration: 9s/);
    assert.match(drawn, /100% \{ transform: translateY\(-160px\) \}/);
    assert.ok(COLUMNS > 80);
  });

  it('types commands only', () => {
    assert.equal(drawn.match(/@keyframes l\d+ \{0% \{ clip-path/g).length, 1);
  });
});
