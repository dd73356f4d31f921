import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isLatestImage } from './image-reference.js';

it('an image without a tag, or with the tag latest, is always pulled', () => {
  for (const image of [
    'nginx',
    'nginx:latest',
    'a/b',
    'localhost:5000/a',
    'example.com/a/b:latest',
    '[::1]:5000/a',
    'UPPER/a',
  ]) {
    assert.equal(isLatestImage(image), true, image);
  }
});

it('an image with a tag or a digest, or with a malformed name, is not always pulled', () => {
  const digest = `nginx@sha256:${'0'.repeat(64)}`;
  for (const image of [
    '',
    'nginx:1',
    'localhost:5000/a:1',
    digest,
    'Nginx',
    'a b',
    'a//b',
    '-a',
    'a:',
    'f'.repeat(64),
    'a'.repeat(300),
  ]) {
    assert.equal(isLatestImage(image), false, image);
  }
});

it('parses hostile text in linear time', () => {
  const started = process.cpuUsage().user;
  for (const part of ['a-', 'a.', 'a_', '-', 'a/', 'A', '__']) isLatestImage(`${part.repeat(100_000)}!`);
  assert.ok(process.cpuUsage().user - started < 500_000);
});
