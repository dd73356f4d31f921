import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomOf, seededRandom } from '@binnacle/apimachinery/clock';
import { parsePortRange, PortBitmap } from './port-bitmap.js';
import { BitmapChooser, DryRunChooser } from './port-chooser.js';

const usual = parsePortRange('30000-32767');

describe('parsePortRange', () => {
  for (const [text, first, last] of [
    ['30000-32767', 30000, 32767],
    ['30000+100', 30000, 30100],
    ['8080', 8080, 8080],
  ] as const) {
    it(`reads ${text}`, () => assert.deepEqual(parsePortRange(text), { first, last, text: `${first}-${last}` }));
  }
  for (const text of ['', 'a-b', '0-10', '10-5', '1-70000', '1-2-3']) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => parsePortRange(text), RangeError));
  }
});

describe('PortBitmap', () => {
  it('is stored as one big-endian number whose bit n is the n-th port', () => {
    const bitmap = new PortBitmap(usual);
    bitmap.add(30000);
    bitmap.add(30009);
    assert.deepEqual([...bitmap.toBytes()], [0x02, 0x01]);
    assert.deepEqual([...new PortBitmap(usual, bitmap.toBytes()).taken()], [30000, 30009]);
    bitmap.remove(30009);
    bitmap.remove(30000);
    assert.equal(bitmap.toBytes().length, 0);
  });

  it('leaves ports outside its range alone', () => {
    const bitmap = new PortBitmap(usual);
    bitmap.add(80);
    bitmap.remove(80);
    assert.equal(bitmap.has(80), false);
    assert.deepEqual([...bitmap.taken()], []);
  });
});

describe('BitmapChooser', () => {
  it('takes ports after the static block first, and every port once', () => {
    const bitmap = new PortBitmap(parsePortRange('30000-30031'));
    const chooser = new BitmapChooser(
      bitmap,
      randomOf(() => 0),
    );
    assert.equal(chooser.takeAny(), 30016);
    for (let count = 1; count < 32; count++) assert.notEqual(chooser.takeAny(), undefined);
    assert.equal(chooser.takeAny(), undefined);
    assert.equal(new Set(chooser.chosen).size, 32);
  });

  it('says why a port is not available', () => {
    const chooser = new BitmapChooser(new PortBitmap(usual), seededRandom(1));
    assert.equal(chooser.take(30080), undefined);
    assert.equal(chooser.take(30080), 'provided port is already allocated');
    assert.equal(chooser.take(80), 'provided port is not in the valid range. The range of valid ports is 30000-32767');
  });
});

describe('DryRunChooser', () => {
  it('makes up ports', () => {
    const bitmap = new PortBitmap(usual);
    bitmap.add(30080);
    const chooser = new DryRunChooser(bitmap);
    assert.equal(chooser.takeAny(), 32769);
    assert.equal(chooser.takeAny(), 32770);
    assert.equal(chooser.take(30080), 'provided port is already allocated');
    assert.equal(chooser.take(30081), undefined);
    assert.deepEqual([...bitmap.taken()], [30080]);
  });
});
