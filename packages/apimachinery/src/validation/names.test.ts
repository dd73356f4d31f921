import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatIpAddress,
  fullNameIsDnsSubdomain,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  parseIpAddress,
  utf8Length,
  validateCidr,
  validateCidrForLegacyField,
  validateConfigMapKey,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateEnvironmentVariableName,
  validateIp,
  validateIpForLegacyField,
  validateLabelKey,
  validateLabelValue,
  validatePercent,
  validatePortName,
} from './index.js';

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

test('DNS names', () => {
  for (const good of ['a', 'a.b', '0-a.1']) assert.deepEqual(validateDns1123Subdomain(good), []);
  for (const bad of ['', 'A', 'a..b', '-a', 'a-', 'a.', 'a\n', 'é']) {
    assert.deepEqual(validateDns1123Subdomain(bad), [subdomainText], bad);
  }
  assert.deepEqual(validateDns1123Subdomain('a'.repeat(254)), ['must be no more than 253 characters']);
  assert.deepEqual(validateDns1123Label('a.b'), ['must not contain dots']);
  assert.deepEqual(validateDns1123Label('C_'), [labelText]);
  assert.deepEqual(nameIsDnsSubdomain('web-', true), []);
  assert.equal(nameIsDnsSubdomain('web-', false).length, 1);
});

test('validating a hostile name takes linear time', () => {
  const started = process.cpuUsage().user;
  validateDns1123Subdomain(`${'a.'.repeat(200_000)}!`);
  validateLabelKey(`${'a-'.repeat(200_000)}!`);
  assert.ok(process.cpuUsage().user - started < 2_000_000);
});

test('only the full name', () => {
  assert.deepEqual(fullNameIsDnsSubdomain('A_b', true), []);
  assert.deepEqual(fullNameIsDnsSubdomain('a%b', true), ["may not contain '%'"]);
  assert.deepEqual(fullNameIsDnsSubdomain('a.b', false), []);
  assert.equal(fullNameIsDnsSubdomain('A_b', false).length, 1);
});

test('path segments', () => {
  assert.deepEqual(nameIsPathSegment('..', false), ["may not be '..'"]);
  assert.deepEqual(nameIsPathSegment('..', true), []);
  assert.deepEqual(nameIsPathSegment('a/%', false), ["may not contain '/'", "may not contain '%'"]);
});

test('label keys and values', () => {
  for (const good of ['a', 'app.kubernetes.io/name', 'A_b.c-1']) assert.deepEqual(validateLabelKey(good), []);
  assert.match(validateLabelKey('bad key!')[0] ?? '', /^name part must consist of .*'MyName', {2}or 'my\.name', {2}or/);
  assert.match(validateLabelKey('a/b/c')[0] ?? '', /^a valid label key must consist/);
  assert.equal(validateLabelKey('/x')[0], 'prefix part must be non-empty');
  assert.equal(validateLabelKey('x/')[0], 'name part must be non-empty');
  assert.equal(validateLabelKey('a'.repeat(64))[0], 'name part must be no more than 63 bytes');
  assert.deepEqual(validateLabelValue(''), []);
  assert.match(validateLabelValue('-bad-')[0] ?? '', /^a valid label must be an empty string/);
});

test('keys, environment variables, ports, percentages', () => {
  assert.deepEqual(validateConfigMapKey('..x'), ["must not start with '..'"]);
  assert.match(validateConfigMapKey('bad key!')[0] ?? '', /^a valid config key/);
  assert.deepEqual(validateEnvironmentVariableName('any thing!'), []);
  assert.match(validateEnvironmentVariableName('=x')[0] ?? '', /other than '='$/);
  assert.deepEqual(validatePortName('http'), []);
  assert.deepEqual(validatePortName('80'), ['must contain at least one letter (a-z)']);
  assert.equal(validatePercent('x%').length, 1);
  assert.equal(utf8Length('aé€😀'), 10);
});

test('IP addresses and prefixes', () => {
  const canonical: [string, string][] = [
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['1::', '1::'],
    ['00001::0000a', '1::a'],
  ];
  for (const [text, shown] of canonical) {
    const address = parseIpAddress(text);
    assert.equal(address && formatIpAddress(address), shown);
  }
  for (const bad of ['', 'x', '1.2.3', '1.2.3.256', '1:2', ':::', '1::2::3', 'fe80::1%eth0', '1:2:3:4:5:6:7:8:9']) {
    assert.equal(parseIpAddress(bad), undefined, bad);
  }
  assert.deepEqual(validateIpForLegacyField('x'), ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']);
  assert.deepEqual(validateIpForLegacyField('010.0.0.1', { strict: false }), []);
  assert.deepEqual(validateIpForLegacyField('010.0.0.1'), ['must not have leading 0s']);
  assert.deepEqual(validateIpForLegacyField('00001::', { strict: false }), []);
  assert.deepEqual(validateIpForLegacyField('00001::'), ['must not have leading 0s']);
  assert.deepEqual(validateIp('FE80::1'), ['must be in canonical form ("fe80::1")']);
  assert.deepEqual(validateCidr('10.0.0.0/8'), []);
  assert.deepEqual(validateCidrForLegacyField('10.0.0.1/8'), ['must not have bits set beyond the prefix length']);
  assert.equal(validateCidrForLegacyField('10.0.0.0').length, 1);
});
