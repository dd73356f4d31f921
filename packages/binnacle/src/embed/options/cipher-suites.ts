/** The suites of TLS 1.3 in common use. As in upstream, no list turns them off. */
const ALWAYS = ['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'];

/** OpenSSL's names of the suites of TLS 1.2, by the names of IANA and of Go. */
const SUITES: ReadonlyMap<string, string> = new Map([
  ...['ECDSA', 'RSA'].flatMap((key) =>
    [
      ['AES_128_GCM_SHA256', 'AES128-GCM-SHA256'],
      ['AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
      ['CHACHA20_POLY1305', 'CHACHA20-POLY1305'],
      ['CHACHA20_POLY1305_SHA256', 'CHACHA20-POLY1305'],
      ['AES_128_CBC_SHA', 'AES128-SHA'],
      ['AES_128_CBC_SHA256', 'AES128-SHA256'],
      ['AES_256_CBC_SHA', 'AES256-SHA'],
    ].map(([name, own]) => [`TLS_ECDHE_${key}_WITH_${name}`, `ECDHE-${key}-${own}`] as const),
  ),
  ['TLS_RSA_WITH_AES_128_GCM_SHA256', 'AES128-GCM-SHA256'],
  ['TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
  ['TLS_RSA_WITH_AES_128_CBC_SHA', 'AES128-SHA'],
  ['TLS_RSA_WITH_AES_128_CBC_SHA256', 'AES128-SHA256'],
  ['TLS_RSA_WITH_AES_256_CBC_SHA', 'AES256-SHA'],
]);

/**
 * OpenSSL's list of the suites with these names, in this order. Throws a RangeError in upstream's words at a name that is
 * unknown. Upstream: component-base `cli/flag/ciphersuites_flag.go`.
 */
export function cipherList(names: readonly string[]): string {
  const chosen = names
    .filter((name) => !ALWAYS.includes(name))
    .map((name) => {
      const suite = SUITES.get(name);
      if (suite === undefined) throw new RangeError(`Cipher suite ${name} not supported or doesn't exist`);
      return suite;
    });
  return [...ALWAYS, ...chosen].join(':');
}
