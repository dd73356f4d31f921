import { VirtualClock } from '@binnacle/apimachinery/clock';
import { jsonFormat, Log } from '@binnacle/apimachinery/logging';
import { AuditEvent, auditMetrics, openAuditSink } from '@binnacle/apiserver/audit';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeAudit } from './audit.js';
import type { AuditStartOptions } from './options/audit-options.js';
import { checkAudit } from './options/check-audit.js';
import { completeOptions } from './options/config.js';
import { readInputFiles } from './input-files.js';

const POLICY = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n';

function eventOf(requestObject?: string): AuditEvent {
  return new AuditEvent({
    level: 'Request',
    auditId: 'id',
    stage: 'RequestReceived',
    requestUri: '/version',
    verb: 'get',
    user: { username: 'admin' },
    impersonatedUser: undefined,
    impersonationConstraint: undefined,
    sourceIps: [],
    userAgent: '',
    objectRef: undefined,
    responseStatus: undefined,
    requestObject,
    responseObject: undefined,
    receivedAt: 0,
    stageAt: 0,
    annotations: new Map(),
  });
}

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'audit-'));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Parts of a start, and the lines of its log. */
function partsWith(clock: VirtualClock) {
  const lines: string[] = [];
  const log = new Log({ clock, format: jsonFormat, verbosity: 0, write: (line) => lines.push(line) });
  return { clock, log, lines };
}

/** The sink of the options, with a policy and a log in the folder. */
async function sinkOf(folder: string, options: AuditStartOptions = {}, clock = new VirtualClock(), source = POLICY) {
  const policyFile = join(folder, 'policy.yaml');
  await writeFile(policyFile, source);
  const parts = partsWith(clock);
  const paths = { auditPolicyFile: policyFile, auditLogPath: join(folder, 'audit.log') };
  const config = completeOptions({ inMemory: true, ...paths, ...options });
  const audit = await makeAudit(config, await readInputFiles(config, clock), parts);
  assert.ok(audit !== undefined);
  const lost: unknown[] = [];
  const sink = openAuditSink(audit, {
    clock,
    metrics: auditMetrics(new MetricRegistry()),
    openService: () => assert.fail('there is no webhook'),
    report: (error) => lost.push(error),
  });
  return {
    policy: audit.policy,
    batch: audit.log?.batch,
    warnings: parts.lines,
    sink,
    lost,
    log: () => readFile(paths.auditLogPath, 'utf8'),
  };
}

describe('makeAudit', () => {
  it('reads the policy and writes lines of JSON', async () => {
    await inFolder(async (folder) => {
      const { policy, sink, log } = await sinkOf(folder);
      assert.deepEqual(policy.rules, [{ level: 'Metadata' }]);
      await sink.take(eventOf());
      assert.equal(await log(), `${eventOf().json}\n`);
      await sink.close();
    });
  });

  it('obeys the format', async () => {
    await inFolder(async (folder) => {
      const { sink, log } = await sinkOf(folder, { auditLogFormat: 'legacy' });
      await sink.take(eventOf());
      await sink.close();
      assert.match(await log(), /^1970-01-01T00:00:00.000000Z AUDIT: id="id"/);
    });
  });

  it('obeys the size and the number of backups', async () => {
    await inFolder(async (folder) => {
      const { sink } = await sinkOf(folder, { auditLogMaxSize: 1, auditLogMaxBackup: 1, auditLogCompress: true });
      const large = eventOf(JSON.stringify('x'.repeat(700_000)));
      for (let count = 0; count < 2; count++) await sink.take(large);
      await sink.close();
      const backups = (await readdir(folder)).filter((name) => name.endsWith('.log.gz'));
      assert.equal(backups.length, 1);
    });
  });

  it('obeys the age of backups', async () => {
    await inFolder(async (folder) => {
      const old = 'audit-2026-01-02T03-04-05.678.log';
      await writeFile(join(folder, old), '');
      const clock = new VirtualClock(Date.UTC(2026, 0, 4));
      const { sink } = await sinkOf(folder, { auditLogMaxSize: 1, auditLogMaxAge: 1 }, clock);
      const large = eventOf(JSON.stringify('x'.repeat(700_000)));
      for (let count = 0; count < 2; count++) await sink.take(large);
      await sink.close();
      const backups = (await readdir(folder)).filter((name) => name.startsWith('audit-'));
      assert.deepEqual([backups.length, backups.includes(old)], [1, false]);
    });
  });

  it('obeys the largest event', async () => {
    await inFolder(async (folder) => {
      const { sink, log } = await sinkOf(folder, { auditLogTruncateEnabled: true, auditLogTruncateMaxEventSize: 400 });
      await sink.take(eventOf(JSON.stringify('x'.repeat(1000))));
      await sink.close();
      assert.match(await log(), /"audit.k8s.io\/truncated":"true"/);
    });
  });

  it('obeys the batches', async () => {
    await inFolder(async (folder) => {
      const batch = { auditLogBatchMaxSize: 10, auditLogBatchMaxWaitMs: 1000, auditLogBatchBufferSize: 2 };
      const { sink, log, lost } = await sinkOf(folder, { auditLogMode: 'batch', ...batch });
      for (let count = 0; count < 3; count++) assert.equal(await sink.take(eventOf()), true);
      assert.equal(lost.length, 1);
      assert.equal(await log(), '');
      await sink.close();
      assert.equal((await log()).split('\n').length, 3);
    });
  });

  it('obeys the limit of batches a second', async () => {
    await inFolder(async (folder) => {
      const clock = new VirtualClock();
      const throttle = {
        auditLogBatchThrottleEnable: true,
        auditLogBatchThrottleQps: 1,
        auditLogBatchThrottleBurst: 1,
      };
      const { sink, batch, log } = await sinkOf(folder, { auditLogMode: 'batch', ...throttle }, clock);
      assert.deepEqual(batch?.throttle, { qps: 1, burst: 1 });
      for (let count = 0; count < 2; count++) await sink.take(eventOf());
      await clock.advance(999);
      assert.ok((await log()).split('\n').length <= 2);
      await sink.close();
      assert.equal((await log()).split('\n').length, 3);
    });
  });

  it('warns of a field of the policy that it ignores, and goes on', async () => {
    await inFolder(async (folder) => {
      const { policy, warnings } = await sinkOf(folder, {}, new VirtualClock(), `${POLICY}omitStage: [Panic]\n`);
      assert.deepEqual(policy.rules, [{ level: 'Metadata' }]);
      assert.equal(warnings.length, 1);
      assert.match(
        warnings[0] ?? '',
        /falling back to lenient decoding: .*unknown field \\"omitStage\\".*"flag":"--audit-policy-file"/,
      );
      assert.deepEqual((await sinkOf(folder)).warnings, []);
    });
  });

  it('records nothing without a policy', async () => {
    const config = completeOptions({ inMemory: true });
    const files = { auditPolicy: undefined, auditWebhook: undefined };
    assert.equal(await makeAudit(config, files, partsWith(new VirtualClock())), undefined);
  });

  it('names the flag and the file of what cannot be read or written', async () => {
    await inFolder(async (folder) => {
      const unwritable = { auditLogPath: join(folder, 'policy.yaml', 'audit.log') };
      await assert.rejects(sinkOf(folder, unwritable), /^StartError: --audit-log-path .*policy\.yaml/);
      const unreadable = { auditPolicyFile: join(folder, 'absent'), auditLogPath: '-' };
      await assert.rejects(
        readInputFiles(completeOptions({ inMemory: true, ...unreadable }), new VirtualClock()),
        /^StartError: --audit-policy-file .*absent/,
      );
    });
  });
});

