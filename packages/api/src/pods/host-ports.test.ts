import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostPortsOf, TakenPorts } from './index.js';

const ports = (hostPort: number, hostIP?: string, protocol?: string) =>
  hostPortsOf({ containers: [{ ports: [{ hostPort, hostIP, protocol }] }] });

describe('TakenPorts', () => {
  for (const [what, taken, wanted, isTaken] of [
    ['the same port', ports(80), ports(80), true],
    ['another port', ports(80), ports(81), false],
    ['another protocol', ports(80), ports(80, '', 'UDP'), false],
    ['another address', ports(80, '10.0.0.1'), ports(80, '10.0.0.2'), false],
    ['all addresses', ports(80, '10.0.0.1'), ports(80), true],
    ['an address of all', ports(80), ports(80, '10.0.0.1'), true],
  ] as const) {
    it(`${isTaken ? 'refuses' : 'permits'} ${what}`, () => {
      const all = new TakenPorts();
      all.add(taken);
      assert.equal(all.hasOneOf(wanted), isTaken);
      all.add(taken);
      all.remove(taken);
      assert.equal(all.hasOneOf(wanted), isTaken, 'one of two pods has gone');
      all.remove(taken);
      assert.equal(all.hasOneOf(wanted), false);
    });
  }
});
