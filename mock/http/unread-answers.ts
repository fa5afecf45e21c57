import type { ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';

/** The size from which an answer is counted; connections buffer less than that anyway. */
const countedFrom = 64 * 1024;

/** How long a client may pause while reading a large answer, in milliseconds. */
export const maxStall = 30_000;

/**
 * How many bytes of large answers may wait for clients that do not read them: an eighth of the
 * heap.
 */
export const maxUnread = getHeapStatistics().heap_size_limit / 8;

/**
 * The size of each large answer that is not sent yet. The memory is that of the process, so all
 * twins in it are counted together.
 */
const unread = new Map<ServerResponse, number>();

/**
 * Counts a large answer until it is sent or its connection is gone; one that was counted before is
 * counted with the larger number. Gives false, and counts nothing more, where others that wait for
 * their clients leave no room for it.
 */
export function reserveUnread(response: ServerResponse, bytes: number): boolean {
  if (bytes < countedFrom) return true;
  const before = unread.get(response) ?? 0;
  const others = unread.values().reduce((sum, size) => sum + size, 0) - before;
  if (bytes > before && others > 0 && others + bytes > maxUnread) return false;
  reserveWritten(response, bytes);
  return true;
}

/**
 * Counts a large answer to a request that has changed something: it is sent even where there is no
 * room for it.
 */
export function reserveWritten(response: ServerResponse, bytes: number): void {
  // A connection that is gone is not closed again, so nothing would take the answer off the count.
  if (bytes < countedFrom || response.destroyed) return;
  const before = unread.get(response);
  if (before === undefined) response.once('close', () => unread.delete(response));
  unread.set(response, Math.max(bytes, before ?? 0));
}

/**
 * Closes the connection of a large answer once its client has read nothing of it for {@link
 * maxStall}.
 */
export function limitStall(response: ServerResponse, bytes: number): void {
  if (bytes < countedFrom) return;
  response.setTimeout(maxStall, () => response.destroy());
  // Before Node's own listener, which sets the time that the connection may be idle; the next
  // answer may be a delayed one.
  response.prependOnceListener('finish', () => response.setTimeout(0));
}
