import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { makeTestCertificate, type TestCertificate } from '../../testing/index.js';
import { type Certificate, readCertificate } from './certificate.js';
import { chainsOf } from './certificate-chain.js';

const AUTHORITY = 'basicConstraints=critical,CA:TRUE';
const CLIENT = 'basicConstraints=CA:FALSE';

const read = ({ certificate }: TestCertificate): Certificate => readCertificate(new X509Certificate(certificate));
const make = (name: string, issuer?: TestCertificate, ...extensions: string[]): TestCertificate =>
  makeTestCertificate(`/CN=${name}`, { extensions, ...(issuer === undefined ? {} : { issuer }) });

const root = make('root');
const intermediate = make('intermediate', root, AUTHORITY);

/** How many chains vouch for a certificate, by way of these and of the root. */
const count = (leaf: TestCertificate, sent: readonly TestCertificate[] = [], anchors = [root]): number =>
  chainsOf(read(leaf), sent.map(read), anchors.map(read)).length;

test('a chain ends at a certificate that is trusted, be it an intermediate one', () => {
  const direct = make('direct', root, CLIENT);
  const below = make('below', intermediate, CLIENT);
  assert.equal(count(direct), 1);
  assert.equal(count(direct, [], [direct]), 1);
  assert.equal(count(below), 0);
  assert.equal(count(below, [intermediate]), 1);
  assert.equal(count(below, [], [intermediate]), 1);
  assert.equal(count(below, [intermediate, root], [root, intermediate]), 2);
  assert.equal(count(direct, [root], [make('root')]), 0);
});

test('the uses of a key that let a client in', () => {
  const uses = (value: string): number => count(make('leaf', root, CLIENT, value));
  for (const value of ['clientAuth', 'anyExtendedKeyUsage', 'serverAuth,anyExtendedKeyUsage', '1.2.3,clientAuth']) {
    assert.equal(uses(`extendedKeyUsage=${value}`), 1, value);
  }
  for (const value of ['serverAuth', '1.2.3']) assert.equal(uses(`extendedKeyUsage=${value}`), 0, value);
  assert.equal(uses('keyUsage=critical,keyEncipherment'), 1);
  const narrow = make('narrow', root, AUTHORITY, 'extendedKeyUsage=serverAuth');
  assert.equal(count(make('leaf', narrow, CLIENT), [narrow]), 0);
});

test('certificates that may not sign vouch for none', () => {
  const cases: readonly [string, readonly string[]][] = [
    ['no authority', [CLIENT]],
    ['other uses', [AUTHORITY, 'keyUsage=digitalSignature,cRLSign']],
    ['unknown and critical', [AUTHORITY, '1.2.3.4=critical,DER:0500']],
    ['limits on policies', [AUTHORITY, 'policyConstraints=requireExplicitPolicy:0']],
  ];
  for (const [name, extensions] of cases) {
    const parent = make('parent', root, ...extensions);
    assert.equal(count(make('leaf', parent, CLIENT), [parent]), 0, name);
    assert.equal(count(make('leaf', parent, CLIENT), [], [parent]), 0, `${name}, trusted`);
  }
  const unknown = make('parent', root, AUTHORITY, '1.2.3.4=DER:ff');
  assert.equal(count(make('leaf', unknown, CLIENT), [unknown]), 1);
});

test('a chain is no longer than its certificates allow', () => {
  const first = make('first', root, `${AUTHORITY},pathlen:1`);
  const second = make('second', first, AUTHORITY);
  const third = make('third', second, AUTHORITY);
  assert.equal(count(make('leaf', second, CLIENT), [first, second]), 1);
  assert.equal(count(make('leaf', third, CLIENT), [first, second, third]), 0);
});

test('a client that sends a hundred certificates with the same name ends the search', () => {
  const stranger = make('twin', undefined, AUTHORITY);
  const twin = make('twin', root, AUTHORITY);
  const leaf = make('leaf', twin, CLIENT);
  const strangers = (many: number): TestCertificate[] => Array.from({ length: many }, () => stranger);
  assert.equal(count(leaf, [...strangers(98), twin]), 1);
  assert.equal(count(leaf, [...strangers(99), twin]), 0);
});

test('a signature counts only by a strong hash and a sound key', () => {
  const leaf = read(make('direct', root, CLIENT));
  const weak = { ...leaf, algorithm: sha1 };
  assert.equal(chainsOf(leaf, [], [read(root)]).length, 1);
  assert.equal(chainsOf(weak, [], [read(root)]).length, 0);
});

const sha1Identifier = Buffer.from('300906072a8648ce3d0401', 'hex');
const sha1 = { tag: 0x30, content: sha1Identifier.subarray(2), whole: sha1Identifier };
