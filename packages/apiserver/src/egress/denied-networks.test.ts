import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeniedNetworks } from './denied-networks.js';

describe('denied networks', () => {
  const cases: readonly (readonly [networks: readonly string[], address: string, denied: boolean])[] = [
    [[], '127.0.0.1', false],
    [[], '::1', false],
    [[], '0.0.0.0', false],
    [[], '10.0.0.1', false],
    [[], '2001:db8::1', false],
    [[], '169.254.169.254', true],
    [[], '::ffff:169.254.169.254', true],
    [[], '::ffff:a9fe:a9fe', true],
    [[], '::a9fe:a9fe', true],
    [[], '64:ff9b::a9fe:a9fe', true],
    [[], '64:ff9b::a00:1', false],
    [[], 'fe80::1', true],
    [[], 'fe80::1%eth0', true],
    [[], 'fd00:ec2::254', true],
    [[], 'fd00:ec2::253', false],
    [[], '100.100.100.200', true],
    [['10.0.0.0/8'], '10.255.0.1', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
    [['::ffff:10.0.0.0/104'], '10.0.0.1', true],
    [['2001:db8::/32'], '2001:db8:1::1', true],
    [['127.0.0.0/8'], '0.0.0.0', true],
    [['::1/128'], '::', true],
    [['127.0.0.0/8'], '::', true],
    [[], 'localhost', true],
    [[], '0177.0.0.1', true],
    [[], '', true],
  ];
  for (const [networks, address, denied] of cases) {
    it(`${networks.join() || 'the default'} ${denied ? 'includes' : 'excludes'} ${address}`, () => {
      assert.equal(new DeniedNetworks(networks).includes(address), denied);
    });
  }

  it('takes CIDRs only', () => {
    for (const text of ['', '10.0.0.1', '10.0.0.0/33', 'example.com/8']) {
      assert.throws(() => new DeniedNetworks([text]), /is not a CIDR, such as 10\.0\.0\.0\/8$/);
    }
  });
});
