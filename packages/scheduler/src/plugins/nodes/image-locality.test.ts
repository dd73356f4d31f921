import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nodeState, podFacts, scoresOf } from '../../testing/index.js';
import { imageLocality } from '../index.js';

const MEBIBYTE = 1024 * 1024;

describe('ImageLocality', () => {
  it('prefers nodes that have large images of the pod', () => {
    const images = (size: number) => [{ names: ['app:1', 'app@sha256:0'], sizeBytes: size * MEBIBYTE }];
    const nodes = [
      nodeState('none'),
      nodeState('small', { images: images(40) }),
      nodeState('large', { images: images(2000) }),
    ];
    // Two of three nodes have the image, so two thirds of its size count.
    assert.deepEqual(scoresOf(imageLocality, podFacts('p'), nodes), { none: 0, small: 0, large: 100 });
  });

  it('reads a name without a tag as latest', () => {
    const nodes = [nodeState('n', { images: [{ names: ['host:5000/app:latest'], sizeBytes: 1000 * MEBIBYTE }] })];
    assert.deepEqual(scoresOf(imageLocality, podFacts('p', { image: 'host:5000/app' }), nodes), { n: 100 });
  });
});