describe('makeAudit, for a webhook', () => {
  const service = { url: 'https://audit.example', credentials: () => ({}) };
  const policy = { rules: [{ level: 'Metadata' }] } as const;
  const webhookOf = async (options: AuditStartOptions) => {
    const config = completeOptions({ inMemory: true, ...options });
    const files = { auditPolicy: { policy, warnings: [] }, auditWebhook: service };
    return (await makeAudit(config, files, partsWith(new VirtualClock())))?.webhook;
  };

  it('has upstream’s defaults', async () => {
    assert.deepEqual(await webhookOf({}), {
      service,
      backoffMs: 10_000,
      mode: 'batch',
      batch: { bufferSize: 10_000, maximumBatchSize: 400, maximumWaitMs: 30_000, throttle: { qps: 10, burst: 15 } },
      maximumEventBytes: undefined,
    });
  });

  it('obeys every option', async () => {
    const options = {
      auditWebhookMode: 'blocking-strict',
      auditWebhookInitialBackoffMs: 1,
      auditWebhookBatchBufferSize: 2,
      auditWebhookBatchMaxSize: 3,
      auditWebhookBatchMaxWaitMs: 4,
      auditWebhookBatchThrottleQps: 5,
      auditWebhookBatchThrottleBurst: 6,
      auditWebhookTruncateEnabled: true,
      auditWebhookTruncateMaxEventSize: 7,
    };
    const batch = { bufferSize: 2, maximumBatchSize: 3, maximumWaitMs: 4 };
    assert.deepEqual(await webhookOf(options), {
      service,
      backoffMs: 1,
      mode: 'blocking-strict',
      batch: { ...batch, throttle: { qps: 5, burst: 6 } },
      maximumEventBytes: 7,
    });
    const unlimited = await webhookOf({ ...options, auditWebhookBatchThrottleEnable: false });
    assert.equal(unlimited?.batch.throttle, undefined);
  });
});

describe('checkAudit', () => {
  const both = { auditPolicyFile: 'policy.yaml', auditLogPath: 'audit.log' };
  for (const [options, message] of [
    [{ auditLogPath: 'audit.log' }, /--audit-log-path needs --audit-policy-file/],
    [{ auditPolicyFile: 'policy.yaml' }, /--audit-policy-file needs --audit-log-path or --audit-webhook-config-file/],
    [{ auditWebhookConfigFile: 'a' }, /--audit-webhook-config-file needs --audit-policy-file/],
    [{ ...both, auditWebhookMode: 'later' }, /--audit-webhook-mode "later"/],
    [{ ...both, auditWebhookInitialBackoffMs: 0 }, /--audit-webhook-initial-backoff must be positive/],
    [{ ...both, auditLogMode: 'later' }, /--audit-log-mode "later": give one of batch, blocking, blocking-strict/],
    [{ ...both, auditLogFormat: 'xml' }, /--audit-log-format "xml": give one of legacy, json/],
    [{ ...both, auditLogBatchBufferSize: 0 }, /--audit-log-batch-buffer-size 0: give a positive number/],
    [{ ...both, auditLogTruncateMaxEventSize: 0 }, /--audit-log-truncate-max-event-size 0/],
    [{ ...both, auditLogBatchThrottleEnable: true }, /--audit-log-batch-throttle-enable needs/],
  ] as const satisfies readonly (readonly [AuditStartOptions, RegExp])[]) {
    it(`refuses ${JSON.stringify(options)}`, () => assert.throws(() => checkAudit(options), message));
  }

  it('accepts a policy and a log', () => assert.doesNotThrow(() => checkAudit(both)));
});
