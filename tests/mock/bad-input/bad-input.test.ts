import { afterAll, beforeAll, describe, it } from 'vitest';
import { checkBadInput } from '../../support/bad-input.ts';
import { openTestTwin, type TestTwin } from '../../support/twin.ts';
import { contentType } from './content-type.ts';
import { credentials } from './credentials.ts';
import { framing } from './framing.ts';
import { headers } from './headers.ts';
import { jsonText } from './json-text.ts';
import { parameters } from './parameters.ts';
import { preferences } from './preferences.ts';
import { stringFields } from './string-fields.ts';
import { target } from './target.ts';

const groups = {
  framing,
  headers,
  target,
  parameters,
  credentials,
  contentType,
  jsonText,
  stringFields,
  preferences,
};

describe.each(Object.entries(groups))('%s', (_, rows) => {
  let twin: TestTwin;
  beforeAll(async () => {
    twin = await openTestTwin({ timeouts: { headers: 1000, request: 1000 } });
  });
  afterAll(() => twin.close());

  for (const [name, row] of Object.entries(rows))
    it(`answers ${name} with ${row[1]}`, () => checkBadInput(twin, row));
});
