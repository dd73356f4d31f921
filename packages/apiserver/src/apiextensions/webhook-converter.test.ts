import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@binnacle/apimachinery/clock';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import type { ConversionObserver } from '../metrics/index.js';
import { WebhookConverter } from './webhook-converter.js';

interface Review {
  readonly request: { readonly uid: string; readonly objects: KubernetesObject[] };
}

const crontab = (name: string, filler = ''): KubernetesObject => ({
  apiVersion: 'example.com/v1',
  kind: 'CronTab',
  metadata: { name },
  filler,
});

/** A converter whose webhook answers with what `convert` makes of the objects; `sizes` are the requests' numbers of them. */
function converterOf(convert: (objects: KubernetesObject[]) => unknown[], versions: string[] = ['v1']) {
  const sizes: number[] = [];
  const post = (body: Uint8Array): Promise<Buffer> => {
    const { request } = JSON.parse(Buffer.from(body).toString()) as Review;
    sizes.push(request.objects.length);
    const response = { uid: request.uid, result: { status: 'Success' }, convertedObjects: convert(request.objects) };
    return Promise.resolve(
      Buffer.from(JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response })),
    );
  };
  const conversion = { conversionReviewVersions: versions };
  const outcomes: string[] = [];
  const observer: ConversionObserver = {
    begun: (from, to) => (why) => outcomes.push(`${from} to ${to}: ${why ?? 'converted'}`),
  };
  return { sizes, outcomes, converter: new WebhookConverter(conversion, { post, random: seededRandom(1), observer }) };
}

const toV2 = (object: KubernetesObject) => ({ ...object, apiVersion: 'example.com/v2' });

/** The message of a failed conversion, and what the observer learns of it. */
async function failure(convert: (objects: KubernetesObject[]) => unknown[], names: string[], versions?: string[]) {
  const { converter, outcomes } = converterOf(convert, versions);
  try {
    await converter.convert(
      names.map((name) => crontab(name)),
      'example.com/v2',
    );
  } catch (error) {
    assert.ok(error instanceof StatusError);
    assert.deepEqual([error.code, error.status.reason], [500, undefined]);
    return [error.message, ...outcomes];
  }
  return ['no failure'];
}

describe('a conversion webhook', () => {
  it('gets objects in as few requests as its limits allow, and they keep their order', async () => {
    const { sizes, outcomes, converter } = converterOf((objects) => objects.map(toV2));
    const names = Array.from({ length: 1001 }, (_, index) => `a${index}`);
    const converted = await converter.convert(
      names.map((name) => crontab(name)),
      'example.com/v2',
    );
    assert.deepEqual(sizes, [500, 500, 1]);
    assert.deepEqual(outcomes, Array<string>(3).fill('v1 to v2: converted'));
    assert.deepEqual(
      converted.map(({ metadata, apiVersion }) => [metadata, apiVersion]),
      names.map((name) => [{ name }, 'example.com/v2']),
    );
  });

  it('gets large objects in several requests, and one that is too large alone', async () => {
    const { sizes, converter } = converterOf((objects) => objects.map(toV2));
    const megabyte = 'x'.repeat(1024 * 1024);
    const objects = [crontab('a', megabyte), crontab('b', megabyte), crontab('c', megabyte.repeat(3)), crontab('d')];
    assert.equal((await converter.convert(objects, 'example.com/v2')).length, 4);
    assert.deepEqual(sizes, [1, 1, 1, 1]);
  });

  it('is not asked about nothing', async () => {
    const { sizes, converter } = converterOf(() => []);
    assert.deepEqual(await converter.convert([], 'example.com/v2'), []);
    assert.deepEqual(sizes, []);
  });

  const what = 'conversion webhook for example.com/v1, Kind=CronTab';
  type Convert = (objects: KubernetesObject[]) => unknown[];
  const cases: [what: string, names: string[], convert: Convert, message: string, kind: string][] = [
    [
      'too few objects',
      ['a', 'b'],
      (objects) => objects.slice(1).map(toV2),
      `${what} returned 1 objects, expected 2`,
      'partial_response',
    ],
    [
      'an object in another version',
      ['a'],
      (objects) => objects,
      `${what} returned invalid object: invalid groupVersion (expected example.com/v2, received example.com/v1)`,
      'invalid_converted_object',
    ],
    [
      'another object among several',
      ['a', 'b'],
      (objects) => objects.map(toV2).toReversed(),
      `${what} returned invalid converted object at index 0: must have the same name: a != b`,
      'invalid_converted_object',
    ],
    [
      'invalid labels among several',
      ['a', 'b'],
      (objects) => objects.map((each) => ({ ...toV2(each), metadata: { ...each.metadata, labels: 5 } })),
      `${what} returned invalid metadata in object at index 0: invalid metadata.labels in converted object`,
      'invalid_converted_object',
    ],
    [
      'an error',
      ['a'],
      () => {
        throw new Error('connection refused');
      },
      `${what} failed: connection refused`,
      'call',
    ],
    [
      'something that is not a list',
      ['a'],
      () => 5 as unknown as [],
      `${what} failed: response.convertedObjects is not a list`,
      'malformed_response',
    ],
  ];
  for (const [answer, names, convert, message, kind] of cases) {
    it(`fails when it answers with ${answer}`, async () =>
      assert.deepEqual(await failure(convert, names), [message, `v1 to v2: ${kind}`]));
  }

  it('fails when both sides have no version of reviews in common', async () => {
    assert.deepEqual(await failure(() => [], ['a'], ['v2']), ['no supported conversion review versions']);
  });
});
