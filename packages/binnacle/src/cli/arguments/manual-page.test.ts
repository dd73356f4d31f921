import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeCommands } from './command-line.js';
import { renderManualPage } from './manual-page.js';

describe('the manual page', () => {
  it('has a section for each command, and a paragraph for each option', () => {
    const page = renderManualPage(describeCommands());
    for (const heading of ['binnacle serve', 'binnacle store backup FILE', 'binnacle types [FILE...]']) {
      assert.ok(page.includes(`\n.SS ${heading}\n`), heading);
    }
    assert.ok(page.includes('\n.B \\-n, \\-\\-namespace \\fINAMESPACE\\fR\n'));
  });

  it('escapes what roff reads as its own', () => {
    const node = { name: 'x', description: '.a\\b-c', parameters: [], choices: [], options: [], commands: [] };
    const page = renderManualPage({ ...node, commands: [node] });
    assert.ok(page.includes('\n\\&.a\\eb\\-c.\n'), page);
  });
});
