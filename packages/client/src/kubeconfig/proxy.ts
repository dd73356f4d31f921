/**
 * The proxy for a server according to HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Undefined if none applies. Upstream: Go's
 * `http.ProxyFromEnvironment`.
 */
export function proxyFromEnvironment(
  server: string,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const name = protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = variables[name.toUpperCase()] ?? variables[name] ?? '';
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (proxy === '' || isLoopback(host)) return undefined;
  const exceptions = (variables['NO_PROXY'] ?? variables['no_proxy'] ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase());
  const actualPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  if (exceptions.some((exception) => covers(exception, host, actualPort))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Matches `*`, `example.com` (with subdomains), `.example.com` (subdomains only), an address or a CIDR, each with an optional port. */
function covers(exception: string, host: string, port: string): boolean {
  if (exception === '' || exception === '*') return exception === '*';
  const range = /^(\d+\.\d+\.\d+\.\d+)\/(\d{1,2})$/.exec(exception);
  if (range !== null) return inRange(host, range[1] ?? '', Number(range[2]));
  const withPort = /^(.*[^:]):(\d+)$/.exec(exception);
  if (withPort !== null && withPort[2] !== port) return false;
  const name = (withPort?.[1] ?? exception).replace(/^\*(?=\.)/, '').replace(/^\[(.*)\]$/, '$1');
  return name.startsWith('.') ? host.endsWith(name) : host === name || host.endsWith(`.${name}`);
}

function inRange(host: string, base: string, bits: number): boolean {
  const address = ipv4(host);
  const start = ipv4(base);
  if (address === undefined || start === undefined || bits > 32) return false;
  const size = 2 ** (32 - bits);
  return Math.floor(address / size) === Math.floor(start / size);
}

function ipv4(text: string): number | undefined {
  const parts = text.split('.').map(Number);
  if (parts.length !== 4 || !parts.every((part) => Number.isInteger(part) && part >= 0 && part < 256)) return undefined;
  return parts.reduce((address, part) => address * 256 + part, 0);
}
