import { describe, expect, test } from 'vitest';
import { hideInJson } from '../../../common/secrets/fields.ts';
import { toFieldRules } from '../../../common/secrets/names.ts';
import { createRedaction, createTokens } from '../../../contracts/har/redact-exchange.ts';

const secret = 'sk-0123456789abcdef';
const many = 200_000;

function redact(text: string): string {
  const tokens = createTokens([{ name: 'key-1', secret }]);
  const hidden = hideInJson(text, createRedaction(tokens, toFieldRules()));
  return tokens.hide(hidden);
}

describe('texts made to take long are searched in time that grows with their length alone', () => {
  test.each([
    ['backslashes', '\\'.repeat(many)],
    ['escaped quotes', `{"text":"${'\\"'.repeat(many)}"}`],
    ['hidden names within each other', '{"token":'.repeat(many / 5)],
  ])('%s', { timeout: 5000 }, (_, text) => {
    expect(redact(`${text} ${secret}`)).toBe(`${text} key-1`);
  });
});
