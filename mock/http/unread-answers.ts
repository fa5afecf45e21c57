import type { ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';

/** From how many bytes on an answer is counted; connections hold as much without it. */
const countedFrom = 64 * 1024;

/** How many bytes of large answers may wait for clients that do not read them: an eighth of the heap. */
export const mostUnread = getHeapStatistics().heap_size_limit / 8;

/** The memory is that of the process, so all twins in it are counted together. */
let unread = 0;

/**
 * Counts a large answer until it is sent or its connection is gone. Gives false, and counts nothing, where others that wait for
 * their clients leave no room for it.
 */
export function holdUnread(response: ServerResponse, bytes: number): boolean {
  if (bytes < countedFrom) return true;
  if (unread > 0 && unread + bytes > mostUnread) return false;
  unread += bytes;
  response.once('close', () => {
    unread -= bytes;
  });
  return true;
}
