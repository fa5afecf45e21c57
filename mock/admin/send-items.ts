import type { ServerResponse } from 'node:http';
import type { Answer } from '../answers/answer.ts';
import { tooManyUnread } from '../http/send-answer.ts';
import { limitStall, reserveUnread } from '../http/unread-answers.ts';
import type { ByteText } from '../json/byte-text.ts';
import { sendParts } from './send-parts.ts';

/** What a reference to a text takes, which a list of items consists of. */
const bytesOfReference = 8;

/** How long a part is that is sent at once, in bytes, unless an item is longer. */
const partBytes = 64 * 1024;

/**
 * Sends items as JSON, as many at a time as the client takes: a million of them are hundreds of
 * megabytes. Gives the answer where so many lists wait for their clients that there is no room.
 */
export async function sendItems(
  response: ServerResponse,
  items: readonly ByteText[],
  total: number,
): Promise<Answer | undefined> {
  if (!reserveUnread(response, items.length * bytesOfReference)) return tooManyUnread;
  limitStall(response, Number.POSITIVE_INFINITY);
  return void (await sendParts(response, toParts(items, total)));
}

function* toParts(items: readonly ByteText[], total: number): Generator<Buffer> {
  let part = '{"items":[';
  for (let at = 0; at < items.length; at++) {
    part += at === 0 ? items[at] : `,${items[at]}`;
    if (part.length < partBytes) continue;
    yield Buffer.from(part, 'latin1');
    part = '';
  }
  yield Buffer.from(`${part}],"meta":{"total":${total}}}`, 'latin1');
}
