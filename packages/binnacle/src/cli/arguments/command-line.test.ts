import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { serveOptions } from './serve-options.js';
import { idleFlags, missingFlags } from './upstream-flags.js';

const textOf = (...args: string[]) => {
  const request = parseCommandLine(args);
  return 'text' in request ? `${request.command}: ${request.text}` : request.command;
};

const fork = {
  action: 'fork',
  scope: {},
  at: undefined,
  name: undefined,
  port: undefined,
  file: undefined,
  sharesCredentials: false,
  list: false,
  remove: undefined,
} as const;

describe('command line', () => {
  it('serve accepts every option of the table, after a space or =', () => {
    const values = {
      text: 'value',
      texts: 'one',
      port: '7443',
      seconds: '60',
      duration: '1m30s',
      bytes: '2Gi',
      rate: '12.5',
      decimal: '0.05',
      share: '0.5',
      count: '40',
      switch: 'true',
    };
    const separate = serveOptions.flatMap(({ name, type }) =>
      type === 'switch' ? [`--${name}`] : [`--${name}`, values[type]],
    );
    const joined = serveOptions.map(({ name, type }) => `--${name}=${values[type]}`);
    const expected = Object.fromEntries(
      serveOptions.map(({ key, type }) => [
        key,
        {
          text: 'value',
          texts: ['one'],
          port: 7443,
          seconds: 60,
          duration: 90_000,
          bytes: 2 ** 31,
          rate: 12.5,
          decimal: 0.05,
          share: 0.5,
          count: 40,
          switch: true,
        }[type],
      ]),
    );
    assert.deepEqual(parseCommandLine(['serve', ...separate]), { command: 'serve', options: expected });
    assert.deepEqual(parseCommandLine(['serve', ...joined]), { command: 'serve', options: expected });
  });

  it('collects the values of a repeated option', () => {
    const args = ['--service-account-issuer=a', '--service-account-issuer', 'b'];
    assert.deepEqual(parseCommandLine(['serve', ...args]), {
      command: 'serve',
      options: { securePort: 6443, serviceAccountIssuers: ['a', 'b'] },
    });
  });

  it('serves on the usual port by default, and accepts empty lists and false', () => {
    assert.deepEqual(parseCommandLine(['serve']), { command: 'serve', options: { securePort: 6443 } });
    assert.deepEqual(parseCommandLine(['serve', '--controllers=', '--in-memory=false', '--secure-port=0']), {
      command: 'serve',
      options: { securePort: 0, controllers: '', inMemory: false },
    });
  });

  it('reports an error in one line', () => {
    assert.equal(
      textOf('serve', '--secur-port', '1'),
      "wrong: binnacle: unknown option '--secur-port' (Did you mean --secure-port?); see binnacle serve --help\n",
    );
    for (const port of ['x', '-1', '65536', '1.5', '']) {
      assert.match(
        textOf('serve', `--secure-port=${port}`),
        /^wrong: binnacle: --secure-port "[^\n]+ is not a port[^\n]+\n$/,
      );
    }
    for (const duration of ['5', '-1s', '1d', '', 'soon']) {
      assert.match(
        textOf('serve', `--history-retention=${duration}`),
        /^wrong: binnacle: --history-retention "[^\n]+ is not a duration[^\n]+\n$/,
      );
    }
    assert.match(textOf('serve', '--min-request-timeout=1m'), /is not a number of seconds/);
    assert.match(textOf('serve', '--max-memory=2GB'), /is not a size/);
    assert.match(textOf('serve', '--in-memory', 'maybe'), /neither true nor false/);
    assert.match(textOf('serve', '--data-dir'), /argument missing/);
    assert.match(textOf('serve', 'more'), /too many arguments/);
    assert.match(textOf('serf'), /^wrong: binnacle: unknown command 'serf'/);
    assert.match(textOf(), /^wrong: Usage: binnacle/);
  });

  it('store commands take a directory, and a file where they need one', () => {
    const parse = (...args: string[]) => parseCommandLine(['store', ...args]);
    assert.deepEqual(parse('check'), { command: 'store', request: { action: 'check' } });
    assert.deepEqual(parse('compact', '--keep', '1h'), {
      command: 'store',
      request: { action: 'compact', keepMs: 3_600_000 },
    });
    assert.deepEqual(parse('compact', '--data-dir=/d'), {
      command: 'store',
      request: { action: 'compact', dataDirectory: '/d' },
    });
    for (const action of ['backup', 'restore']) {
      assert.deepEqual(parse(action, 'file', '--data-dir', '/d'), {
        command: 'store',
        request: { action, file: 'file', dataDirectory: '/d' },
      });
      assert.match(textOf('store', action), /^wrong: binnacle: missing required argument 'FILE'; see binnacle store/);
    }
    assert.deepEqual(parse('restore', 'file', '--bump-revision=7'), {
      command: 'store',
      request: { action: 'restore', file: 'file', bumpRevision: 7 },
    });
    assert.deepEqual(parse('purge', 'secret', 'default/db'), {
      command: 'store',
      request: { action: 'purge', kind: 'secret', name: 'default/db' },
    });
    assert.match(textOf('store', 'purge', 'secret'), /missing required argument 'NAME'/);
    assert.match(textOf('store', 'purge', 'secret', ''), /NAME is empty/);
    assert.match(textOf('store', 'restore', 'file', '--bump-revision=-7'), /is not a number: give 0 or more;/);
    assert.match(textOf('store', 'backup', 'file', '--bump-revision=7'), /unknown option '--bump-revision=7'/);
    assert.match(textOf('store', 'check', 'file'), /^wrong: .*too many arguments/);
    assert.match(textOf('store', 'check', '--data-dir='), /^wrong: binnacle: --data-dir is empty;/);
    assert.match(textOf('store', 'frob'), /^wrong: binnacle: unknown command 'frob'; see binnacle store --help\n$/);
    assert.match(textOf('store'), /^wrong: Usage: binnacle store/);
    assert.match(textOf('store', '--help'), /^help: Usage: binnacle store/);
  });

  it('serve accepts flags of kube-apiserver that mean nothing here, with a warning', () => {
    const request = parseCommandLine(['serve', '--in-memory', '--profiling=false', '--apiserver-count', '3']);
    assert.deepEqual(request, {
      command: 'serve',
      options: { securePort: 6443, inMemory: true },
      warnings: [
        "--profiling has no effect: the server has no profiles of Go; start it with Node's --cpu-prof",
        '--apiserver-count has no effect: servers find each other by their leases',
      ],
    });
    for (const { name, isSwitch } of idleFlags) {
      const given = parseCommandLine(['serve', `--${name}${isSwitch === true ? '' : '=1'}`]);
      assert.ok(given.command === 'serve' && given.warnings?.length === 1, name);
    }
  });

  it('serve refuses flags of kube-apiserver whose effect is missing, with a reason', () => {
    for (const { name, isSwitch, why } of missingFlags) {
      const given = isSwitch === true ? `--${name}` : `--${name}=1`;
      assert.equal(
        textOf('serve', given),
        `wrong: binnacle: --${name} is not supported: ${why}; see binnacle serve --help\n`,
      );
    }
    assert.ok(!textOf('serve', '--help').includes('--vmodule'));
  });

  it('types takes files, and one to verify', () => {
    assert.deepEqual(parseCommandLine(['types', 'a', '-', '--verify', 'b']), {
      command: 'types',
      request: { files: ['a', '-'], verify: 'b' },
    });
    assert.deepEqual(parseCommandLine(['types', 'a']), { command: 'types', request: { files: ['a'] } });
    assert.match(
      textOf('types'),
      /^wrong: binnacle: neither FILE nor --from-server is given; see binnacle types --help/,
    );
    assert.deepEqual(parseCommandLine(['types', '--from-server', 'a']), {
      command: 'types',
      request: { files: ['a'], server: {} },
    });
    assert.deepEqual(parseCommandLine(['types', '--from-server', '--context=b']), {
      command: 'types',
      request: { files: [], server: { context: 'b' } },
    });
    assert.match(textOf('types', 'a', '--context=b'), /^wrong: binnacle: --context is given without --from-server/);
    assert.match(textOf('types', ''), /^wrong: binnacle: FILE is empty/);
    assert.match(textOf('types', 'a', '--verify='), /^wrong: binnacle: FILE is empty/);
    assert.match(textOf('types', '--help'), /^help: Usage: binnacle types/);
  });

  it('the commands of the history take points and targets', () => {
    assert.deepEqual(parseCommandLine(['log', 'deploy/web', '-n', 'shop', '--since', '10m', '--by=ann', '-p']), {
      command: 'history',
      request: {
        action: 'log',
        scope: { namespace: 'shop' },
        target: { kind: 'deploy', name: 'web' },
        since: { type: 'ago', milliseconds: 600_000 },
        until: undefined,
        by: 'ann',
        field: undefined,
        patch: true,
        follow: false,
        limit: 50,
      },
    });
    assert.deepEqual(parseCommandLine(['diff', '5', '2026-11-28T10:05:00Z', '-A', '--kubeconfig=a']), {
      command: 'history',
      request: {
        action: 'diff',
        scope: { allNamespaces: true, kubeconfig: 'a' },
        from: { type: 'revision', text: '5' },
        to: { type: 'time', text: '2026-11-28T10:05:00Z' },
        target: undefined,
      },
    });
    assert.deepEqual(parseCommandLine(['revert', '5', '--dry-run']), {
      command: 'history',
      request: { action: 'revert', scope: {}, revision: '5', target: undefined, force: false, dryRun: true },
    });
    assert.match(textOf('get', 'deploy'), /^wrong: binnacle: --at is missing: give a resourceVersion, a time/);
    assert.match(
      textOf('get', 'deploy', '--at=5', '-o', 'wide'),
      /"wide" is not yaml or json; see binnacle get --help/,
    );
    assert.match(textOf('blame', 'deploy'), /"deploy" is not KIND\/NAME/);
    assert.match(textOf('show', 'x'), /"x" is not a resourceVersion/);
    assert.match(textOf('diff', '5', 'Yesterday'), /"Yesterday" is not a resourceVersion, a time/);
    const scope = {};
    const snapshot = { action: 'snapshot', scope, name: undefined, at: undefined, remove: false };
    const at = { type: 'revision', text: '7' };
    for (const [args, request] of [
      [['snapshot'], snapshot],
      [['snapshot', 'before', '--at', '7'], { ...snapshot, name: 'before', at }],
      [['snapshot', 'before', '--delete'], { ...snapshot, name: 'before', remove: true }],
      [['fork'], fork],
      [['fork', 'before', '--out=a'], { ...fork, at: { type: 'snapshot', text: 'before' }, file: 'a' }],
      [
        ['fork', '7', '--name=a', '--port=7443', '--share-credentials'],
        { ...fork, at, name: 'a', port: 7443, sharesCredentials: true },
      ],
      [['fork', '--list'], { ...fork, list: true }],
      [['fork', '--delete', 'a'], { ...fork, remove: 'a' }],
      [
        ['bisect', '--good', '7', '--bad=7', '--', 'sh', '-c', 'true'],
        { action: 'bisect', scope, good: at, bad: at, command: ['sh', '-c', 'true'] },
      ],
    ] as const) {
      assert.deepEqual(parseCommandLine([...args]), { command: 'history', request }, args.join(' '));
    }
    for (const [args, message] of [
      [['snapshot', '--delete'], /NAME is missing/],
      [['snapshot', '7'], /"7" is not a DNS label/],
      [['snapshot', 'a', '--delete', '--at=7'], /--delete and --at exclude each other/],
      [['fork', '--list', '--name=a'], /exclude each other/],
      [['fork', '--list', '--delete=a'], /exclude each other/],
      [['fork', '--name=A'], /"A" is not a DNS label/],
      [['fork', '--port=70000'], /--port "70000" is not from 0 to 65535/],
      [['fork', '--delete='], /--delete is empty/],
      [['bisect', '--good=7', '--', 'true'], /--bad is missing/],
      [['bisect', '--good=7', '--bad=8'], /missing required argument 'COMMAND'/],
      [['log', '-f', '--until=7'], /--follow and --until exclude each other/],
    ] as const) {
      assert.match(textOf(...args), message);
    }
    assert.match(textOf('log', '-n', 'a', '-A'), /exclude each other/);
    assert.match(textOf('log', '--limit=0'), /"0" is not 1 or more/);
  });

  it('serve takes the console along', () => {
    const served = { command: 'serve', options: { securePort: 6443 } };
    assert.deepEqual(parseCommandLine(['serve', '--console']), { ...served, console: true });
    assert.deepEqual(parseCommandLine(['serve', '--console=true']), { ...served, console: true });
    assert.deepEqual(parseCommandLine(['serve', '--console=false']), served);
    assert.match(textOf('serve', '--console=x'), /--console "x" is neither true nor false/);
  });

  it('top takes a kubeconfig, a context, and an end', () => {
    assert.deepEqual(parseCommandLine(['top']), { command: 'top', request: {} });
    const request = { kubeconfig: 'a', context: 'b', once: true };
    assert.deepEqual(parseCommandLine(['top', '--kubeconfig=a', '--context', 'b', '--once']), {
      command: 'top',
      request,
    });
    assert.match(textOf('top', '--kubeconfig='), /^wrong: binnacle: FILE is empty/);
    assert.match(textOf('top', '--context='), /^wrong: binnacle: NAME is empty/);
  });

  it('console takes a kubeconfig, a context and a port', () => {
    assert.deepEqual(parseCommandLine(['console']), { command: 'console', request: {} });
    assert.deepEqual(parseCommandLine(['console', '--kubeconfig=a', '--context', 'b', '--port', '4000']), {
      command: 'console',
      request: { kubeconfig: 'a', context: 'b', port: 4000 },
    });
    assert.match(textOf('console', '--kubeconfig='), /^wrong: binnacle: FILE is empty/);
    assert.match(textOf('console', '--context='), /^wrong: binnacle: NAME is empty/);
    assert.match(
      textOf('console', '--port=x'),
      /^wrong: binnacle: --port "x" is not a port.*see binnacle console --help/,
    );
  });

  it('resolve takes a service and a namespace', () => {
    assert.deepEqual(parseCommandLine(['resolve', 'svc/web:http', '-n', 'shop', '--kubeconfig=a']), {
      command: 'resolve',
      request: { service: 'web', port: 'http', namespace: 'shop', kubeconfig: 'a' },
    });
    assert.deepEqual(parseCommandLine(['resolve', 'svc/web', '--output=json']), {
      command: 'resolve',
      request: { service: 'web', output: 'json' },
    });
    assert.match(textOf('resolve', 'web'), /^wrong: binnacle: "web" is not svc\/NAME or svc\/NAME:PORT/);
    assert.match(textOf('resolve', 'svc/web', '--namespace='), /^wrong: binnacle: NAMESPACE is empty/);
    assert.match(textOf('resolve'), /missing required argument/);
  });

  it('scheduler takes a kubeconfig and leader election', () => {
    const parse = (...args: string[]) => parseCommandLine(['scheduler', ...args]);
    assert.deepEqual(parse(), { command: 'scheduler', request: { leaderElect: true } });
    assert.deepEqual(parse('--kubeconfig=f', '--leader-elect=false'), {
      command: 'scheduler',
      request: { kubeconfig: 'f', leaderElect: false },
    });
    assert.deepEqual(parse('--config=c', '--leader-elect=false'), {
      command: 'scheduler',
      request: { config: 'c', leaderElect: false },
    });
    assert.match(textOf('scheduler', '--config='), /^wrong: binnacle: FILE is empty/);
    assert.match(textOf('scheduler', '--kubeconfig='), /^wrong: binnacle: FILE is empty/);
    assert.match(textOf('scheduler', '--help'), /^help: Usage: binnacle scheduler/);
  });

  it('simulate takes a file and seeds', () => {
    const parse = (...args: string[]) => parseCommandLine(['simulate', ...args]);
    assert.deepEqual(parse('f.yaml'), { command: 'simulate', request: { file: 'f.yaml', seed: 1, seeds: 1 } });
    assert.deepEqual(parse('f.yaml', '--seed=4', '--nodes=9', '--until=12', '--history=h'), {
      command: 'simulate',
      request: { file: 'f.yaml', seed: 4, seeds: 1, nodes: 9, until: 12, history: 'h' },
    });
    assert.match(textOf('simulate'), /^wrong: binnacle: missing required argument 'FILE'/);
    assert.match(textOf('simulate', 'f', '--seeds=0'), /--seeds must be 1 or more/);
    assert.match(textOf('simulate', 'f', '--nodes=5001'), /--nodes must be at most 5000/);
    assert.match(textOf('simulate', 'f', '--until=0'), /--until must be 1 or more/);
    assert.match(textOf('simulate', 'f', '--seeds=2', '--until=9'), /--until and --history need a single seed/);
    assert.match(textOf('simulate', '--help'), /^help: Usage: binnacle simulate/);
  });

  it('nodes takes a count, a kubeconfig and the address of kubelets', () => {
    const parse = (...args: string[]) => parseCommandLine(['nodes', ...args]);
    assert.deepEqual(parse(), { command: 'nodes', request: { count: 1, metrics: true } });
    assert.deepEqual(parse('--count=3', '--kubeconfig=f'), {
      command: 'nodes',
      request: { count: 3, metrics: true, kubeconfig: 'f' },
    });
    assert.deepEqual(parse('--kubelet-address=10.0.0.1'), {
      command: 'nodes',
      request: { count: 1, metrics: true, kubeletAddress: '10.0.0.1' },
    });
    assert.match(
      textOf('nodes', '--kubelet-address=host'),
      /^wrong: binnacle: --kubelet-address must be an IP address/,
    );
    assert.match(textOf('nodes', '--kubeconfig='), /^wrong: binnacle: FILE is empty/);
    for (const count of ['0', '5001']) {
      assert.match(textOf('nodes', `--count=${count}`), /^wrong: binnacle: --count must be from 1 to 5000/);
    }
    assert.match(textOf('nodes', '--help'), /^help: Usage: binnacle nodes/);
  });

  it('controller-manager takes a kubeconfig and the loops to run', () => {
    const parse = (...args: string[]) => parseCommandLine(['controller-manager', ...args]);
    assert.deepEqual(parse(), { command: 'controller-manager', request: { controllers: '*', leaderElect: true } });
    assert.deepEqual(
      parse('--kubeconfig=a', '--controllers=*,-namespace', '--leader-elect=false', '--root-ca-file', 'b'),
      {
        command: 'controller-manager',
        request: { kubeconfig: 'a', controllers: '*,-namespace', leaderElect: false, rootCaFile: 'b' },
      },
    );
    assert.deepEqual(parse('--cluster-signing-cert-file=a', '--service-account-private-key-file=b'), {
      command: 'controller-manager',
      request: {
        controllers: '*',
        leaderElect: true,
        serviceAccountPrivateKeyFile: 'b',
        settings: { clusterSigningCertFile: 'a' },
      },
    });
    assert.deepEqual(parse('--node-monitor-grace-period=20s'), {
      command: 'controller-manager',
      request: { controllers: '*', leaderElect: true, settings: { nodeMonitorGracePeriodMs: 20_000 } },
    });
    assert.deepEqual(parse('--kube-api-qps=2.5', '--kube-api-burst=30'), {
      command: 'controller-manager',
      request: { controllers: '*', leaderElect: true, settings: { kubeApiQps: 2.5, kubeApiBurst: 30 } },
    });
    assert.match(textOf('controller-manager', '--kube-api-qps=0'), /not a rate: give a number, 1 or more/);
    assert.deepEqual(parse('--healthz-bind-address=[::1]:10257'), {
      command: 'controller-manager',
      request: { controllers: '*', leaderElect: true, healthAddress: { host: '::1', port: 10257 } },
    });
    assert.deepEqual(parse('--use-service-account-credentials'), {
      command: 'controller-manager',
      request: { controllers: '*', leaderElect: true, useServiceAccountCredentials: true },
    });
    for (const wrong of ['10257', ':10257', '127.0.0.1:70000', '::1:10257', '[127.0.0.1]:1', 'localhost:1']) {
      assert.match(textOf('controller-manager', '--healthz-bind-address', wrong), /not an address: give IP:PORT/);
    }
    assert.match(textOf('serve', '--node-eviction-rate=-1'), /"-1" is not a number: give 0 or more, such as 0.1/);
    assert.match(textOf('serve', '--unhealthy-zone-threshold=1.5'), /"1.5" is not a share: give a number from 0 to 1/);
    assert.match(textOf('serve', '--terminated-pod-gc-threshold=1.5'), /"1.5" is not a number: give 0 or more/);
    assert.match(textOf('controller-manager', '--leader-elect=maybe'), /neither true nor false; see .*-manager --help/);
    assert.match(textOf('controller-manager', '--kubeconfig='), /^wrong: binnacle: FILE is empty/);
    assert.match(textOf('controller-manager', 'more'), /too many arguments/);
    assert.match(textOf('controller-manager', '--help'), /^help: Usage: binnacle controller-manager/);
  });

  it('help lists all options', () => {
    for (const args of [['--help'], ['help'], ['help', 'serve'], ['serve', '--help']]) {
      assert.match(textOf(...args), /^help: Usage: binnacle/);
    }
    for (const { name } of serveOptions) assert.ok(textOf('serve', '-h').includes(`--${name}`), name);
    assert.equal(textOf('version'), 'version');
    assert.deepEqual(parseCommandLine(['version', '-o', 'json']), { command: 'version', output: 'json' });
    assert.match(textOf('version', '-o', 'yaml'), /^wrong: .*'yaml' is invalid/);
  });
});
