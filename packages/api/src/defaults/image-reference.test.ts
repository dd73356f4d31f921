import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isLatestImage } from './image-reference.js';

it('pulls always what has no tag, or the tag latest', () => {
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

it('does not pull always what has a tag or a digest, or cannot be an image', () => {
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

it('answers at once for hostile text', () => {
  const started = process.cpuUsage().user;
  for (const part of ['a-', 'a.', 'a_', '-', 'a/', 'A', '__']) isLatestImage(`${part.repeat(100_000)}!`);
  assert.ok(process.cpuUsage().user - started < 500_000);
});
