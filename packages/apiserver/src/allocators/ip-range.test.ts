import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomOf } from '@binnacle/apimachinery/clock';
import { parseIpAddress } from '@binnacle/apimachinery/validation';
import { IpRange, parseIpRanges } from './ip-range.js';

function contains(range: IpRange, ip: string): boolean {
  const address = parseIpAddress(ip);
  assert.ok(address);
  return range.contains(address);
}

describe('IpRange', () => {
  it('leaves out the network and the broadcast address', () => {
    const range = new IpRange('10.0.0.77/24');
    assert.equal(range.text, '10.0.0.0/24');
    assert.equal(range.first, '10.0.0.1');
    assert.deepEqual(
      ['10.0.0.0', '10.0.0.1', '10.0.0.254', '10.0.0.255', '10.0.1.1', 'fd00::1'].map((ip) => contains(range, ip)),
      [false, true, true, false, false, false],
    );
  });

  it('includes the last address of an IPv6 network', () => {
    const range = new IpRange('fd00::/112');
    assert.equal(range.first, 'fd00::1');
    assert.equal(contains(range, 'fd00::ffff'), true);
    assert.equal(contains(range, 'fd00::'), false);
  });

  for (const text of ['10.0.0.0/24', '10.0.0.0/28', '10.0.0.0/30', 'fd00::/120']) {
    it(`offers every address of ${text} once`, () => {
      const range = new IpRange(text);
      for (const place of [0, 0.5, 0.999_999]) {
        const offered = [...range.candidates(randomOf(() => place))];
        assert.equal(new Set(offered).size, offered.length);
        assert.ok(offered.every((ip) => contains(range, ip)));
        const hosts = text.includes(':') ? 255 : 2 ** (32 - Number(text.split('/')[1])) - 2;
        assert.equal(offered.length, hosts);
      }
    });
  }

  it('offers the addresses after the static block first', () => {
    const offered = [...new IpRange('10.0.0.0/24').candidates(randomOf(() => 0))];
    assert.equal(offered[0], '10.0.0.17');
    assert.equal(offered.at(-1), '10.0.0.16');
  });

  it('offers no address in a network without hosts', () => {
    assert.deepEqual([...new IpRange('10.0.0.0/32').candidates(randomOf(() => 0))], []);
    assert.deepEqual([...new IpRange('10.0.0.0/31').candidates(randomOf(() => 0))], []);
  });

  it('starts anywhere in a huge range without enumerating it', () => {
    const [ip] = new IpRange('fd00::/64').candidates(randomOf(() => 0.5));
    assert.equal(contains(new IpRange('fd00::/64'), ip ?? ''), true);
  });

  it('reads one range or two, and rejects invalid ones', () => {
    assert.deepEqual(
      parseIpRanges('10.0.0.0/16, fd00::/108').map(({ family }) => family),
      ['IPv4', 'IPv6'],
    );
    assert.throws(() => parseIpRanges('10.0.0.0'), RangeError);
    assert.throws(() => parseIpRanges(''), RangeError);
  });
});
