import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createTerminal } from '../../../contracts/dredd/terminal.ts';

it('shows no key that a target echoes, be it in another case or encoded', () => {
  const out = new PassThrough();
  const terminal = createTerminal(out as unknown as NodeJS.WriteStream, {
    heading: 'Dredd replays a document',
    operations: ['listPets'],
    secret: 'secret/key-1',
  });
  terminal.onResult({
    operation: 'listPets',
    status: '200',
    verdict: 'failed',
    reasons: ['you sent secret/key-1', 'you sent SECRET/KEY-1', 'at ?key=secret%2Fkey-1'],
  });
  terminal.onEnd(['secret/key-1']);
  const text = String(out.read());
  expect(text).not.toMatch(/secret/i);
  expect(text.match(/\$KEY/g)).toHaveLength(4);
});
