import { test } from 'node:test';
import type { ClusterTrustBundle } from '../../generated/types/certificates-v1beta1.js';
import { validateClusterTrustBundle, validateClusterTrustBundleUpdate } from '../index.js';
import { checkRule, checkUpdate } from '../rules.testing.js';

/** Fixtures: CN=ca is an authority, CN=leaf is not. */
const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBcjCCARegAwIBAgIUE9vWujNdoEQN1l3g6mWTbJHZT8MwCgYIKoZIzj0EAwIw
DTELMAkGA1UEAwwCY2EwIBcNMjYxMTIzMDEwMzQwWhgPMjEyNjEwMzAwMTAzNDBa
MA0xCzAJBgNVBAMMAmNhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEOO0+Ozv+
XgCNRyWRc/RFWkFJyPQRTtvx+RPSLYcMXy8yn7Uc45Yx4tGfHQRjQM/GDMGttE3F
Nclq+4CCxu5mbKNTMFEwHQYDVR0OBBYEFIpYjKGE4poGO+08XTgE1EZaza8xMB8G
A1UdIwQYMBaAFIpYjKGE4poGO+08XTgE1EZaza8xMA8GA1UdEwEB/wQFMAMBAf8w
CgYIKoZIzj0EAwIDSQAwRgIhAOwdcbJDgxAx3gzPcutPXFi7g44xP/Qh170ysrOV
by3LAiEAoNAL6S4m91+w6aVrzYUx5XrVxXPjua3F2bb493fS6Jg=
-----END CERTIFICATE-----
`;
const LEAF = `-----BEGIN CERTIFICATE-----
MIIBcTCCARigAwIBAgIUaCaXEP73oYndSkv+HCCo++ox6O8wCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEbGVhZjAgFw0yNjExMjMwMTAzNDBaGA8yMTI2MTAzMDAxMDM0
MFowDzENMAsGA1UEAwwEbGVhZjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGmP
oqe4EhDEB82Q5NL/SCbFYDpeQdAgsP3MSKlh0UbN1q+t6fMnXspIR2ghlzzJLCcr
BSm7qI/WIvbA4vSpF7WjUDBOMB0GA1UdDgQWBBRAdylQiw3gprnnY2ZRcVtXx2qq
4TAfBgNVHSMEGDAWgBRAdylQiw3gprnnY2ZRcVtXx2qq4TAMBgNVHRMBAf8EAjAA
MAoGCCqGSM49BAMCA0cAMEQCIB5zSRXCMZHDZW34o5dCwsNOK2w88zLYm/XNtGDa
Bp2HAiBm2G5E4ncGG5HzvWc0YCkQ+3yIQHdWD5oiC+OiD1ZC9Q==
-----END CERTIFICATE-----
`;

const bundle: ClusterTrustBundle = {
  metadata: { name: 'a.com:x:one', uid: 'u', resourceVersion: '1' },
  spec: { signerName: 'a.com/x', trustBundle: `roots of a.com\n${AUTHORITY}` },
};

function spec(fields: object): (object: ClusterTrustBundle) => void {
  return (object) => Object.assign(object.spec, fields);
}

function named(name: string, signerName: string): (object: ClusterTrustBundle) => void {
  return (object) => {
    object.metadata = { ...object.metadata, name };
    object.spec.signerName = signerName;
  };
}

function omitted(detail: string): string {
  return `spec.trustBundle: Invalid value: "<value omitted>": ${detail}`;
}

const PREFIX = 'ClusterTrustBundle for signerName a.com/x must be named with prefix a.com:x:';
const COLON = 'ClusterTrustBundle without signer name must not have ":" in its name';
const DUPLICATE = 'duplicate trust anchor (indices [0 1])';

test('cluster trust bundles', () => {
  checkRule(validateClusterTrustBundle, bundle, [
    [named('plain', ''), []],
    [named('one', 'a.com/x'), [`metadata.name: Invalid value: "one": ${PREFIX}`]],
    [named('a.com:x:one', ''), [`metadata.name: Invalid value: "a.com:x:one": ${COLON}`]],
    [
      named('x:y', 'x'),
      [
        'spec.signerName: Invalid value: "x": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
      ],
    ],
    [
      (object) => (object.metadata = { name: 'a.com:x:one', generateName: 'g-' }),
      [`metadata.generateName: Invalid value: "g-": ${PREFIX}`],
    ],
    [spec({ trustBundle: '' }), [omitted('at least one trust anchor must be provided')]],
    [
      spec({ trustBundle: 'x'.repeat(2 ** 20 + 1) }),
      ['spec.trustBundle: Too long: may not be more than 1048576 bytes'],
    ],
    [spec({ trustBundle: `${AUTHORITY}${AUTHORITY}` }), [omitted(DUPLICATE)]],
    [spec({ trustBundle: `${AUTHORITY}${LEAF}` }), [omitted('entry 1 does not have the CA bit set')]],
    [
      spec({ trustBundle: AUTHORITY.replaceAll('CERTIFICATE', 'PRIVATE KEY') }),
      [omitted('entry 0 has bad block type: PRIVATE KEY')],
    ],
    [
      spec({ trustBundle: AUTHORITY.replace('-----\n', '-----\nX: y\n\n') }),
      [omitted('entry 0 has PEM block headers')],
    ],
    [
      spec({ trustBundle: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' }),
      [omitted('entry 0 does not parse as X.509')],
    ],
  ]);
});

test('which fields of a cluster trust bundle may change', () => {
  checkUpdate(validateClusterTrustBundleUpdate, bundle, [
    [spec({ trustBundle: LEAF }), [omitted('entry 0 does not have the CA bit set')]],
    [
      spec({ signerName: 'a.com/y' }),
      [
        'metadata.name: Invalid value: "a.com:x:one": ClusterTrustBundle for signerName a.com/y must be named with prefix a.com:y:',
        'spec.signerName: Invalid value: "a.com/y": field is immutable',
      ],
    ],
  ]);
  const stored = { ...bundle, spec: { ...bundle.spec, trustBundle: 'no longer readable' } };
  checkUpdate(validateClusterTrustBundleUpdate, stored, [
    [(object) => (object.metadata = { ...object.metadata, labels: { a: 'b' } }), []],
  ]);
});
