import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fullName, ImageCommandError, ImageCommands } from './image-commands.js';

describe('the commands of images', () => {
  it('are found by any name of an image', () => {
    const commands = ImageCommands.parse(['controller:latest=./bin/manager --a=b', 'example.com:5000/a/b=c']);
    for (const image of ['controller', 'docker.io/library/controller', 'controller:latest']) {
      assert.deepEqual(commands.find(image), ['./bin/manager', '--a=b']);
    }
    assert.deepEqual(commands.find('example.com:5000/a/b:latest'), ['c']);
    assert.equal(commands.find('controller:v2'), undefined);
    assert.deepEqual(commands.images, ['docker.io/library/controller:latest', 'example.com:5000/a/b:latest']);
  });

  const wrong: Record<string, RegExp> = {
    './bin/manager': /"\.\/bin\/manager" is not IMAGE=COMMAND/,
    '=a': /is not IMAGE=COMMAND/,
    'a=': /the command of image a is empty, or a quote is open/,
    'a="b': /a quote is open/,
  };
  for (const [text, message] of Object.entries(wrong)) {
    it(`refuses ${text}`, () => {
      assert.throws(() => ImageCommands.parse([text]), { name: 'ImageCommandError', message });
    });
  }

  it('refuses two commands of one image, and too many', () => {
    assert.throws(() => ImageCommands.parse(['a=b', 'a:latest=c']), /image a:latest has two commands/);
    const many = Array.from({ length: 1001 }, (_, index) => `i${index}=c`);
    assert.throws(() => ImageCommands.parse(many), ImageCommandError);
  });

  it('are the lines of a file without comments', () => {
    assert.deepEqual(ImageCommands.linesOf('# mine\n\n a=b \n  # c\nd=e #f\n'), [' a=b ', 'd=e #f']);
  });
});

const names: Record<string, string> = {
  nginx: 'docker.io/library/nginx:latest',
  'docker.io/nginx': 'docker.io/library/nginx:latest',
  'a/b:1': 'docker.io/a/b:1',
  'UPPER/a': 'UPPER/a:latest',
  'localhost/a': 'localhost/a:latest',
  'ghcr.io/a/b@sha256:12': 'ghcr.io/a/b@sha256:12',
  'host:5000/a': 'host:5000/a:latest',
};
for (const [image, name] of Object.entries(names)) {
  it(`${image} is ${name}`, () => assert.equal(fullName(image), name));
}
