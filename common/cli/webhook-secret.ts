import { UsageError } from './usage-error.ts';

const base64 = /^(?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

/** Whether a text is a secret of Standard Webhooks: base64, behind a prefix that may be missing. */
export function isWebhookSecret(secret: string): boolean {
  return base64.test(secret.replace(/^whsec_/, ''));
}

/** Throws a {@link UsageError} for what is no secret of Standard Webhooks. */
export function ensureWebhookSecret(secret: string | undefined): void {
  if (secret !== undefined && !isWebhookSecret(secret))
    throw new UsageError(
      '--webhook-secret must be base64 of Standard Webhooks, such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZI.',
    );
}
