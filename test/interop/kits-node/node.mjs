import { after as afterAll, before as beforeAll, describe, it } from 'node:test';
import { define } from './suite.mjs';

define({ describe, it, beforeAll, afterAll });
