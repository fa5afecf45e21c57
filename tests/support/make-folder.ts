import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder that ends with the run of the tests. */
export const makeFolder = () => mkdtempSync(join(tmpdir(), 'test-'));
