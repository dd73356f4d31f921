import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Network } from './index.js';
import { Trial } from './shell.testing.js';

const network: Network = {
  lookUp: async (name) =>
    name === 'web' ? { name: 'web.shop.svc.cluster.local', addresses: ['10.0.0.7', '10.0.0.8'] } : undefined,
  get: async (name, port, path) => (port === 80 ? `${name} ${path}\n` : undefined),
};
const run = (text: string) => new Trial(new Map(), network).run(['sh', '-c', text]);

describe('names of the cluster in the shell', () => {
  for (const [text, expected] of [
    [
      'nslookup web',
      'Server:\t\tsimulated\n\nName:\tweb.shop.svc.cluster.local\nAddress: 10.0.0.7\nName:\tweb.shop.svc.cluster.local\nAddress: 10.0.0.8\n0',
    ],
    ['nslookup gone', "Server:\t\tsimulated\n\n** server can't find gone: NXDOMAIN\n\n1"],
    ['nslookup -type=a web', '!nslookup: the simulated nslookup knows only `nslookup NAME`\n1'],
    ['curl -sS http://web/a?b', 'web /a?b\n0'],
    ['curl web', 'web /\n0'],
    ['curl gone', '!curl: (6) Could not resolve host: gone\n6'],
    ['curl web:81', '!curl: (7) Failed to connect to web port 81: Connection refused\n7'],
    ['curl https://web', '!curl: (3) the simulated network knows only http:// URLs\n1'],
    ['curl -X POST web', '!curl: the simulated curl knows only `curl [-s] [-S] [-f] [-L] [-k] URL`\n2'],
    ['wget -qO- web/x', 'web /x\n0'],
    ['wget -O - web', 'web /\n0'],
    ['wget -qO- gone', "!wget: bad address 'gone'\n1"],
    ['wget -qO- web:81', "!wget: can't connect to remote host (web:81): Connection refused\n1"],
    ['wget web', '!wget: the simulated wget knows only `wget -qO- URL`\n1'],
  ] as const) {
    it(text, async () => assert.equal(await run(text), expected));
  }

  it('are unknown without a network', async () => {
    assert.equal(await new Trial().run(['curl', 'web']), '!curl: (6) Could not resolve host: web\n6');
  });
});
