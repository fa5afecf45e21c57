import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { SignatureHint } from '../../../contracts/description/hint.ts';

/** What a try is signed with: the id of the delivery, the instant in Unix milliseconds, the body. */
export type Signed = { id: string; at: number; body: string; secret: string };

/** A secret as Standard Webhooks has them: 24 random bytes. */
export function makeSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/**
 * The headers that sign a try: those of Standard Webhooks, or the one that `x-twin` of the document
 * names, an HMAC in which `{timestamp}` is in Unix seconds.
 */
export function signatureOf(
  { id, at, body, secret }: Signed,
  hint: SignatureHint | undefined,
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const standard = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (!hint)
    return { ...standard, 'webhook-signature': toWebhook(secret).sign(id, new Date(at), body) };
  const { header, algorithm = 'sha256', encoding = 'hex', signs = '{body}' } = hint;
  const { value = '{signature}' } = hint;
  const fill = (template: string, values: Readonly<Record<string, string>>) =>
    template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  const signed = fill(signs, { id, timestamp, body });
  const signature = createHmac(algorithm, secret).update(signed).digest(encoding);
  return { ...standard, [header]: fill(value, { id, timestamp, signature }) };
}

/** A secret that is no base64, as the library takes it, is used as it is. */
function toWebhook(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    return new Webhook(secret, { format: 'raw' });
  }
}
