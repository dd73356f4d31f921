import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkOptions } from './check-options.js';

const good = { bindAddress: '127.0.0.1', securePort: 0, serviceClusterIPRange: '10.0.0.0/24' };

describe('options', () => {
  it('that are right are accepted', () => {
    checkOptions({ ...good, egressDenyCidrs: '10.0.0.0/8, fd00::/8', inMemory: true });
    checkOptions({ ...good, serviceClusterIPRange: '10.0.0.0/24,fd00::/112', advertiseAddress: '10.1.2.3' });
  });

  const faults: readonly [Partial<Parameters<typeof checkOptions>[0]>, string][] = [
    [{ bindAddress: 'localhost' }, '--bind-address "localhost" is not an IP address'],
    [{ securePort: 70000 }, '--secure-port 70000 is not a port: give a number from 1 to 65535, or 0 for any free port'],
    [{ advertiseAddress: 'here' }, '--advertise-address "here" is not an IP address'],
    [
      { advertiseAddress: '127.0.0.1' },
      '--advertise-address 127.0.0.1 is not an address at which other machines reach this one',
    ],
    [
      { serviceClusterIPRange: '10.0.0.0/31' },
      '--service-cluster-ip-range "10.0.0.0/31" is not a CIDR with room for services, such as 10.0.0.0/24',
    ],
    [
      { serviceClusterIPRange: '10.0.0.0/24,10.1.0.0/24' },
      '--service-cluster-ip-range "10.0.0.0/24,10.1.0.0/24" may hold one range, or one IPv4 and one IPv6 range',
    ],
    [{ egressDenyCidrs: '10.0.0.0' }, '--egress-deny-cidrs "10.0.0.0" is not a CIDR, such as 10.0.0.0/8'],
    [{ tlsCertFile: 'a' }, '--tls-cert-file and --tls-private-key-file must be given together'],
    [
      { clusterSigningKeyFile: 'a' },
      '--cluster-signing-cert-file and --cluster-signing-key-file must be given together',
    ],
    [{ proxyClientCertFile: 'a' }, '--proxy-client-cert-file and --proxy-client-key-file must be given together'],
    [{ requestheaderAllowedNames: ['a'] }, '--requestheader-allowed-names needs --requestheader-client-ca-file'],
    [
      { requestheaderClientCAFile: 'ca', requestheaderGroupHeaders: ['a,,b'] },
      '--requestheader-group-headers holds an empty value',
    ],
    [{ kubeletPort: 0 }, '--kubelet-port 0 is not a port: give a number from 1 to 65535'],
    [{ kubeletTimeoutMs: 0 }, '--kubelet-timeout must be more than 0'],
    [{ kubeletPreferredAddressTypes: ['Hostname,'] }, '--kubelet-preferred-address-types holds an empty type'],
    [{ historyRetentionMs: -1 }, '--history-retention must not be negative; 0 keeps all history'],
    [{ historyRetentionFor: ['secret=0'] }, '--history-retention-for "secret" is not a resource: write secrets'],
    [
      { historyRetentionFor: ['secrets=0'], etcdServers: 'http://e' },
      '--history-retention-for needs a store of Binnacle: etcd compacts the keys of all resources together; leave out one of the options',
    ],
    [{ eventTtlMs: 500 }, '--event-ttl must be a second or more; 0 keeps events forever'],
    [{ minRequestTimeoutSeconds: -1 }, '--min-request-timeout -1 is not a number of seconds: give 0 or more'],
    [{ maxMemoryBytes: 1 }, '--max-memory must be 128Mi or more; the server needs that much'],
    [{ maxRequestsInflight: -1 }, '--max-requests-inflight -1: give 0 or more requests'],
    [
      { maxRequestsInflight: 0, maxMutatingRequestsInflight: 0 },
      '--max-requests-inflight and --max-mutating-requests-inflight must not both be 0: priority levels share their sum',
    ],
    [{ etcdServers: 'http://e', inMemory: true }, '--etcd-servers and --in-memory cannot be combined'],
    [
      { etcdServers: 'http://e,' },
      '--etcd-servers "http://e," is not a list of addresses, such as https://10.0.0.5:2379',
    ],
    [{ etcdKeyFile: 'a' }, '--etcd-certfile and --etcd-keyfile must be given together'],
    [{ etcdUsername: 'a' }, '--etcd-username and --etcd-password-file must be given together'],
    [{ etcdUsername: '', etcdPasswordFile: 'a' }, '--etcd-username is empty'],
    [{ etcdCompactionIntervalMs: -1 }, '--etcd-compaction-interval must not be negative; 0 turns it off'],
    [{ serviceAccountIssuers: [''] }, '--service-account-issuer is empty'],
    [
      { serviceAccountIssuers: ['https://a', 'https://a'] },
      '--service-account-issuer is given twice with the same value',
    ],
    [{ serviceAccountJwksUri: 'http://a' }, '--service-account-jwks-uri "http://a" is not an https URL'],
    [{ apiAudiences: 'a,,b' }, '--api-audiences "a,,b" holds an empty audience'],
    [
      { schedulerConfigFile: 'a', scheduler: false },
      '--scheduler-config is given, and no scheduler runs: add --scheduler',
    ],
    [{ nodes: -1 }, '--nodes must be from 0 to 5000'],
    [{ inMemory: true, dataDirectory: 'a' }, '--in-memory and --data-dir cannot be combined'],
    [{ dataDirectory: '' }, '--data-dir is empty'],
  ];
  for (const [options, message] of faults) {
    it(`are refused: ${message}`, () => {
      assert.throws(() => checkOptions({ ...good, ...options }), { message });
    });
  }
});
