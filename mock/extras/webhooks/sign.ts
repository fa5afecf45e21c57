import { createHmac, randomBytes } from 'node:crypto';
import { isWebhookSecret } from '../../../common/cli/webhook-secret.ts';
import type { SignatureHint } from '../../../openapi/index.ts';

/**
 * The signed content of an attempt: the id of the delivery, the instant in Unix milliseconds, the
 * body.
 */
export type SignedContent = { id: string; at: number; body: string; secret: string };

/** A secret as Standard Webhooks has them: 24 random bytes. */
export function makeSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** The signature of Standard Webhooks 1.0. */
const standard: SignatureHint = {
  header: 'webhook-signature',
  encoding: 'base64',
  signs: '{id}.{timestamp}.{body}',
  value: 'v1,{signature}',
};

/**
 * The headers that sign a try: those of Standard Webhooks, or with the one that `x-twin` of the document
 * names instead of its signature. A timestamp is in Unix seconds.
 */
export function signatureOf(
  { id, at, body, secret }: SignedContent,
  hint: SignatureHint = standard,
): Record<string, string> {
  const { header, algorithm = 'sha256', encoding = 'hex', signs = '{body}' } = hint;
  const { value = '{signature}' } = hint;
  const timestamp = String(Math.floor(at / 1000));
  const fill = (template: string, values: Readonly<Record<string, string>>) =>
    template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  const key = hint === standard ? toStandardKey(secret) : secret;
  const signed = fill(signs, { id, timestamp, body });
  const signature = createHmac(algorithm, key).update(signed).digest(encoding);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    [header]: fill(value, { id, timestamp, signature }),
  };
}

/** Decodes a secret: base64 after an optional prefix, or else its own bytes. */
function toStandardKey(secret: string): Buffer {
  return isWebhookSecret(secret)
    ? Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    : Buffer.from(secret);
}
