import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nodeBlocksOf } from '../loop/index.js';
import { NodeRanges } from './node-ranges.js';

const rangesOf = (clusterCidr: string, reserved = '') => new NodeRanges(nodeBlocksOf({ clusterCidr }), reserved);

const take = (ranges: NodeRanges, ...names: readonly string[]) =>
  names.map((name) => ranges.allocate(name, name)?.join());

describe('the ranges of nodes', () => {
  it('come in order, and released ones after all others', () => {
    const ranges = rangesOf('10.1.0.0/22');
    assert.deepEqual(take(ranges, 'a', 'b'), ['10.1.0.0/24', '10.1.1.0/24']);
    ranges.release('a');
    assert.deepEqual(take(ranges, 'c', 'd', 'e', 'f'), ['10.1.2.0/24', '10.1.3.0/24', '10.1.0.0/24', undefined]);
  });

  it('are of both families', () => {
    const ranges = rangesOf('10.1.0.0/16, fd00:1::/48');
    assert.deepEqual(take(ranges, 'a', 'b'), ['10.1.0.0/24,fd00:1::/64', '10.1.1.0/24,fd00:1:0:1::/64']);
  });

  it('release the block of one family if the other family is full', () => {
    const ranges = rangesOf('10.1.0.0/24,fd00:1::/48');
    assert.deepEqual(take(ranges, 'a', 'b'), ['10.1.0.0/24,fd00:1::/64', undefined]);
    ranges.release('a');
    assert.deepEqual(take(ranges, 'c'), ['10.1.0.0/24,fd00:1:0:2::/64']);
  });

  it('leave out the range of services, and what nodes have', () => {
    const ranges = rangesOf('10.1.0.0/21', '10.1.0.0/23');
    ranges.occupy('old', 'old', ['10.1.2.0/25']);
    ranges.occupy('large', 'large', ['10.1.4.0/23']);
    assert.deepEqual(take(ranges, 'a', 'b', 'c'), ['10.1.3.0/24', '10.1.6.0/24', '10.1.7.0/24']);
  });

  it('are blocks of the length that is given', () => {
    const ranges = new NodeRanges(nodeBlocksOf({ clusterCidr: '10.1.0.0/24', nodeCidrMaskSize: 25 }), '');
    assert.deepEqual(take(ranges, 'a', 'b', 'c'), ['10.1.0.0/25', '10.1.0.128/25', undefined]);
  });

  it('keep a block while another node has it, too', () => {
    const ranges = rangesOf('10.1.0.0/23');
    ranges.occupy('a', 'a', ['10.1.0.0/24']);
    ranges.occupy('b', 'b', ['10.1.0.0/24']);
    ranges.release('a');
    assert.deepEqual(take(ranges, 'c', 'd'), ['10.1.1.0/24', undefined]);
  });

  it('refuse addresses that are not of the cluster', () => {
    const ranges = rangesOf('10.1.0.0/16');
    assert.throws(() => ranges.occupy('a', 'a', ['10.2.0.0/24']), /not of the cluster/);
    assert.throws(() => ranges.occupy('a', 'a', ['x']), /not of the cluster/);
  });
});
