import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { define } from './suite.mjs';

define({ describe, it, beforeAll, afterAll });
