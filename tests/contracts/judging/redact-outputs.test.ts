import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactReport } from '../../../contracts/judging/redact.ts';
import type { Finding } from '../../../contracts/report/events.ts';
import { drifted, outputNames, printed, reportOf } from '../../support/report.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const percent = (text: string) => text.replaceAll(/./g, (char) => `%${hexOf(char, 2)}`);
const hexOf = (char: string, width: number) => char.charCodeAt(0).toString(16).padStart(width, '0');

const names: Record<string, string> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** Lists what a deployment may make of what it echoes. */
const codings: Record<string, (secret: string) => string> = {
  plain: (secret) => secret,
  'another case': (secret) => secret.toUpperCase(),
  'JSON within JSON': (secret) => JSON.stringify(JSON.stringify(secret)),
  percent,
  'escapes of JSON': (secret) => secret.replaceAll(/./g, (char) => `\\u${hexOf(char, 4)}`),
  'references of HTML': (secret) => secret.replaceAll(/./g, (char) => `&#x${hexOf(char, 2)};`),
  'names of HTML': (secret) => secret.replaceAll(/[&<>"']/g, (char) => `&${names[char]};`),
  'names of HTML, of quotes alone': (secret) => secret.replaceAll('"', '&quot;'),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'Basic credentials': (secret) => base64(`${secret}:`),
  'Basic credentials of a user': (secret) => base64(`key:${secret}`),
  'base64 of JSON': (secret) => base64(`{"key":"${secret}","a":1}`),
  'base64 for URLs': (secret) => Buffer.from(`key:${secret}`).toString('base64url'),
};

/** A text in each way in which a reader may decode it. */
function readingsOf(text: string): string[] {
  const plain = text
    .replaceAll(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\\+u([\da-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/&#x([\da-f]+);/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(
      /&(amp|lt|gt|quot|apos);/gi,
      (_, name) => Object.keys(names).find((char) => names[char] === name) ?? '',
    );
  const coded = text.match(/[\w+/=-]{8,}/g) ?? [];
  const decoded = (['base64', 'hex'] as const).flatMap((coding) =>
    coded.map((one) => Buffer.from(one, coding).toString()),
  );
  return [text, plain, ...decoded].map((one) => one.toLowerCase());
}

const secrets = fc.stringMatching(/^[A-Za-z0-9]{6}[A-Za-z0-9_.~!*<>"&'-]{4,12}$/);

it.each(Object.entries(codings))('shows no key in any output that comes as %s', (_, code) => {
  fc.assert(
    fc.property(secrets, (secret) => {
      const echo = `got ${code(secret)} here`;
      const { exchange } = drifted.findings[0] as Finding;
      const { request, response } = exchange as NonNullable<typeof exchange>;
      const report = reportOf([
        {
          ...{ message: echo, problems: [echo], expected: echo, actual: echo },
          exchange: {
            case: 'listPets/plain',
            request: { ...request, url: `http://127.0.0.1/v1/pets?q=${code(secret)}`, body: echo },
            response: { ...response, headers: [['X-Echo', echo]], body: echo },
          } as NonNullable<Finding['exchange']>,
        },
      ]);
      const redacted = redactReport(report, [secret]);
      for (const name of outputNames)
        for (const reading of readingsOf(printed(redacted, name)))
          expect(reading.includes(secret.toLowerCase()), name).toBe(false);
    }),
    { numRuns: 25 },
  );
});
