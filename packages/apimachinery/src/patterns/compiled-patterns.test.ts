import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RE2JS } from 're2js';
import { CompiledPatterns } from './compiled-patterns.js';
import { rememberedBytes } from './pattern-engine.js';

const MEBIBYTE = 1024 * 1024;
const compiled = (patterns: CompiledPatterns, source: string): RE2JS => {
  const made = patterns.get(source);
  assert.ok(made instanceof RE2JS, source);
  return made;
};
/** Each text of a and b leads to sets of states that no other one has met. */
const forgetful = '(a|b)*a(a|b){14}$';
const text = Array.from({ length: 20_000 }, (_, at) => ((at * at * 7) % 13 < 6 ? 'a' : 'b')).join('');

describe('compiled patterns', () => {
  it('are compiled once, and paid for once', () => {
    const patterns = new CompiledPatterns(MEBIBYTE, MEBIBYTE);
    const paid: number[] = [];
    const first = patterns.get('a+b', (work) => paid.push(work));
    assert.equal(
      patterns.get('a+b', (work) => paid.push(work)),
      first,
    );
    assert.deepEqual(paid, [150]);
  });

  it('are not compiled by one who cannot pay', () => {
    const patterns = new CompiledPatterns(MEBIBYTE, MEBIBYTE);
    const refuse = () => assert.fail('too costly');
    assert.throws(() => patterns.get('a+b', refuse), /too costly/);
    assert.throws(() => patterns.get('a+b', refuse), /too costly/);
  });

  for (const [source, fault] of [
    ['a**', /^error parsing regexp: invalid nested repetition operator: `\*\*`$/],
    ['(', /^error parsing regexp: missing closing \): `\(`$/],
    ['('.repeat(900_000), /^error parsing regexp: expression too large$/],
    [`[${'\\pL'.repeat(230_000)}]`, /^error parsing regexp: expression too large$/],
  ] as const) {
    it(`name the fault of ${source.slice(0, 10)}`, () => {
      const made = new CompiledPatterns(MEBIBYTE, MEBIBYTE).get(source, () => {});
      assert.match(String(made), fault);
    });
  }

  it('are dropped by their states, not by their number: the least recently used first', () => {
    const patterns = new CompiledPatterns(MEBIBYTE, MEBIBYTE);
    const small = compiled(patterns, 'small');
    const large = compiled(patterns, '0a{1000}');
    for (let n = 1; n < 10; n++) {
      compiled(patterns, `${n}a{1000}`);
      assert.equal(patterns.get('small'), small);
    }
    assert.notEqual(patterns.get('0a{1000}'), large);
  });

  it('find, and tell whether a text matches', () => {
    const patterns = new CompiledPatterns(MEBIBYTE, MEBIBYTE);
    const pattern = compiled(patterns, 'b+');
    assert.deepEqual(patterns.find(pattern, 'abbabb', 3), { start: 4, end: 6 });
    assert.equal(patterns.find(pattern, 'abba', 3), undefined);
    assert.equal(patterns.matches(pattern, 'abba'), true);
    assert.equal(patterns.matches(pattern, 'aa'), false);
  });

  it('forget the states that they have met when these are too many together', () => {
    const patterns = new CompiledPatterns(100 * MEBIBYTE, MEBIBYTE);
    let most = 0;
    const all = Array.from({ length: 20 }, (_, n) => compiled(patterns, `${forgetful}|${n}`));
    for (const pattern of all) {
      patterns.matches(pattern, text);
      most = Math.max(
        most,
        all.reduce((sum, each) => sum + rememberedBytes(each), 0),
      );
    }
    assert.ok(most <= MEBIBYTE, `${most} bytes`);
    assert.ok(most > 0, 'the engine keeps no states where they are measured');
  });
});
