import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomOf, seededRandom } from '@binnacle/apimachinery/clock';
import { parsePortRange, PortBitmap } from './port-bitmap.js';
import { BitmapChooser, DryRunChooser } from './port-chooser.js';

const usual = parsePortRange('30000-32767');

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
